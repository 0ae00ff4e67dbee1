// SPDX-License-Identifier: Apache-2.0
#include <kiln/error.h>

#include <algorithm>

namespace kiln {

std::string_view to_string(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::usage:
        return "usage";
    case ErrorCode::unknown_arch:
        return "unknown_arch";
    case ErrorCode::configuration:
        return "configuration";
    case ErrorCode::policy:
        return "policy";
    case ErrorCode::catalog:
        return "catalog";
    case ErrorCode::denied:
        return "denied";
    case ErrorCode::unsupported_target:
        return "unsupported_target";
    case ErrorCode::toolkit_missing:
        return "toolkit_missing";
    case ErrorCode::toolkit_unfit:
        return "toolkit_unfit";
    case ErrorCode::source_missing:
        return "source_missing";
    case ErrorCode::header_missing:
        return "header_missing";
    case ErrorCode::compile_failed:
        return "compile_failed";
    case ErrorCode::kernel_missing:
        return "kernel_missing";
    case ErrorCode::compiler_crashed:
        return "compiler_crashed";
    case ErrorCode::timed_out:
        return "timed_out";
    case ErrorCode::cancelled:
        return "cancelled";
    case ErrorCode::cubin_invalid:
        return "cubin_invalid";
    case ErrorCode::sealed_miss:
        return "sealed_miss";
    case ErrorCode::cache_unavailable:
        return "cache_unavailable";
    case ErrorCode::driver_missing:
        return "driver_missing";
    case ErrorCode::driver_failed:
        return "driver_failed";
    case ErrorCode::device_missing:
        return "device_missing";
    case ErrorCode::io:
        return "io";
    case ErrorCode::internal:
        return "internal";
    }
    return "internal";
}

struct Error::State {
    State(ErrorCode code, std::string message, std::string hint, Context context)
        : code(code), message(std::move(message)), hint(std::move(hint)),
          context(std::move(context)),
          what(this->hint.empty() ? this->message : this->message + " (" + this->hint + ")") {}

    ErrorCode code;
    std::string message;
    std::string hint;
    Context context;
    std::string what;
};

Error::Error(ErrorCode code, std::string message, std::string hint, Context context)
    : state_(std::make_shared<const State>(code, std::move(message), std::move(hint),
                                           std::move(context))) {}

Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

ErrorCode Error::code() const noexcept {
    return state_->code;
}

const std::string& Error::message() const noexcept {
    return state_->message;
}

const std::string& Error::hint() const noexcept {
    return state_->hint;
}

const Error::Context& Error::context() const noexcept {
    return state_->context;
}

std::string_view Error::context(std::string_view label) const noexcept {
    const auto& details = state_->context;
    const auto found = std::find_if(details.begin(), details.end(),
                                    [&](const auto& detail) { return detail.first == label; });
    return found == details.end() ? std::string_view{} : std::string_view{found->second};
}

Error Error::with(std::string label, std::string value) const {
    Context details = state_->context;
    const bool known = std::any_of(details.begin(), details.end(),
                                   [&](const auto& detail) { return detail.first == label; });
    if (known)
        return *this;
    details.emplace_back(std::move(label), std::move(value));
    return Error(state_->code, state_->message, state_->hint, std::move(details));
}

const char* Error::what() const noexcept {
    return state_->what.c_str();
}

} // namespace kiln

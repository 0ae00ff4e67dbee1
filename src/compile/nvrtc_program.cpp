// SPDX-License-Identifier: Apache-2.0
#include "compile/nvrtc_program.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <utility>

namespace kiln::compile {

namespace {

// NVRTC counts the terminating zero.
std::string without_terminator(std::string text) {
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    return text;
}

} // namespace

NvrtcProgram::NvrtcProgram(std::shared_ptr<const toolkit::NvrtcLibrary> library,
                           const std::string& text, const std::string& name)
    : library_(std::move(library)) {
    const auto code =
        library_->create_program(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr);
    if (code != NVRTC_SUCCESS)
        throw Error(ErrorCode::internal, fmt::format("NVRTC makes no program of {}: {}", name,
                                                     library_->get_error_string(code)));
}

NvrtcProgram::~NvrtcProgram() {
    library_->destroy_program(&program_);
}

void NvrtcProgram::add_name_expression(const std::string& expression) {
    const auto code = library_->add_name_expression(program_, expression.c_str());
    if (code != NVRTC_SUCCESS)
        throw Error(ErrorCode::internal, fmt::format("NVRTC takes no expression `{}`: {}",
                                                     expression, library_->get_error_string(code)));
}

nvrtcResult NvrtcProgram::compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const auto& option : options)
        pointers.push_back(option.c_str());
    return library_->compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
}

std::string NvrtcProgram::log() const {
    std::size_t size = 0;
    if (library_->get_program_log_size(program_, &size) != NVRTC_SUCCESS)
        return {};
    std::string text(size, '\0');
    if (library_->get_program_log(program_, text.data()) != NVRTC_SUCCESS)
        return {};
    return without_terminator(std::move(text));
}

std::vector<std::byte> NvrtcProgram::cubin() const {
    std::size_t size = 0;
    if (library_->get_cubin_size(program_, &size) != NVRTC_SUCCESS || size == 0)
        return {};
    std::vector<std::byte> bytes(size);
    if (library_->get_cubin(program_, reinterpret_cast<char*>(bytes.data())) != NVRTC_SUCCESS)
        return {};
    return bytes;
}

std::string NvrtcProgram::ptx() const {
    std::size_t size = 0;
    if (library_->get_ptx_size(program_, &size) != NVRTC_SUCCESS || size == 0)
        return {};
    std::string text(size, '\0');
    if (library_->get_ptx(program_, text.data()) != NVRTC_SUCCESS)
        return {};
    return without_terminator(std::move(text));
}

std::string NvrtcProgram::lowered_name(const std::string& expression) const {
    const char* name = nullptr;
    if (library_->get_lowered_name(program_, expression.c_str(), &name) != NVRTC_SUCCESS ||
        name == nullptr)
        return {};
    return name;
}

} // namespace kiln::compile

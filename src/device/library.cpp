// SPDX-License-Identifier: Apache-2.0
#include "device/library.h"

#include "device/context.h"
#include "device/kernel_state.h"
#include "device/query.h"
#include "device/refusal.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace kiln::device {
namespace {

void require_fit(const Driver& driver, const Cubin& cubin, int device) {
    const auto handle = device_handle(driver, device);
    const auto capability = device_capability(driver, handle);
    if (runs_on(cubin.target, capability))
        return;
    throw Error(ErrorCode::unsupported_target,
                misfit_message(cubin.target, device, device_name(driver, handle), capability),
                cubin.runs_on_device
                    ? fmt::format("ask for the device's own capability, {}", capability.str())
                    : "the policy fixed the target whatever the device: `kiln explain` names the "
                      "rule",
                {{"target", cubin.target.str()}, {"capability", capability.str()}});
}

[[noreturn]] void throw_refused(const Driver& driver, CUresult result, const Cubin& cubin) {
    driver.refuse_forked_child();
    throw Error(ErrorCode::driver_failed,
                fmt::format("the driver (CUDA {}) refuses the cubin for {} that CUDA {} made: {}",
                            driver.version_text(), cubin.target.str(),
                            cubin.toolkit.empty() ? "of unknown version" : cubin.toolkit,
                            driver.describe(result)),
                refusal_hint(driver.version(), cubin.toolkit),
                {{"target", cubin.target.str()},
                 {"driver", driver.version_text()},
                 {"toolkit", cubin.toolkit}});
}

[[noreturn]] void throw_kernel_missing(const Cubin& cubin, std::string_view name) {
    std::string present;
    for (const auto& kernel : cubin.kernels) {
        const auto& shown = kernel.expressions.empty() ? kernel.symbol : kernel.expressions.front();
        present += fmt::format("{}{}", present.empty() ? "" : ", ", shown);
    }
    if (name.empty()) {
        throw Error(ErrorCode::kernel_missing,
                    fmt::format("a name is needed: the cubin has {} kernels", cubin.kernels.size()),
                    fmt::format("there are: {}", present.empty() ? "none" : present));
    }
    throw Error(ErrorCode::kernel_missing, fmt::format("the cubin has no kernel `{}`", name),
                fmt::format("there are: {}", present.empty() ? "none" : present));
}

} // namespace

struct Library::State {
    State(const Driver& used_driver, const Cubin& loaded) : driver(used_driver), cubin(loaded) {
        const auto image = cubin.image();
        const auto result = driver.library_load_data(&library, image.data(), nullptr, nullptr, 0,
                                                     nullptr, nullptr, 0);
        if (result != CUDA_SUCCESS)
            throw_refused(driver, result, cubin);
        // The driver has its own copy.
        cubin.bytes.reset();
    }
    ~State() {
        // At exit the driver may be gone already; then so is the library.
        if (!driver.in_forked_child())
            driver.library_unload(library);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    const Driver& driver;
    Cubin cubin; ///< without its bytes
    CUlibrary library = nullptr;
    std::mutex mutex;
    /// By symbol and device. They live as long as the library: a Kernel holds the whole of it.
    std::map<std::pair<std::string, int>, std::unique_ptr<const Kernel::State>> kernels;
};

Library::Library(std::shared_ptr<State> state) : state_(std::move(state)) {}

Library Library::load(const Cubin& cubin, int device) {
    if (cubin.image().empty())
        throw Error(ErrorCode::cubin_invalid, "a cubin without bytes cannot be loaded");
    const auto& driver = Driver::get_for_loading();
    require_fit(driver, cubin, device);
    return Library(std::make_shared<State>(driver, cubin));
}

Kernel Library::kernel(std::string_view name, int device) const {
    auto& state = *state_;
    state.driver.refuse_forked_child();
    const auto* const info = state.cubin.find(name);
    if (info == nullptr)
        throw_kernel_missing(state.cubin, name);
    const std::lock_guard lock(state.mutex);
    auto& slot = state.kernels[{info->symbol, device}];
    if (!slot) {
        require_fit(state.driver, state.cubin, device);
        CUkernel kernel = nullptr;
        const auto result =
            state.driver.library_get_kernel(&kernel, state.library, info->symbol.c_str());
        if (result == CUDA_ERROR_NOT_FOUND) {
            throw Error(ErrorCode::cubin_invalid,
                        fmt::format("the driver does not find `{}` in the cubin for {}",
                                    info->symbol, state.cubin.target.str()));
        }
        if (result != CUDA_SUCCESS)
            throw_refused(state.driver, result, state.cubin);
        // In a context of the device, so that a refusal shows here and no launch does the loading.
        const ContextScope scope(state.driver, device);
        CUfunction function = nullptr;
        if (const auto loaded = state.driver.kernel_get_function(&function, kernel);
            loaded != CUDA_SUCCESS)
            throw_refused(state.driver, loaded, state.cubin);
        slot = std::make_unique<const Kernel::State>(state.driver, kernel, device, *info);
    }
    return Kernel(std::shared_ptr<const Kernel::State>(state_, slot.get()));
}

} // namespace kiln::device

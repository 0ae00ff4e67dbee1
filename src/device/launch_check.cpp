// SPDX-License-Identifier: Apache-2.0
#include "device/launch_check.h"

#include <kiln/error.h>

#include <fmt/format.h>

namespace kiln::device {
namespace {

template <typename Range, typename Size>
std::string sizes_text(const Range& range, Size size) {
    std::string text;
    for (const auto& one : range)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", size(one));
    return text.empty() ? text : text + " bytes";
}

std::string given_text(std::span<const std::size_t> sizes) {
    return sizes_text(sizes, [](std::size_t size) { return size; });
}

[[noreturn, gnu::cold]] void refuse_arguments(const KernelInfo& kernel,
                                              std::span<void* const> arguments,
                                              std::span<const std::size_t> sizes) {
    const auto& parameters = kernel.parameters;
    if (arguments.size() != sizes.size()) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} arguments came with {} sizes", signature(kernel),
                                arguments.size(), sizes.size()),
                    "give one size in bytes with each argument");
    }
    if (arguments.size() != parameters.size()) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} takes {} arguments and was given {} ({})", signature(kernel),
                                parameters.size(), arguments.size(), given_text(sizes)),
                    "pass every argument that the kernel declares, in its order");
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != parameters[i].size) {
            throw Error(ErrorCode::usage,
                        fmt::format("argument {} of {} has {} bytes; given were ({})", i + 1,
                                    signature(kernel), sizes[i], given_text(sizes)),
                        "pass exactly the types that the kernel declares: an `unsigned` has 4 "
                        "bytes, a pointer or a `size_t` 8");
        }
        if (arguments[i] == nullptr) {
            throw Error(
                ErrorCode::usage,
                fmt::format("the pointer to argument {} of {} is null", i + 1, signature(kernel)),
                "pass the address of the value, also where the value is a null pointer");
        }
    }
    throw Error(ErrorCode::internal, "an argument list was refused without a reason");
}

std::string text(const Dim3& dim) {
    return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z);
}

std::uint64_t volume(const Dim3& dim) {
    return std::uint64_t{dim.x} * dim.y * dim.z;
}

bool within(const Dim3& dim, const Dim3& most) {
    return dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= most.x && dim.y <= most.y &&
           dim.z <= most.z;
}

/// The sides first: only then is their product sure to fit 64 bits.
bool fits(const LaunchLimits& limits, const LaunchConfig& config) {
    return within(config.grid, limits.grid) && within(config.block, limits.block) &&
           volume(config.block) <= limits.threads_per_block &&
           config.dynamic_shared_bytes <= limits.dynamic_shared_bytes;
}

bool divides(std::uint32_t part, std::uint32_t whole) {
    return part <= 1 || whole % part == 0;
}

[[noreturn, gnu::cold]] void refuse_config(const KernelInfo& kernel, const LaunchLimits& limits,
                                           const LaunchConfig& config) {
    const auto who = [&](const std::string& what, const char* hint) {
        return Error(ErrorCode::usage,
                     fmt::format("{} on device {} ({}): {}", signature(kernel), limits.device,
                                 limits.capability.str(), what),
                     hint);
    };
    if (!within(config.grid, limits.grid)) {
        throw who(
            fmt::format("a grid of {} is outside 1 to {}", text(config.grid), text(limits.grid)),
            "no side may be 0; let each block do more, or fold the grid into x");
    }
    if (!within(config.block, limits.block)) {
        throw who(
            fmt::format("a block of {} is outside 1 to {}", text(config.block), text(limits.block)),
            "no side may be 0");
    }
    if (volume(config.block) > limits.threads_per_block) {
        throw who(fmt::format("a block of {} threads is more than the {} that its registers or "
                              "its launch bounds allow",
                              volume(config.block), limits.threads_per_block),
                  "launch smaller blocks, or declare __launch_bounds__ in the source");
    }
    throw who(fmt::format("{} bytes of dynamic shared memory are more than the {} that the device "
                          "leaves beside {} static ones",
                          config.dynamic_shared_bytes, limits.dynamic_shared_bytes,
                          limits.static_shared_bytes),
              "use smaller tiles");
}

/// Clusters and cooperative launches are rare, so all of it may be slow.
void check_modes(const KernelInfo& kernel, const LaunchLimits& limits, const LaunchConfig& config) {
    const auto who = [&](const std::string& what, const char* hint) {
        return Error(ErrorCode::usage,
                     fmt::format("{} on device {} ({}): {}", signature(kernel), limits.device,
                                 limits.capability.str(), what),
                     hint);
    };
    if (config.cooperative && !limits.cooperative)
        throw who("the device has no cooperative launch", "");
    if (config.cluster.x == 0)
        return;
    if (!limits.clusters)
        throw who("the device has no clusters", "they exist from compute capability 9.0 on");
    if (!divides(config.cluster.x, config.grid.x) || !divides(config.cluster.y, config.grid.y) ||
        !divides(config.cluster.z, config.grid.z)) {
        throw who(fmt::format("a grid of {} is not a whole number of clusters of {}",
                              text(config.grid), text(config.cluster)),
                  "round each side of the grid up to a multiple of the cluster's");
    }
}

} // namespace

std::string signature(const KernelInfo& kernel) {
    const auto& name = kernel.expressions.empty() ? kernel.symbol : kernel.expressions.front();
    return fmt::format("{}({})", name,
                       sizes_text(kernel.parameters, [](const auto& one) { return one.size; }));
}

void check_arguments(const KernelInfo& kernel, std::span<void* const> arguments,
                     std::span<const std::size_t> sizes) {
    const auto& parameters = kernel.parameters;
    bool fine = arguments.size() == parameters.size() && sizes.size() == parameters.size();
    for (std::size_t i = 0; fine && i < parameters.size(); ++i)
        fine = sizes[i] == parameters[i].size && arguments[i] != nullptr;
    if (!fine) [[unlikely]]
        refuse_arguments(kernel, arguments, sizes);
}

void check_config(const KernelInfo& kernel, const LaunchLimits& limits,
                  const LaunchConfig& config) {
    if (!fits(limits, config)) [[unlikely]]
        refuse_config(kernel, limits, config);
    if (config.cooperative || config.cluster.x != 0) [[unlikely]]
        check_modes(kernel, limits, config);
}

} // namespace kiln::device

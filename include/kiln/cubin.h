// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>
#include <kiln/export.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One parameter of a kernel, as the cubin lays it out.
struct KILN_API KernelParameter {
    std::uint32_t offset = 0; ///< bytes from the start of the parameter block
    std::uint32_t size = 0;   ///< bytes
};

/// What a cubin says of one of its kernels.
struct KILN_API KernelInfo {
    std::string symbol;                   ///< the name in the image, mangled
    std::vector<std::string> expressions; ///< what was asked for: `rms_norm<float, 4>`
    std::uint32_t registers = 0;          ///< a thread
    /// A block; without the 1024 bytes that the system reserves from 9.0 on, as `ptxas -v` and
    /// `cuFuncGetAttribute` count it (measured on a 9.0 device).
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t local_bytes = 0;           ///< stack frame, a thread
    std::uint32_t max_threads_per_block = 0; ///< 0: not bounded by the source
    std::vector<KernelParameter> parameters; ///< in the order of the declaration
};

/// Where a cubin came from.
enum class Tier : std::uint8_t { compiled, memory, disk, remote };

/// A verified cubin in memory. Cheap to copy: the bytes are shared and immutable, and live as
/// long as any copy.
struct KILN_API Cubin {
    Target target;
    std::string key;   ///< 64 hexadecimal digits
    std::string entry; ///< path of the cache entry; empty if it could not be stored
    Tier tier = Tier::compiled;
    std::vector<KernelInfo> kernels;
    std::string toolkit;     ///< version that made it: `13.0.88`
    std::string miss_reason; ///< when compiled: the first field or file that differed; else empty
    double seconds = 0;      ///< wall time of this request
    bool runs_on_device = true; ///< false where the policy fixed a target whatever the device

    /// The ELF image; empty if there are no bytes.
    std::span<const std::byte> image() const noexcept;
    /// The kernel with this symbol, or else with this expression, or null; blanks in an expression
    /// matter only between two words (`k<float,4>` finds `k<float, 4>`). An empty name finds the
    /// only kernel. The pointer is valid as long as `kernels` is not changed.
    const KernelInfo* find(std::string_view name) const noexcept;

    std::shared_ptr<const std::vector<std::byte>> bytes; ///< the image and nothing after it
};

} // namespace kiln

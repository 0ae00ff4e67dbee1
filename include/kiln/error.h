// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/export.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// What kind of thing went wrong. Stable: a program may switch on it.
enum class ErrorCode {
    usage,              ///< a wrong argument, name or option
    unknown_arch,       ///< text that names no compute capability or target
    configuration,      ///< a configuration file cannot be read or says something unknown
    policy,             ///< a policy file cannot be read or says something unknown
    catalog,            ///< a catalog cannot be read, or a module or parameter is not in it
    denied,             ///< the policy refuses this instance on this target
    unsupported_target, ///< no toolkit at hand has the target, or the device cannot run it
    toolkit_missing,    ///< no CUDA toolkit was found
    toolkit_unfit,      ///< a toolkit was found and cannot compile
    source_missing,     ///< the source file cannot be read
    header_missing,     ///< an include resolves to nothing
    compile_failed,     ///< the compiler refused the source
    kernel_missing,     ///< it compiled, and an expected kernel is not in the cubin
    compiler_crashed,   ///< the compiler or its worker died
    timed_out,          ///< a compile ran past its limit
    cancelled,          ///< the caller took the request back
    cubin_invalid,      ///< an image is damaged, or for another target than was asked
    sealed_miss,        ///< sealed mode met a request that is not in the cache
    cache_unavailable,  ///< the cache cannot be used and strict mode was asked for
    driver_missing,     ///< libcuda.so.1 is absent or a stub
    driver_failed,      ///< a driver call failed
    device_missing,     ///< there is no such device
    io,                 ///< a file or process operation failed
    internal            ///< Kiln contradicts itself; please report it
};

/// The stable snake_case name of a code, as `--json` prints it.
KILN_API std::string_view to_string(ErrorCode code) noexcept;

/// The one exception type of the library: a code, one sentence, a hint, and context.
/// Copying never throws (the contents are shared and immutable); safe to pass between threads.
class KILN_API Error : public std::exception {
  public:
    using Context = std::vector<std::pair<std::string, std::string>>;

    Error(ErrorCode code, std::string message, std::string hint = {}, Context context = {});
    Error(const Error&) noexcept;
    Error& operator=(const Error&) noexcept;
    ~Error() override;

    ErrorCode code() const noexcept;
    /// One sentence without the hint.
    const std::string& message() const noexcept;
    /// What to do about it; may be empty.
    const std::string& hint() const noexcept;
    /// Labelled details: "module", "target", "location" (file:line[:column]), "log", ...
    const Context& context() const noexcept;
    /// The value of one label, or empty.
    std::string_view context(std::string_view label) const noexcept;
    /// A copy with one more detail; an existing label is kept as it is (the first cause wins).
    Error with(std::string label, std::string value) const;
    /// Message and hint in one line.
    const char* what() const noexcept override;

  private:
    struct KILN_LOCAL State;
    std::shared_ptr<const State> state_;
};

} // namespace kiln

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/nvrtc_library.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kiln::compile {

/// One NVRTC program, destroyed on every path. One thread at a time.
class NvrtcProgram {
  public:
    /// Throws Error(internal) with NVRTC's word for the failure.
    NvrtcProgram(std::shared_ptr<const toolkit::NvrtcLibrary> library, const std::string& text,
                 const std::string& name);
    NvrtcProgram(const NvrtcProgram&) = delete;
    NvrtcProgram& operator=(const NvrtcProgram&) = delete;
    ~NvrtcProgram();

    /// Must come before `compile`.
    void add_name_expression(const std::string& expression);
    nvrtcResult compile(const std::vector<std::string>& options);
    /// What the compiler said, of a failed compile too; empty if it cannot be had.
    std::string log() const;
    std::vector<std::byte> cubin() const; ///< empty for a virtual target
    std::string ptx() const;
    /// The symbol of an expression that was added; empty if NVRTC knows none.
    std::string lowered_name(const std::string& expression) const;

  private:
    std::shared_ptr<const toolkit::NvrtcLibrary> library_;
    nvrtcProgram program_ = nullptr;
};

} // namespace kiln::compile

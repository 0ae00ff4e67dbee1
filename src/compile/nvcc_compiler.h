// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <filesystem>
#include <set>

namespace kiln::compile {

class NvccCompiler final : public Compiler {
  public:
    explicit NvccCompiler(CompilerOptions options);
    Result run(const Job& job, const std::function<bool()>& cancelled) override;

  private:
    bool attempt(const Job& job, const std::function<bool()>& cancelled, Result& result);

    CompilerOptions options_;
    /// Compilers that have refused to have the path pinned (see NvccInput).
    std::set<std::filesystem::path> unpinned_;
};

} // namespace kiln::compile

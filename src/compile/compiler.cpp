// SPDX-License-Identifier: Apache-2.0
#include "compile/compiler.h"

namespace kiln::compile {

namespace {

class BothCompilers final : public Compiler {
  public:
    explicit BothCompilers(CompilerOptions options)
        : nvrtc_(make_nvrtc_compiler()), nvcc_(make_nvcc_compiler(options)) {}

    Result run(const Job& job, const std::function<bool()>& cancelled) override {
        return (job.backend == Backend::nvrtc ? *nvrtc_ : *nvcc_).run(job, cancelled);
    }

  private:
    std::unique_ptr<Compiler> nvrtc_;
    std::unique_ptr<Compiler> nvcc_;
};

} // namespace

std::unique_ptr<Compiler> make_compiler(CompilerOptions options) {
    return std::make_unique<BothCompilers>(options);
}

} // namespace kiln::compile

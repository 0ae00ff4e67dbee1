// SPDX-License-Identifier: Apache-2.0
#include "policy/option_table.h"

#include <array>

namespace kiln::policy {
namespace {

constexpr std::string_view targets_reason =
    "targets belong in `--arch` and in a policy's `targets:`";
constexpr std::string_view output_reason = "what is produced, and where, is for Kiln to say";
constexpr std::string_view link_reason = "it asks for a link step, and Kiln makes cubins that load "
                                         "as they are";
constexpr std::string_view file_reason = "it writes files";
constexpr std::string_view tool_reason = "it chooses tools or libraries, which is for the toolkit "
                                         "to say";
constexpr std::string_view include_reason = "directories belong in include roots: `include:` of a "
                                            "catalog, or `-I` of Kiln's command line";
constexpr std::string_view print_reason = "it makes the compiler print or stop, not compile";
constexpr std::string_view inner_reason = "it reaches into the compiler past its documented "
                                          "options; --diag-suppress=NUMBER silences a warning";
constexpr std::string_view pch_reason = "precompiled headers are for Kiln to make: the compiler "
                                        "never checks whether one is stale";

constexpr std::array refused_rows{
    RefusedOption{"-arch --gpu-architecture -code --gpu-code -gencode --generate-code",
                  targets_reason},
    RefusedOption{
        "-o --output-file -odir --output-directory -c --compile -cubin --cubin -ptx --ptx "
        "-fatbin --fatbin -optix-ir --optix-ir -ltoir --ltoir -cuda --cuda -E "
        "--preprocess -x --x",
        output_reason},
    RefusedOption{"-dc --device-c -dw --device-w -dlink --device-link -link --link -lib --lib "
                  "-shared --shared -dlto --dlink-time-opt -lto --lto -gen-opt-lto --gen-opt-lto "
                  "-ewp --extensible-whole-program -r --relocatable-link -reloc-ptx "
                  "--relocatable-ptx",
                  link_reason},
    RefusedOption{"-M --generate-dependencies -MM --generate-nonsystem-dependencies -MD "
                  "--generate-dependencies-with-compile -MMD "
                  "--generate-nonsystem-dependencies-with-compile -MF --dependency-output -MP "
                  "--generate-dependency-targets -MT --dependency-target-name -keep --keep "
                  "-keep-dir --keep-dir -save-temps --save-temps -clean --clean-targets -time "
                  "--time -fdevice-time-trace --fdevice-time-trace -objtemp --objdir-as-tempdir",
                  file_reason},
    RefusedOption{"-ccbin --compiler-bindir -arbin --archiver-binary -ldir --libdevice-directory "
                  "-target-dir --target-directory -use-local-env --use-local-env -noprof "
                  "--dont-use-profile -cudart --cudart -cudadevrt --cudadevrt -L --library-path -l "
                  "--library -Xlinker --linker-options -Xarchive --archive-options -Xnvlink "
                  "--nvlink-options",
                  tool_reason},
    RefusedOption{"-I --include-path -isystem --system-include -no-source-include "
                  "--no-source-include",
                  include_reason},
    RefusedOption{"-include --pre-include", "a file that is included first is not supported yet: "
                                            "include it in the source"},
    RefusedOption{"-run --run -run-args --run-args -dryrun --dryrun -v --verbose -h --help -V "
                  "--version -code-ls --list-gpu-code -arch-ls --list-gpu-arch "
                  "-fdevice-syntax-only --fdevice-syntax-only",
                  print_reason},
    RefusedOption{"-optf --options-file", "options belong in a policy or a catalog, where each is "
                                          "checked and has its line"},
    RefusedOption{"-Xcudafe --cudafe-options -Xnvvm -Xopt -Xllc -Xcicc -forward-unknown-opts "
                  "--forward-unknown-opts -forward-unknown-to-host-compiler "
                  "--forward-unknown-to-host-compiler -forward-unknown-to-host-linker "
                  "--forward-unknown-to-host-linker",
                  inner_reason},
    RefusedOption{"-pch --pch -create-pch --create-pch -use-pch --use-pch -pch-dir --pch-dir "
                  "-pch-messages --pch-messages -pch-verbose --pch-verbose "
                  "-instantiate-templates-in-pch --instantiate-templates-in-pch",
                  pch_reason},
    RefusedOption{"-no-cache --no-cache -modify-stack-limit --modify-stack-limit",
                  "Kiln sets it itself"},
};

} // namespace

std::span<const RefusedOption> refused_options() noexcept {
    return refused_rows;
}

} // namespace kiln::policy

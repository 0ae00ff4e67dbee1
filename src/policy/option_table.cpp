// SPDX-License-Identifier: Apache-2.0
#include "policy/option_table.h"

#include <algorithm>
#include <array>

namespace kiln::policy {
namespace {

using enum OptionValue;

constexpr OptionUse as_written{};
constexpr OptionUse counterpart(std::string_view spelling) {
    return {Translation::Outcome::accepted, spelling};
}
constexpr OptionUse dropped(std::string_view reason) {
    return {Translation::Outcome::dropped, reason};
}
constexpr OptionUse refused(std::string_view reason) {
    return {Translation::Outcome::refused, reason};
}
constexpr OptionUse host_only = dropped("it concerns host code, which NVRTC does not compile");

constexpr std::array rows{
    // Code generation
    OptionRow{"--use_fast_math", "-use_fast_math", none, false, {}, {}, as_written, as_written},
    OptionRow{"--fmad", "-fmad", boolean, true, {}, {}, as_written, as_written},
    OptionRow{"--ftz", "-ftz", boolean, true, {}, {}, as_written, as_written},
    OptionRow{"--prec-div", "-prec-div", boolean, true, {}, {}, as_written, as_written},
    OptionRow{"--prec-sqrt", "-prec-sqrt", boolean, true, {}, {}, as_written, as_written},
    OptionRow{"--maxrregcount", "-maxrregcount", integer, true, {}, {}, as_written, as_written},
    OptionRow{"--restrict", "-restrict", none, false, {}, {}, as_written, as_written},
    OptionRow{"--extra-device-vectorization", "-extra-device-vectorization", none, false, {}, {},
              as_written, as_written},
    OptionRow{"--device-stack-protector", "-device-stack-protector", boolean, true, {}, {},
              as_written, as_written},
    OptionRow{"--split-compile", "-split-compile", integer, true, {}, {}, as_written, as_written},
    OptionRow{"--Ofast-compile", "-Ofc", word, true, "0 min mid max", {}, as_written, as_written},
    OptionRow{"--jump-table-density", "-jtd", integer, true, {}, {}, as_written, as_written},
    OptionRow{"--frandom-seed", "-frandom-seed", text, true, {}, {}, as_written, as_written},
    OptionRow{"--ptxas-options", "-Xptxas", ptxas, false, {}, {}, as_written, as_written},
    OptionRow{"--relocatable-device-code", "-rdc", word, true, "false",
              "relocatable code needs a link step, and Kiln makes cubins that load as they are",
              as_written, as_written},
    // Debugging
    OptionRow{"--generate-line-info", "-lineinfo", none, false, {}, {}, as_written, as_written},
    OptionRow{"--device-debug", "-G", none, false, {}, {}, as_written, as_written},
    OptionRow{"--dopt", "-dopt", word, true, "on", {}, as_written, as_written},
    OptionRow{"--debug", "-g", none, false, {}, {}, host_only, as_written},
    OptionRow{"--resource-usage", "-res-usage", none, false, {}, {}, counterpart("-Xptxas=-v"),
              as_written},
    // Language
    OptionRow{"--std", "-std", word, true, "c++11 c++14 c++17 c++20", {}, as_written, as_written},
    OptionRow{"--define-macro", "-D", define, false, {}, {}, as_written, as_written},
    OptionRow{"--undefine-macro", "-U", name, false, {}, {}, as_written, as_written},
    OptionRow{"--device-as-default-execution-space", "-default-device", none, false, {}, {},
              as_written,
              dropped("NVCC has no such option; functions without a space are host functions "
                      "there")},
    OptionRow{"--device-int128", "-device-int128", none, false, {}, {}, as_written,
              dropped("NVCC has __int128 without it")},
    OptionRow{"--minimal", "-minimal", none, false, {}, {}, as_written,
              dropped("it leaves out NVRTC's built-in declarations, which NVCC does not have")},
    OptionRow{"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", none, false, {}, {},
              dropped("NVRTC has no such option; with -default-device its constexpr functions are "
                      "device functions"),
              as_written},
    OptionRow{"--extended-lambda", "-extended-lambda", none, false, {}, {},
              refused("NVRTC has no lambdas marked __device__ or __host__ __device__"), as_written},
    OptionRow{"--expt-extended-lambda", "-expt-extended-lambda", none, false, {}, {},
              refused("NVRTC has no lambdas marked __device__ or __host__ __device__"), as_written},
    OptionRow{"--ftemplate-depth", "-ftemplate-depth", integer, true, {}, {},
              dropped("NVRTC's own limit cannot be set"), as_written},
    OptionRow{"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", integer, true, {}, {},
              dropped("NVRTC's own limit cannot be set"), as_written},
    // Diagnostics
    OptionRow{"--disable-warnings", "-w", none, false, {}, {}, as_written, as_written},
    OptionRow{"--diag-suppress", "-diag-suppress", numbers, false, {}, {}, as_written, as_written},
    OptionRow{"--diag-warn", "-diag-warn", numbers, false, {}, {}, as_written, as_written},
    OptionRow{"--diag-error", "-diag-error", numbers, false, {}, {}, as_written, as_written},
    OptionRow{"--display-error-number", "-err-no", none, false, {}, {}, as_written, as_written},
    OptionRow{"--no-display-error-number", "-no-err-no", none, false, {}, {}, as_written,
              as_written},
    OptionRow{"--brief-diagnostics", "-brief-diag", boolean, true, {}, {}, as_written, as_written},
    OptionRow{"--Werror", "-Werror", word, false,
              "all-warnings cross-execution-space-call deprecated-declarations reorder "
              "default-stream-launch missing-launch-bounds ext-lambda-captures-this",
              {}, refused("NVRTC makes errors only of numbered warnings: --diag-error=NUMBER"),
              as_written},
    OptionRow{"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", none, false, {}, {},
              dropped("NVRTC has no such option; --diag-suppress=1444 is the same there"),
              as_written},
    OptionRow{"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", none, false, {}, {},
              dropped("NVRTC has no such warning"), as_written},
    // Host code
    OptionRow{"--optimize", "-O", level, true, {}, {}, host_only, as_written},
    OptionRow{"--compiler-options", "-Xcompiler", host, false, {}, {}, host_only, as_written},
    OptionRow{"--fatbin-options", "-Xfatbin", fatbin, false, {}, {},
              dropped("NVRTC makes no fat binary"), as_written},
    OptionRow{"--no-exceptions", "-noeh", none, false, {}, {}, host_only, as_written},
    OptionRow{"--static-global-template-stub", "-static-global-template-stub", boolean, true, {},
              {}, host_only, as_written},
    OptionRow{"--allow-unsupported-compiler", "-allow-unsupported-compiler", none, false, {}, {},
              host_only, as_written},
    OptionRow{"--threads", "-t", integer, true, {}, {}, dropped("NVRTC compiles one target"),
              as_written},
};

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
    RefusedOption{"-o --output-file -odir --output-directory -c --compile -cubin --cubin -ptx --ptx "
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

/// Options of ptxas that are accepted: by name, whatever their value.
constexpr std::array<std::string_view, 49> ptxas_names{
    "-v", "--verbose", "-w", "--disable-warnings", "-O", "--opt-level", "-O0", "-O1", "-O2", "-O3",
    "-warn-spills", "--warn-on-spills", "-warn-lmem-usage", "--warn-on-local-memory-usage",
    "-warn-double-usage", "--warn-on-double-precision-use", "-suppress-stack-size-warning",
    "--suppress-stack-size-warning", "-suppress-double-demote-warning",
    "--suppress-double-demote-warning", "--suppress-async-bulk-multicast-advisory-warning",
    "--suppress-sparse-mma-advisory-info", "-Werror", "--warning-as-error",
    "-allow-expensive-optimizations", "--allow-expensive-optimizations", "-dlcm",
    "--def-load-cache", "-dscm", "--def-store-cache", "-flcm", "--force-load-cache", "-fscm",
    "--force-store-cache", "-func-maxrregcount", "--device-function-maxrregcount", "-maxrregcount",
    "--maxrregcount", "-regUsageLevel", "--register-usage-level", "-disable-optimizer-consts",
    "--disable-optimizer-constants", "-fmad", "--fmad", "--sp-bounds-check", "-lineinfo",
    "--generate-line-info", "-legacy-bar-warp-wide-behavior", "--legacy-bar-warp-wide-behavior"};

constexpr std::array<std::string_view, 13> host_names{
    "-fPIC", "-fpic", "-w",       "-g",  "-pthread",           "-O0",
    "-O1",   "-O2",   "-O3",      "-O",  "-fvisibility",       "-fno-strict-aliasing",
    "-fopenmp"};

constexpr std::array<std::string_view, 8> fatbin_names{
    "-compress-all", "--compress-all",   "-compress",       "--compress",
    "--no-compress", "-compress-level",  "--compress-level", "--compress-mode"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// `-Wextra`, `-Wno-unused`: a warning of the host compiler. `-Wl`, `-Wa` and `-Wp`, which hand
/// options on, have one letter.
bool is_host_warning(std::string_view piece) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789+-";
    return piece.starts_with("-W") && piece.size() > 3 &&
           piece.find_first_not_of(letters, 2) == std::string_view::npos;
}

} // namespace

std::span<const OptionRow> option_rows() noexcept { return rows; }

std::span<const RefusedOption> refused_options() noexcept { return refused_rows; }

bool is_harmless(OptionValue kind, std::string_view piece) noexcept {
    const std::string_view name = piece.substr(0, piece.find('='));
    switch (kind) {
    case ptxas:
        return contains(ptxas_names, name);
    case host:
        return contains(host_names, name) || is_host_warning(piece);
    case fatbin:
        return contains(fatbin_names, name);
    default:
        return false;
    }
}

} // namespace kiln::policy

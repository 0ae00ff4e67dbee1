// SPDX-License-Identifier: Apache-2.0
#include "compile/nvcc_input.h"

#include "base/text.h"
#include "compile/kernel_names.h"
#include "compile/macros.h"
#include "compile/nvcc_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace kiln::compile {

namespace {

bool is_plain(char c) noexcept {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_control(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// nvcc puts options bare into the command lines that it gives to its shell.
bool is_safe_option(std::string_view option) noexcept {
    return std::all_of(option.begin(), option.end(), [](char c) {
        return is_plain(c) || std::string_view("_+=,.:/@%^-").find(c) != std::string_view::npos;
    });
}

std::string safe_name(const std::filesystem::path& source) {
    std::string name = source.filename().string();
    for (char& c : name) {
        if (!is_plain(c) && c != '_' && c != '.' && c != '+' && c != '-')
            c = '_';
    }
    if (name.empty() || name.front() == '-' || name.front() == '.')
        name = fmt::format("_{}", name);
    return name;
}

// Within quotes nvcc's options file and the shell both leave such a path alone.
std::string quoted(const std::string& text) {
    return fmt::format("\"{}\"", text);
}

std::string include_directive(const std::filesystem::path& source) {
    const std::string path = source.string();
    const bool broken = std::any_of(path.begin(), path.end(), is_control);
    if (!broken && path.find('"') == std::string::npos)
        return fmt::format("#include \"{}\"\n", path);
    if (!broken && path.find('>') == std::string::npos)
        return fmt::format("#include <{}>\n", path);
    throw Error(
        ErrorCode::usage,
        fmt::format("nvcc cannot be given the source {}: no #include can spell its name", path),
        "rename it, or use the NVRTC backend");
}

std::string make_unit(const Job& job) {
    std::string unit = include_directive(job.source);
    for (std::size_t i = 0; i < job.kernels.size(); ++i) {
        if (is_expression(job.kernels[i]))
            unit += name_marker(i, job.kernels[i]);
    }
    return unit;
}

} // namespace

void check_shell_safe(const std::filesystem::path& path, const std::string& what) {
    const std::string text = path.string();
    const bool safe = std::none_of(text.begin(), text.end(), [](char c) {
        return is_control(c) || std::string_view("\"'`$\\,").find(c) != std::string_view::npos;
    });
    if (!safe)
        throw Error(ErrorCode::usage,
                    fmt::format("nvcc cannot be given {} {}: it holds a character that nvcc or its "
                                "shell would interpret",
                                what, text),
                    "use a path without quotes, backslash, backtick, dollar sign and comma, or "
                    "the NVRTC backend",
                    {{"path", text}});
}

NvccInput make_nvcc_input(const Job& job, bool pin_path) {
    NvccInput input;
    input.unit_name = safe_name(job.source);
    input.unit = make_unit(job);

    const bool virtual_target = job.target.kind == TargetKind::virtual_;
    std::vector<std::string> lines{virtual_target ? "-ptx" : "-cubin",
                                   "-arch=" + job.target.str(),
                                   "-x=cu",
                                   "--keep",
                                   fmt::format("--keep-dir={}", nvcc_files::intermediate),
                                   fmt::format("-o={}", nvcc_files::output)};
    check_shell_safe(job.host_compiler, "the host compiler");
    lines.push_back(quoted("-ccbin=" + job.host_compiler.string()));
    if (pin_path) {
        lines.emplace_back("-Xcudafe");
        lines.push_back("--orig_src_path_name=/kiln/" + input.unit_name);
    }

    const auto split = split_macros(job.options);
    for (const auto& option : split.others) {
        if (!is_safe_option(option))
            throw Error(ErrorCode::usage,
                        fmt::format("nvcc cannot be given the option `{}`: its shell would "
                                    "interpret it",
                                    option),
                        "leave out blanks, quotes and the shell's special characters",
                        {{"option", option}});
        lines.push_back(quoted(option));
    }
    for (const auto& macro : split.macros) {
        // On the command line where that is safe, since only there CUDA's own headers see it.
        if (!macro.defined)
            lines.push_back("-U" + macro.name);
        else if (macro.simple())
            lines.push_back(fmt::format("-D{}={}", macro.name, macro.value));
        if (!macro.simple() || !macro.defined)
            input.macros += macro.directives();
    }
    if (!input.macros.empty())
        lines.push_back(fmt::format("-include={}", nvcc_files::macros));

    for (const auto& root : job.roots) {
        check_shell_safe(root.path, "the include directory");
        lines.push_back(quoted((root.system ? "-isystem=" : "-I") + root.path.string()));
    }
    input.options = base::join(lines, "\n") + '\n';

    constexpr std::size_t limit = 100'000;
    if (input.options.size() > limit)
        throw Error(ErrorCode::usage,
                    fmt::format("the options for nvcc are too long: {} bytes, and it bears about "
                                "{}",
                                input.options.size(), limit),
                    "use fewer include directories, or the NVRTC backend, which has no limit");
    return input;
}

} // namespace kiln::compile

// SPDX-License-Identifier: Apache-2.0
#include "compile/nvrtc_compiler.h"

#include "base/descriptor.h"
#include "base/temporary_directory.h"
#include "compile/accept.h"
#include "compile/compile_thread.h"
#include "compile/diagnostics.h"
#include "compile/nvrtc_program.h"
#include "compile/opened_files.h"
#include "compile/source_text.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace kiln::compile {

namespace {

bool holds(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

// NVRTC reads these of its process, which cannot be changed here: other threads may read them too.
void check_environment(const base::Environment& given) {
    constexpr std::array<const char*, 5> seen{"NV_NVVM_VERSION", "NVRTC_APPEND_FLAGS",
                                              "NVRTC_PREPEND_FLAGS", "LLVM_OVERRIDE_PRODUCER",
                                              "EDG_BASE"};
    for (const char* name : seen) {
        const char* here = std::getenv(name);
        if (given.get(name).value_or("") != (here == nullptr ? "" : here))
            throw Error(ErrorCode::toolkit_unfit,
                        fmt::format("{} of this process would change what NVRTC makes, and the "
                                    "plan does not have it",
                                    name),
                        "unset it, or let Kiln use its worker program", {{"variable", name}});
    }
}

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 64u << 10> buffer{};
    for (;;) {
        const auto count =
            ::pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

// Where one compile writes the list of files that it opened.
class ListingFile {
  public:
    explicit ListingFile(Listing kind) : kind_(kind) {
        if (kind == Listing::include_trace)
            memory_.reset(::memfd_create("kiln-include-trace", MFD_CLOEXEC));
        if (kind == Listing::time_trace)
            directory_.emplace("kiln-trace-");
    }
    void add_options(std::vector<std::string>& options) const {
        if (kind_ == Listing::include_trace) {
            options.insert(options.end(),
                           {"-Xcudafe", "-H", "-Xcudafe",
                            fmt::format("--error_output=/proc/self/fd/{}", memory_.get())});
        } else if (kind_ == Listing::time_trace) {
            options.push_back("--fdevice-time-trace=" + (directory_->path() / "trace").string());
        }
    }
    std::optional<std::vector<std::filesystem::path>> read() const {
        if (kind_ == Listing::include_trace)
            return parse_include_trace(read_all(memory_.get()));
        if (kind_ == Listing::none)
            return std::nullopt;
        std::error_code error;
        constexpr std::uint64_t limit = 1u << 30;
        const auto bytes =
            base::real_file_system().read(directory_->path() / "trace.json", limit, error);
        return parse_time_trace({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    // Whether a failure is due to the options of the list, not to the source.
    bool blamed(std::string_view log) const noexcept {
        if (kind_ == Listing::include_trace)
            return holds(log, "Xcudafe") || holds(log, "error_output") ||
                   holds(log, "cannot open error file") || holds(log, "invalid option: -H");
        return kind_ == Listing::time_trace && holds(log, "device-time-trace");
    }

  private:
    Listing kind_;
    base::Descriptor memory_;
    std::optional<base::TemporaryDirectory> directory_;
};

// The result codes that are no verdict on the source.
void check_code(const toolkit::NvrtcLibrary& library, const Job& job, nvrtcResult code,
                const std::string& log) {
    const auto fail = [&](ErrorCode kind, std::string_view what, std::string hint) {
        throw Error(kind,
                    fmt::format("{}: {} ({})", job.label, what, library.get_error_string(code)),
                    std::move(hint), {{"log", bounded_log(log)}});
    };
    switch (code) {
    case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE:
        fail(ErrorCode::toolkit_unfit,
             fmt::format("NVRTC {} cannot use its builtins library {}", library.path.string(),
                         job.toolkit.builtins.string()),
             "install libnvrtc-builtins of the same version beside libnvrtc (the log names it)");
        break;
    case NVRTC_ERROR_OUT_OF_MEMORY:
        fail(ErrorCode::compiler_crashed, "NVRTC ran out of memory",
             "compile fewer at once, or raise the memory limit");
        break;
    case NVRTC_ERROR_INTERNAL_ERROR:
        fail(ErrorCode::compiler_crashed, "NVRTC reports an error of its own", {});
        break;
    default:
        break;
    }
}

} // namespace

struct NvrtcCompiler::Attempt {
    std::shared_ptr<const toolkit::NvrtcLibrary> library;
    std::string text;
    std::vector<std::string> options;
};

NvrtcCompiler::NvrtcCompiler(NvrtcLoader loader) : loader_(std::move(loader)) {}

// False where the way of listing does not work and the next one is to be tried.
bool NvrtcCompiler::attempt(const Job& job, const Attempt& attempt, Result& result) {
    auto& listing =
        listings_.try_emplace(attempt.library->path, Listing::include_trace).first->second;
    const ListingFile file(listing);
    auto options = attempt.options;
    file.add_options(options);

    NvrtcProgram program(attempt.library, attempt.text, job.source.string());
    for (const auto& kernel : job.kernels) {
        if (is_expression(kernel))
            program.add_name_expression(kernel);
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto code = program.compile(options);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.log = program.log();
    if (code != NVRTC_SUCCESS && file.blamed(result.log)) {
        listing = listing == Listing::include_trace ? Listing::time_trace : Listing::none;
        return false;
    }

    result.opened = {job.source};
    if (auto opened = file.read()) {
        result.opened_exact = true;
        respell(*opened, job.roots);
        for (auto& path : *opened) {
            if (path != job.source)
                result.opened.push_back(std::move(path));
        }
    }
    check_code(*attempt.library, job, code, result.log);
    if (code != NVRTC_SUCCESS)
        throw explain_failure(job, result.log);

    LoweredNames lowered;
    for (const auto& kernel : job.kernels) {
        if (is_expression(kernel))
            lowered.emplace(kernel, program.lowered_name(kernel));
    }
    result.cubin = program.cubin();
    if (job.want_ptx || job.target.kind == TargetKind::virtual_)
        result.ptx = program.ptx();
    accept(job, lowered, result);
    return true;
}

void NvrtcCompiler::compile(const Job& job, Result& result) {
    check_environment(job.environment);
    Attempt first;
    first.text = source_text(job.source);
    first.library = loader_(job.toolkit);
    int major = 0;
    int minor = 0;
    first.library->version(&major, &minor);
    first.options = nvrtc_options(job, major * 100 + minor);
    run_on_compile_thread([&] {
        while (!attempt(job, first, result)) {
        }
    });
}

Result NvrtcCompiler::run(const Job& job, const std::function<bool()>& cancelled) {
    Result result;
    guarded(job, result, [&] {
        if (cancelled && cancelled())
            throw Error(ErrorCode::cancelled, job.label + " was cancelled before it began");
        compile(job, result);
    });
    return result;
}

std::unique_ptr<Compiler> make_nvrtc_compiler() {
    return std::make_unique<NvrtcCompiler>([](const toolkit::Toolkit& toolkit) {
        return toolkit::NvrtcLibrary::open(toolkit.nvrtc, toolkit.builtins);
    });
}

} // namespace kiln::compile

// SPDX-License-Identifier: Apache-2.0
#include "compile/source_text.h"

#include "base/file_system.h"
#include "compile/diagnostics.h"

#include <fmt/format.h>

namespace kiln::compile {

std::string source_text(const std::filesystem::path& source) {
    std::error_code error;
    constexpr std::uint64_t limit = 256u << 20;
    const auto bytes = base::real_file_system().read(source, limit, error);
    if (error)
        throw Error(error == std::errc::no_such_file_or_directory ? ErrorCode::source_missing
                                                                  : ErrorCode::io,
                    fmt::format("cannot read the source {}: {}", source.string(), error.message()),
                    {}, {{"path", source.string()}});
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto zero = text.find('\0'); zero != std::string::npos)
        throw Error(ErrorCode::usage, fmt::format("the source {} holds a zero byte at offset {}",
                                                  source.string(), zero));
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
    return text;
}

void guarded(const Job& job, Result& result, const std::function<void()>& work) {
    try {
        work();
        return;
    } catch (const Error& error) {
        result.error = of_job(error, job);
    } catch (const std::exception& error) {
        result.error = of_job(Error(ErrorCode::internal, fmt::format("{}: unexpected failure: {}",
                                                                     job.label, error.what())),
                              job);
    }
    result.cubin.clear();
    result.ptx.clear();
    result.kernels.clear();
}

} // namespace kiln::compile

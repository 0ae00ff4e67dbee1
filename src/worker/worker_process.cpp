// SPDX-License-Identifier: Apache-2.0
#include "worker/worker_process.h"

#include "compile/diagnostics.h"
#include "worker/protocol.h"

#include <kiln/version.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

namespace kiln::worker {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Ends {
    base::Descriptor host;
    base::Descriptor worker;
};

Ends make_socket() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        const std::error_code cause(errno, std::generic_category());
        throw Error(ErrorCode::io, "cannot make a socket for a worker: " + cause.message());
    }
    return {base::Descriptor(ends[0]), base::Descriptor(ends[1])};
}

base::Process start(const std::filesystem::path& program, base::Environment environment,
                    const std::filesystem::path& scratch, int channel) {
    environment.set("TMPDIR", scratch.string());
    base::ProcessOptions options;
    options.program = program;
    options.arguments = {"--serve", "--host", std::to_string(::getpid()), "--scratch",
                         scratch.string()};
    options.environment = std::move(environment);
    // Compilers write their working directory into what they debug-inform about: always the same.
    options.directory = "/";
    options.channel = channel;
    const int errors = ::fcntl(STDERR_FILENO, F_GETFD) >= 0 ? STDERR_FILENO : -1;
    return base::Process::start(options, -1, errors);
}

void check_hello(int socket, const std::filesystem::path& program) {
    constexpr int patience_ms = 20'000;
    bool timed_out = false;
    const auto payload = receive_message(socket, patience_ms, timed_out);
    const auto hello = payload ? decode_hello(*payload) : std::nullopt;
    const std::string hint = "install the library and kiln-worker from one build, or correct "
                             "KILN_WORKER";
    if (!hello)
        throw Error(ErrorCode::configuration,
                    fmt::format("{} does not answer as a Kiln worker does", program.string()), hint,
                    {{"program", program.string()}});
    if (hello->protocol != protocol_number)
        throw Error(ErrorCode::configuration,
                    fmt::format("{} is of Kiln {} and speaks protocol {}; this library, {}, speaks "
                                "{}",
                                program.string(), hello->version, hello->protocol, KILN_VERSION,
                                protocol_number),
                    hint, {{"program", program.string()}});
}

std::string subject(const compile::Job& job) {
    return fmt::format("{} for {}", job.label, job.target.str());
}

/// A failure under a memory limit may be the limit's doing, except what the source itself causes.
void name_memory_limit(const compile::Job& job, compile::Result& result) {
    if (job.memory_limit == 0 || !result.error)
        return;
    const auto code = result.error->code();
    if (code == ErrorCode::compile_failed || code == ErrorCode::header_missing ||
        code == ErrorCode::timed_out || code == ErrorCode::cancelled)
        return;
    result.error = Error(code,
                         fmt::format("{}; it may not use more than {} MiB of memory",
                                     result.error->message(), job.memory_limit >> 20),
                         "raise `memory_limit:` in the policy", result.error->context());
}

} // namespace

std::string nvrtc_kind(const compile::Job& job) {
    if (job.backend != Backend::nvrtc)
        return {};
    std::string kind = job.toolkit.nvrtc.native();
    for (const auto& line : job.environment.lines()) {
        kind += '\0';
        kind += line;
    }
    return kind;
}

WorkerProcess::WorkerProcess(const std::filesystem::path& program,
                             const base::Environment& environment)
    : scratch_("kiln-worker-", environment.get("TMPDIR").value_or("")), process_([&] {
          auto ends = make_socket();
          socket_ = std::move(ends.host);
          return start(program, environment, scratch_.path(), ends.worker.get());
      }()),
      owner_(::getpid()) {
    check_hello(socket_.get(), program);
}

WorkerProcess::~WorkerProcess() {
    if (owner_ != ::getpid())
        return;
    process_.kill();
    process_.wait(milliseconds(5000));
    // Its children may be at work for an instant after they are killed.
    constexpr int rounds = 20;
    std::error_code error;
    for (int i = 0; i < rounds && std::filesystem::exists(scratch_.path(), error); ++i) {
        if (i > 0)
            std::this_thread::sleep_for(milliseconds(10));
        std::filesystem::remove_all(scratch_.path(), error);
    }
}

bool WorkerProcess::usable() noexcept {
    pollfd end{socket_.get(), POLLRDHUP, 0};
    return !failed_ && ::poll(&end, 1, 0) == 0;
}

Error WorkerProcess::crash(const compile::Job& job) {
    const auto exit = process_.wait(milliseconds(2000));
    if (exit && exit->signal == SIGKILL)
        return Error(ErrorCode::compiler_crashed,
                     fmt::format("{}: the compiler's process was killed", subject(job)),
                     "most likely the system was short of memory: compile fewer at once",
                     {{"signal", std::to_string(SIGKILL)}});
    if (exit && exit->signal != 0)
        return Error(ErrorCode::compiler_crashed,
                     fmt::format("{}: the compiler crashed with signal {} ({})", subject(job),
                                 exit->signal, ::strsignal(exit->signal)),
                     "the job alone is lost; try another backend, or report it to NVIDIA with the "
                     "source",
                     {{"signal", std::to_string(exit->signal)}});
    return Error(ErrorCode::compiler_crashed,
                 fmt::format("{}: the compiler's process ended without a result", subject(job)));
}

std::optional<compile::Result> WorkerProcess::exchange(const compile::Job& job,
                                                       const std::function<bool()>& cancelled) {
    constexpr milliseconds question_interval{20};
    constexpr milliseconds longest_wait{60'000};
    const auto begin = Clock::now();
    const auto limit =
        std::clamp(job.time_limit, milliseconds::zero(),
                   std::chrono::duration_cast<milliseconds>(std::chrono::hours(8760)));
    const auto left = [&] { return std::chrono::ceil<milliseconds>(begin + limit - Clock::now()); };
    const auto timed_out_error = [&] {
        return Error(ErrorCode::timed_out,
                     fmt::format("{}: ran past its limit of {} s and was ended", subject(job),
                                 static_cast<double>(limit.count()) / 1000),
                     "raise the limit, or look for templates without an end in the source");
    };
    if (!send_message(socket_.get(), encode(job), static_cast<int>(longest_wait.count())))
        return std::nullopt;
    const auto answer = [&] {
        for (;;) {
            if (cancelled && cancelled())
                throw Error(ErrorCode::cancelled, subject(job) + ": cancelled");
            if (left() <= milliseconds::zero())
                throw timed_out_error();
            const auto pause = std::min(left(), cancelled ? question_interval : longest_wait);
            pollfd readable{socket_.get(), POLLIN, 0};
            if (::poll(&readable, 1, static_cast<int>(pause.count())) > 0)
                break;
        }
        bool timed_out = false;
        auto payload =
            receive_message(socket_.get(), static_cast<int>(longest_wait.count()), timed_out);
        if (timed_out)
            throw timed_out_error();
        return payload;
    };
    auto payload = answer();
    if (!payload)
        return std::nullopt;
    if (is_began(*payload)) {
        payload = answer();
        if (!payload)
            throw crash(job);
    }
    auto result = decode_result(*payload);
    if (!result)
        throw Error(ErrorCode::internal, subject(job) + ": the worker's answer cannot be read");
    return result;
}

std::optional<compile::Result> WorkerProcess::run(const compile::Job& job,
                                                  const std::function<bool()>& cancelled) {
    if (const auto kind = nvrtc_kind(job); !kind.empty())
        kind_ = kind;
    try {
        auto result = exchange(job, cancelled);
        if (!result) {
            failed_ = true;
            process_.kill();
        } else {
            name_memory_limit(job, *result);
        }
        return result;
    } catch (const Error& error) {
        failed_ = true;
        process_.kill();
        compile::Result result;
        result.opened = {job.source};
        result.error = compile::of_job(error, job);
        name_memory_limit(job, result);
        return result;
    } catch (...) {
        failed_ = true; // what the caller's question threw; an answer may still be on its way
        process_.kill();
        throw;
    }
}

} // namespace kiln::worker

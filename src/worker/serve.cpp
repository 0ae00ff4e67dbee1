// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "base/text.h"
#include "toolkit/capabilities.h"
#include "worker/lifeline.h"
#include "worker/memory_limit.h"
#include "worker/protocol.h"

#include <kiln/version.h>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace kiln::worker {

namespace {

constexpr int channel = 3;
constexpr int usage_status = 2;

// The whole of what the compilers may see, in this process too: NVRTC reads its own environment.
void apply_environment(const base::Environment& environment) {
    ::clearenv();
    for (const auto& [name, value] : environment.variables())
        ::setenv(name.c_str(), value.c_str(), 1);
}

class Server {
  public:
    Server(pid_t host, const std::filesystem::path& scratch)
        : lifeline_(*new Lifeline(channel, host, scratch)), scratch_(scratch),
          compiler_(compile::make_compiler({.own_group = false})) {}

    [[noreturn]] void serve() {
        send_message(channel, encode(Hello{protocol_number, KILN_VERSION, ::getpid()}));
        for (;;) {
            bool timed_out = false;
            const auto payload = receive_message(channel, -1, timed_out);
            if (!payload || !send_message(channel, encode_began()) ||
                !send_message(channel, encode(answer(*payload))))
                lifeline_.end();
        }
    }

  private:
    compile::Result answer(std::span<const std::byte> payload) {
        const Lifeline::Job running(lifeline_);
        auto job = decode_job(payload);
        if (!job) {
            compile::Result result;
            result.error = Error(ErrorCode::internal, "the worker was sent what is no job",
                                 "install the library and kiln-worker from one build");
            return result;
        }
        if (!scratch_.empty())
            job->environment.set("TMPDIR", scratch_.string());
        apply_environment(job->environment);
        // The host measures the limit and ends this process at it.
        job->time_limit = std::chrono::milliseconds::max();
        const MemoryLimit limit(job->memory_limit);
        return compiler_->run(*job, {});
    }

    Lifeline& lifeline_;
    std::filesystem::path scratch_;
    std::unique_ptr<compile::Compiler> compiler_;
};

bool is_socket(int descriptor) noexcept {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

int serve_main(std::span<char*> arguments) {
    pid_t host = 0;
    std::filesystem::path scratch;
    for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
        const std::string_view name = arguments[i];
        if (name == "--host")
            host = static_cast<pid_t>(base::parse_unsigned(arguments[i + 1]).value_or(0));
        else if (name == "--scratch")
            scratch = arguments[i + 1];
    }
    if (!is_socket(channel)) {
        std::fputs("kiln-worker: fd 3 is no socket: this program is started by Kiln itself\n",
                   stderr);
        return usage_status;
    }
    base::log(); // reads its level before jobs change the environment
    // A compiler that crashes costs a job; its memory image in some directory helps nobody.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    Server(host, scratch).serve();
}

} // namespace

int worker_main(int argc, char** argv) {
    const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
    const std::string_view verb = arguments.size() > 1 ? arguments[1] : "";
    if (verb == "--serve")
        return serve_main(arguments.subspan(2));
    if (verb == "--ask-nvrtc" && arguments.size() == 4) {
        const auto answer = toolkit::to_json(toolkit::ask_nvrtc_here(arguments[2], arguments[3]));
        std::printf("%s\n", answer.c_str());
        return std::fflush(stdout) == 0 ? 0 : 1;
    }
    if (verb == "--version") {
        std::printf("kiln-worker %s, protocol %d\n", KILN_VERSION, protocol_number);
        return 0;
    }
    std::fputs("usage: kiln-worker --serve [--host PID] [--scratch DIR] | "
               "--ask-nvrtc LIBNVRTC LIBNVRTC-BUILTINS | --version\n",
               stderr);
    return usage_status;
}

} // namespace kiln::worker

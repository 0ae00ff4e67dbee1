// SPDX-License-Identifier: Apache-2.0
#include "compile/compile_thread.h"

#include <kiln/error.h>

#include <pthread.h>

#include <csignal>
#include <exception>
#include <system_error>

namespace kiln::compile {

namespace {

struct Task {
    const std::function<void()>* work = nullptr;
    std::exception_ptr failure;
};

void* run_task(void* pointer) {
    auto& task = *static_cast<Task*>(pointer);
    try {
        (*task.work)();
    } catch (...) {
        task.failure = std::current_exception();
    }
    return nullptr;
}

// Every signal that is sent to a process, none that the thread's own faults raise.
sigset_t asynchronous_signals() noexcept {
    sigset_t set;
    ::sigfillset(&set);
    for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
        ::sigdelset(&set, fault);
    return set;
}

} // namespace

void run_on_compile_thread(const std::function<void()>& work) {
    constexpr std::size_t stack_bytes = 64u << 20;
    Task task{&work, nullptr};
    pthread_t thread{};
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    int failure = ::pthread_attr_setstacksize(&attributes, stack_bytes);
    if (failure == 0) {
        // A new thread inherits the mask of its creator.
        const sigset_t blocked = asynchronous_signals();
        sigset_t before;
        ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
        failure = ::pthread_create(&thread, &attributes, run_task, &task);
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ::pthread_attr_destroy(&attributes);
    if (failure != 0) {
        const std::error_code cause(failure, std::generic_category());
        throw Error(ErrorCode::io,
                    "cannot start a thread with a 64 MiB stack for the compiler: " +
                        cause.message(),
                    "raise the limits on memory and threads (ulimit -v, ulimit -u)");
    }
    ::pthread_join(thread, nullptr);
    if (task.failure)
        std::rethrow_exception(task.failure);
}

} // namespace kiln::compile

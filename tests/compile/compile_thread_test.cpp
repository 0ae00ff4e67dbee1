// SPDX-License-Identifier: Apache-2.0
#include "compile/compile_thread.h"

#include <doctest/doctest.h>
#include <pthread.h>

#include <csignal>
#include <stdexcept>

using kiln::compile::run_on_compile_thread;

TEST_CASE("work runs on a thread with a large stack and no signals of the host") {
    std::size_t stack = 0;
    sigset_t mask;
    sigset_t before;
    sigset_t after;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
    run_on_compile_thread([&] {
        pthread_attr_t attributes;
        ::pthread_getattr_np(::pthread_self(), &attributes);
        ::pthread_attr_getstacksize(&attributes, &stack);
        ::pthread_attr_destroy(&attributes);
        ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    });
    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    CHECK(stack >= (64u << 20));
    CHECK(::sigismember(&mask, SIGTERM) == 1);
    CHECK(::sigismember(&mask, SIGUSR1) == 1);
    CHECK(::sigismember(&mask, SIGSEGV) == 0);
    CHECK(::sigismember(&after, SIGTERM) == ::sigismember(&before, SIGTERM));
}

TEST_CASE("what the work throws arrives at the caller") {
    CHECK_THROWS_AS(run_on_compile_thread([] { throw std::runtime_error("x"); }),
                    std::runtime_error);
}

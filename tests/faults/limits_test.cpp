// SPDX-License-Identifier: Apache-2.0
// A host program that may write, or open, hardly anything: the cache neither ends it nor fails it.
#include "base/log.h"
#include "faults/site.h"
#include "source/scratch.h"

#include <kiln/error.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace kiln;

namespace {

/// How a child ends that does `work`: its exit status, or minus the signal that ended it.
template <class Work>
int fate_of(Work work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int status = 3;
        try {
            status = work() ? 0 : 1;
        } catch (...) {
            status = 2;
        }
        ::_exit(status);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void limit(int resource, rlim_t value) {
    rlimit now{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
    now.rlim_cur = value;
    ::setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

struct Host {
    test::Scratch scratch;
    test::Site site{scratch.path("site"), 2};
    cache::CacheOptions options;
    Host() {
        base::set_log_level("off");
        options.directory = scratch.path("cache");
    }
    bool asks() const {
        test::Site::Process process(options, base::real_file_system());
        return test::same_bytes(site.get(process, 0), site.image(0));
    }
};

} // namespace

TEST_CASE("a limit on the size of files ends no host: whatever its size") {
    const Host host;
    // Of an entry, nothing, a part, all but a byte; of a record, and of counts.
    for (const rlim_t size : {0u, 1u, 50u, 200u, 1000u, 3800u, 4096u}) {
        CAPTURE(size);
        CHECK(fate_of([&] {
                  limit(RLIMIT_FSIZE, size);
                  return host.asks();
              }) == 0);
        const test::Inspection seen = test::inspect_directory(host.options.directory);
        CHECK(seen.staging == 0);
        CHECK(seen.faults.empty());
    }
    CHECK(fate_of([&] {
              limit(RLIMIT_FSIZE, 100);
              cache::CacheOptions strict = host.options;
              strict.strict = true;
              strict.directory = host.scratch.path("another");
              test::Site::Process process(strict, base::real_file_system());
              try {
                  host.site.get(process, 0);
              } catch (const Error& error) {
                  return error.code() == ErrorCode::cache_unavailable;
              }
              return false;
          }) == 0);
}

TEST_CASE("the signal of that limit stays the host's") {
    const Host host;
    // The host's own write beyond the limit ends it, after the cache's did not.
    CHECK(fate_of([&] {
              limit(RLIMIT_FSIZE, 100);
              if (!host.asks())
                  return false;
              sigset_t mask;
              ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
              if (::sigismember(&mask, SIGXFSZ) == 1)
                  return false;
              test::put_text(host.scratch.path("own"), std::string(5000, 'x'));
              return true;
          }) == -SIGXFSZ);
    // One that was pending before is still pending after.
    CHECK(fate_of([&] {
              limit(RLIMIT_FSIZE, 100);
              sigset_t signal;
              ::sigemptyset(&signal);
              ::sigaddset(&signal, SIGXFSZ);
              ::pthread_sigmask(SIG_BLOCK, &signal, nullptr);
              ::raise(SIGXFSZ);
              if (!host.asks())
                  return false;
              sigset_t pending;
              ::sigemptyset(&pending);
              ::sigpending(&pending);
              return ::sigismember(&pending, SIGXFSZ) == 1;
          }) == 0);
}

TEST_CASE("with two or three descriptors left the kernel is still right") {
    const Host host;
#if defined(__SANITIZE_ADDRESS__)
    // UBSan opens a pipe to look at an object, and reports a sound one where it cannot.
    MESSAGE("skipped: the sanitizer needs descriptors of its own");
    return;
#endif
    for (const int left : {2, 3, 4}) {
        CAPTURE(left);
        CHECK(fate_of([&] {
                  limit(RLIMIT_NOFILE, 64);
                  std::vector<int> taken;
                  for (int file = 0; (file = ::dup(0)) >= 0;)
                      taken.push_back(file);
                  for (int i = 0; i < left; ++i) {
                      ::close(taken.back());
                      taken.pop_back();
                  }
                  return host.asks();
              }) == 0);
    }
    // None at all: what is on disk cannot be read, and that is no damage.
    CHECK(host.asks());
    CHECK(fate_of([&] {
              limit(RLIMIT_NOFILE, 64);
              test::Site::Process process(host.options, base::real_file_system());
              while (::dup(0) >= 0) {
              }
              return !process.cache.find(host.site.request(0)).hit;
          }) == 0);
    CHECK(test::inspect_directory(host.options.directory).quarantined == 0);
    CHECK(host.asks());
}

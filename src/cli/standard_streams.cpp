// SPDX-License-Identifier: Apache-2.0
#include "cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace kiln::cli {

void prepare_standard_streams() noexcept {
    // The lowest free number is taken: each one below is open by then.
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF)
            continue;
        const int unfit = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", unfit) != number)
            break;
    }
    ::signal(SIGXFSZ, SIG_IGN);
}

std::error_code finish_standard_output() noexcept {
    // A stream that failed earlier does not keep why.
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    if (std::fflush(stdout) == 0 && !failed_before)
        return {};
    return {errno != 0 ? errno : EIO, std::generic_category()};
}

} // namespace kiln::cli

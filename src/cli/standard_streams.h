// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>

namespace kiln::cli {

/// Makes the process fit to write to whatever it was started with. Call once, first, in `main`.
///
/// - A standard stream that is closed would give its number to the next file that is opened, and
///   messages would be written into that file: each is taken by a descriptor on which the expected
///   use fails.
/// - A file-size limit (`ulimit -f`) makes a write fail instead of ending the process: the cache
///   goes on without what it cannot write.
///
/// A reader that went away (`| head -1`) still ends the program by SIGPIPE, as it ends others.
void prepare_standard_streams() noexcept;

/// Writes out what standard output still holds. What the first failed write of the whole run said,
/// or nothing where all of it was taken.
std::error_code finish_standard_output() noexcept;

} // namespace kiln::cli

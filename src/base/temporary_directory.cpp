// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"

#include <kiln/error.h>

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace kiln::base {

namespace {

std::filesystem::path default_parent() {
    const char* variable = std::getenv("TMPDIR");
    return variable != nullptr && *variable != '\0' ? variable : "/tmp";
}

} // namespace

TemporaryDirectory::TemporaryDirectory(const char* prefix, const std::filesystem::path& parent)
    : owner_(::getpid()) {
    std::error_code error;
    const auto given = parent.empty() ? default_parent() : parent;
    // A relative place must survive a change of the working directory.
    const auto place = std::filesystem::absolute(given, error);
    std::string name = (error ? given : place) / (std::string(prefix) + "XXXXXX");
    if (::mkdtemp(name.data()) == nullptr) {
        const std::error_code cause(errno, std::generic_category());
        throw Error(ErrorCode::io,
                    "cannot make a temporary directory in " + given.string() + ": " +
                        cause.message(),
                    parent.empty() ? "set TMPDIR to a directory that can be written" : "",
                    {{"path", given.string()}});
    }
    path_ = std::move(name);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), owner_(other.owner_) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
    if (this != &other) {
        remove();
        path_ = std::exchange(other.path_, {});
        owner_ = other.owner_;
    }
    return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
    remove();
}

void TemporaryDirectory::remove() noexcept {
    if (path_.empty() || owner_ != ::getpid())
        return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace kiln::base

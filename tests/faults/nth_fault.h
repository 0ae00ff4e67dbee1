// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace kiln::test {

/// The real file system, in which one operation below a directory goes wrong: the one with number
/// `at`, counted from 0 over all operations. Thread-safe.
class NthFault : public base::FileSystem {
  public:
    enum class Kind {
        none,
        fails,          ///< not done; fails with `number`
        fails_from_now, ///< this one and all that follow
        answer_lost,    ///< done, and fails with `number` all the same
        dies_before,    ///< the process ends with status 42
        dies_within,    ///< a file is half written, then the process ends; else as dies_before
        dies_after,
    };
    explicit NthFault(Path directory) : directory_(std::move(directory)) {}

    Kind kind = Kind::none;
    std::uint64_t at = 0;
    int number = 0;

    std::uint64_t operations() const noexcept { return count_; }
    bool happened() const noexcept { return happened_; }

    base::FileStatus status(const Path& path, std::error_code& error) override {
        base::FileStatus result;
        around(path, error, [&] { result = real_.status(path, error); });
        return error ? base::FileStatus{} : result;
    }
    std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                std::error_code& error) override {
        std::vector<std::byte> result;
        around(path, error, [&] { result = real_.read(path, limit, error); });
        return error ? std::vector<std::byte>{} : result;
    }
    void write_new(const Path& path, std::span<const std::byte> bytes,
                   std::error_code& error) override {
        around(
            path, error, [&] { real_.write_new(path, bytes, error); },
            [&] { real_.write_new(path, bytes.first(bytes.size() / 2), error); });
    }
    void link(const Path& from, const Path& to, std::error_code& error) override {
        around(to, error, [&] { real_.link(from, to, error); });
    }
    void rename(const Path& from, const Path& to, std::error_code& error) override {
        around(to, error, [&] { real_.rename(from, to, error); });
    }
    void rename_new(const Path& from, const Path& to, std::error_code& error) override {
        around(to, error, [&] { real_.rename_new(from, to, error); });
    }
    void remove(const Path& path, std::error_code& error) override {
        around(path, error, [&] { real_.remove(path, error); });
    }
    void make_directories(const Path& path, std::error_code& error) override {
        around(path, error, [&] { real_.make_directories(path, error); });
    }
    std::vector<std::string> list(const Path& path, std::error_code& error) override {
        std::vector<std::string> result;
        around(path, error, [&] { result = real_.list(path, error); });
        return error ? std::vector<std::string>{} : result;
    }
    std::unique_ptr<Lock> lock(const Path& path, int timeout_ms, std::error_code& error) override {
        std::unique_ptr<Lock> result;
        around(path, error, [&] { result = real_.lock(path, timeout_ms, error); });
        return error ? nullptr : std::move(result);
    }

  private:
    template <class Work>
    void around(const Path& path, std::error_code& error, Work work) {
        around(path, error, work, [] {});
    }
    template <class Work, class Half>
    void around(const Path& path, std::error_code& error, Work work, Half half) {
        error.clear();
        if (!path.native().starts_with(directory_.native()))
            return work();
        const std::uint64_t mine = count_.fetch_add(1);
        const bool hit = mine == at || (kind == Kind::fails_from_now && mine > at);
        if (!hit || kind == Kind::none)
            return work();
        happened_ = true;
        if (kind == Kind::dies_within)
            half();
        if (kind == Kind::dies_before || kind == Kind::dies_within)
            ::_exit(42);
        if (kind == Kind::answer_lost || kind == Kind::dies_after)
            work();
        if (kind == Kind::dies_after)
            ::_exit(42);
        error.assign(number, std::generic_category());
    }

    base::FileSystem& real_ = base::real_file_system();
    Path directory_;
    std::atomic<std::uint64_t> count_{0};
    std::atomic<bool> happened_{false};
};

} // namespace kiln::test

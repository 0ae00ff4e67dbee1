// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::test {

/// The real file system with errors put in: an operation named in `faults` does nothing and fails
/// with that errno, one named in `lost_answers` is done and fails all the same.
class FaultFileSystem : public base::FileSystem {
  public:
    std::map<std::string, int> faults;
    std::map<std::string, int> lost_answers;

    int calls(const std::string& operation) {
        const std::lock_guard guard(mutex_);
        return calls_[operation];
    }

    base::FileStatus status(const Path& path, std::error_code& error) override {
        return fails("status", error) ? base::FileStatus{} : real_.status(path, error);
    }
    std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                std::error_code& error) override {
        return fails("read", error) ? std::vector<std::byte>{} : real_.read(path, limit, error);
    }
    void write_new(const Path& path, std::span<const std::byte> bytes,
                   std::error_code& error) override {
        if (!fails("write_new", error))
            real_.write_new(path, bytes, error);
        lose("write_new", error);
    }
    void link(const Path& from, const Path& to, std::error_code& error) override {
        if (!fails("link", error))
            real_.link(from, to, error);
        lose("link", error);
    }
    void rename(const Path& from, const Path& to, std::error_code& error) override {
        if (!fails("rename", error))
            real_.rename(from, to, error);
    }
    void rename_new(const Path& from, const Path& to, std::error_code& error) override {
        if (!fails("rename_new", error))
            real_.rename_new(from, to, error);
    }
    void remove(const Path& path, std::error_code& error) override {
        if (!fails("remove", error))
            real_.remove(path, error);
    }
    void make_directories(const Path& path, std::error_code& error) override {
        if (!fails("make_directories", error))
            real_.make_directories(path, error);
    }
    std::vector<std::string> list(const Path& path, std::error_code& error) override {
        return fails("list", error) ? std::vector<std::string>{} : real_.list(path, error);
    }
    std::unique_ptr<Lock> lock(const Path& path, int timeout_ms, std::error_code& error) override {
        return fails("lock", error) ? nullptr : real_.lock(path, timeout_ms, error);
    }

  private:
    bool fails(const std::string& operation, std::error_code& error) {
        const std::lock_guard guard(mutex_);
        ++calls_[operation];
        const auto fault = faults.find(operation);
        if (fault == faults.end())
            return false;
        error.assign(fault->second, std::generic_category());
        return true;
    }
    void lose(const std::string& operation, std::error_code& error) const {
        const auto lost = lost_answers.find(operation);
        if (lost != lost_answers.end())
            error.assign(lost->second, std::generic_category());
    }

    base::FileSystem& real_ = base::real_file_system();
    std::mutex mutex_;
    std::map<std::string, int> calls_;
};

} // namespace kiln::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>
#include <kiln/device.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::gpu {

/// What was seen in one run, for a file that a page is made from. One a process; filled by the
/// tests from one thread.
class Report {
  public:
    static Report& of_run();

    void set_device(const DeviceInfo& device, const std::string& driver);
    void set_toolkit(const std::string& version) { toolkit_ = version; }
    /// A cubin that was loaded and launched, by digest; the same one counts once.
    void add_cubin(const std::string& label, const Cubin& cubin);
    /// A number with its unit; also printed.
    void add_time(const std::string& name, double value, const std::string& unit);

    void begin_case(const std::string& name);
    /// The running case, or a part of it, cannot run here. Never silent: printed, and in the file.
    void skip(const std::string& reason);
    void end_case(bool passed, double seconds);

    void print_summary() const;
    /// Throws std::runtime_error if it cannot be written.
    void write(const std::filesystem::path& file) const;

  private:
    struct Case {
        std::string name;
        std::string status; ///< passed, failed, skipped
        std::vector<std::string> skipped;
        double seconds = 0;
    };
    struct Loaded {
        std::string label, target, digest;
        std::size_t bytes = 0;
    };
    struct Time {
        std::string name, unit;
        double value = 0;
    };
    DeviceInfo device_;
    std::string driver_, toolkit_;
    std::vector<Case> cases_;
    std::vector<Loaded> cubins_;
    std::vector<Time> times_;
};

} // namespace kiln::gpu

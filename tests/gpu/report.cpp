// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include "base/digest.h"
#include "fixture.h"

#include <kiln/version.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>

namespace kiln::gpu {
namespace {

using Json = nlohmann::ordered_json;

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

Json variable_or_null(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? Json(value) : Json(nullptr);
}

/// Tells the report when a test case begins and how it ended.
struct Listener : doctest::IReporter {
    explicit Listener(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& data) override {
        Report::of_run().begin_case(data.m_name);
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        Report::of_run().end_case(stats.failure_flags == 0, stats.seconds);
    }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("report", 1, Listener);

} // namespace

Report& Report::of_run() {
    static Report report;
    return report;
}

void Report::set_device(const DeviceInfo& device, const std::string& driver) {
    device_ = device;
    driver_ = driver;
}

void Report::add_cubin(const std::string& label, const Cubin& cubin) {
    const auto image = cubin.image();
    const auto digest = base::sha256(image).hex();
    const auto same = [&](const Loaded& one) { return one.digest == digest && one.label == label; };
    if (std::none_of(cubins_.begin(), cubins_.end(), same))
        cubins_.push_back({label, cubin.target.str(), digest, image.size()});
}

void Report::add_time(const std::string& name, double value, const std::string& unit) {
    fmt::print("  {}: {:.4g} {}\n", name, value, unit);
    times_.push_back({name, unit, value});
}

void Report::begin_case(const std::string& name) {
    cases_.push_back({name, "running", {}, 0});
}

void Report::skip(const std::string& reason) {
    fmt::print("skipped: {}: {}\n", cases_.back().name, reason);
    cases_.back().skipped.push_back(reason);
}

void Report::end_case(bool passed, double seconds) {
    auto& last = cases_.back();
    last.status = !passed ? "failed" : last.skipped.empty() ? "passed" : "skipped";
    last.seconds = seconds;
}

void Report::print_summary() const {
    const auto count = [&](const char* status) {
        return std::count_if(cases_.begin(), cases_.end(),
                             [&](const Case& one) { return one.status == status; });
    };
    fmt::print("\n{} ({}, driver CUDA {}): {} passed, {} failed, {} skipped in whole or part\n",
               device_.name, device_.capability.str(), driver_, count("passed"), count("failed"),
               count("skipped"));
    for (const auto& one : cases_) {
        if (one.status == "failed")
            fmt::print("  failed: {}\n", one.name);
        for (const auto& reason : one.skipped)
            fmt::print("  skipped: {}: {}\n", one.name, reason);
    }
}

void Report::write(const std::filesystem::path& file) const {
    Json cases = Json::array();
    for (const auto& one : cases_) {
        cases.push_back({{"name", one.name},
                         {"status", one.status},
                         {"skipped", one.skipped},
                         {"seconds", one.seconds}});
    }
    Json cubins = Json::array();
    for (const auto& one : cubins_) {
        cubins.push_back({{"kernel", one.label},
                          {"target", one.target},
                          {"sha256", one.digest},
                          {"bytes", one.bytes}});
    }
    Json times = Json::array();
    for (const auto& one : times_)
        times.push_back({{"name", one.name}, {"value", one.value}, {"unit", one.unit}});
    const auto sanitizer = sanitizer_in_use();
    const Json report = {{"commit", variable_or_null("KILN_COMMIT")},
                         {"date", today()},
                         {"kiln", KILN_VERSION},
                         {"device",
                          {{"name", device_.name},
                           {"capability", device_.capability.str()},
                           {"memory_bytes", device_.memory_bytes},
                           {"mig", device_.mig}}},
                         {"driver", driver_},
                         {"toolkit", toolkit_.empty() ? Json(nullptr) : Json(toolkit_)},
                         {"sanitizer", sanitizer.empty() ? Json(nullptr) : Json(sanitizer)},
                         {"cases", std::move(cases)},
                         {"cubins", std::move(cubins)},
                         {"times", std::move(times)}};
    std::ofstream out(file);
    out << report.dump(2) << '\n';
    if (!out.flush())
        throw std::runtime_error(fmt::format("{} cannot be written", file.string()));
}

} // namespace kiln::gpu

// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <spdlog/sinks/sink.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>

namespace kiln::base {

namespace {

std::optional<spdlog::level::level_enum> parse_level(std::string_view name) noexcept {
    if (name == "trace")
        return spdlog::level::trace;
    if (name == "debug")
        return spdlog::level::debug;
    if (name == "info")
        return spdlog::level::info;
    if (name == "warn")
        return spdlog::level::warn;
    if (name == "error")
        return spdlog::level::err;
    if (name == "off")
        return spdlog::level::off;
    return std::nullopt;
}

std::string_view level_name(spdlog::level::level_enum level) noexcept {
    switch (level) {
    case spdlog::level::trace:
        return "trace";
    case spdlog::level::debug:
        return "debug";
    case spdlog::level::info:
        return "info";
    case spdlog::level::warn:
        return "warning";
    default:
        return "error";
    }
}

/// One write for a line. It holds no mutex, which a child forked by another thread would inherit
/// locked, and no formatter, whose state would need one.
class StandardErrorSink final : public spdlog::sinks::sink {
  public:
    void log(const spdlog::details::log_msg& message) override {
        const auto level = level_name(message.level);
        spdlog::memory_buf_t line;
        const auto append = [&](std::string_view text) {
            line.append(text.data(), text.data() + text.size());
        };
        append("kiln: ");
        append(level);
        append(": ");
        append({message.payload.data(), message.payload.size()});
        append("\n");
        const char* next = line.data();
        std::size_t left = line.size();
        while (left > 0) {
            const ssize_t count = ::write(STDERR_FILENO, next, left);
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                return;
            next += count;
            left -= static_cast<std::size_t>(count);
        }
    }
    void flush() override {}
    void set_pattern(const std::string&) override {}
    void set_formatter(std::unique_ptr<spdlog::formatter>) override {}
};

spdlog::logger* make_logger() {
    auto logger = std::make_unique<spdlog::logger>("kiln", std::make_shared<StandardErrorSink>());
    logger->set_error_handler([](const std::string&) {});
    const char* chosen = std::getenv("KILN_LOG");
    logger->set_level(parse_level(chosen != nullptr ? chosen : "").value_or(spdlog::level::warn));
    return logger.release();
}

/// True the first time for each key. A full table says no more; it needs no lock and no memory.
bool first_time(std::string_view key) noexcept {
    static std::array<std::atomic<std::uint64_t>, 1024> seen{};
    const std::uint64_t mark = std::hash<std::string_view>{}(key) | 1u;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        auto& slot = seen[(mark / 2 + i) % seen.size()];
        std::uint64_t found = slot.load(std::memory_order_relaxed);
        if (found == 0 && slot.compare_exchange_strong(found, mark, std::memory_order_relaxed))
            return true;
        if (found == mark)
            return false;
    }
    return false;
}

} // namespace

spdlog::logger& log() noexcept {
    // Never destroyed: it may be used by threads that outlive static destruction.
    static spdlog::logger* const logger = make_logger();
    return *logger;
}

bool set_log_level(std::string_view name) {
    const auto level = parse_level(name);
    if (level)
        log().set_level(*level);
    return level.has_value();
}

void warn_once(std::string_view key, const std::string& message) {
    if (log().should_log(spdlog::level::warn) && first_time(key))
        log().log(spdlog::level::warn, spdlog::string_view_t(message));
}

} // namespace kiln::base

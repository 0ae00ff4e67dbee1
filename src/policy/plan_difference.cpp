// SPDX-License-Identifier: Apache-2.0
#include "policy/plan_difference.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kiln::policy {
namespace {

std::string verdict_text(const Plan& plan) {
    return fmt::format("{} ({}; {})", to_string(plan.verdict), plan.reason, plan.origin);
}

std::string target_text(const Plan& plan) {
    return plan.target ? fmt::format("{} ({})", plan.target->str(), plan.target_origin) : "none";
}

std::string targets_text(const Plan& plan) {
    std::vector<std::string> names;
    for (const Target& target : plan.targets) {
        names.push_back(target.str());
    }
    return fmt::format("[{}]", base::join(names, ", "));
}

std::string backend_text(const Plan& plan) {
    return fmt::format("{} ({})", to_string(plan.backend), plan.backend_origin);
}

std::string memory_text(const std::optional<std::uint64_t>& bytes) {
    return bytes ? fmt::format("{} bytes of memory", *bytes) : "no limit of memory";
}

class Comparer {
  public:
    Comparer(const Resolution& before, const Resolution& after) : before_(before), after_(after) {}

    std::vector<PlanChange> run() {
        const Plan& a = before_.plan;
        const Plan& b = after_.plan;
        const bool both_refused = a.verdict != Verdict::allow && b.verdict != Verdict::allow;
        if (a.verdict != b.verdict || (both_refused && a.reason != b.reason)) {
            say("verdict", verdict_text(a), verdict_text(b));
        }
        if (both_refused) {
            return std::move(changes_);
        }
        if (a.target != b.target) {
            say("target", target_text(a), target_text(b));
        }
        // A list of one says what the target says.
        if (a.targets != b.targets && (a.targets.size() > 1 || b.targets.size() > 1)) {
            say("targets", targets_text(a), targets_text(b));
        }
        if (a.obstacle != b.obstacle) {
            say("obstacle", or_none(a.obstacle), or_none(b.obstacle));
        }
        if (a.backend != b.backend) {
            say("backend", backend_text(a), backend_text(b));
        }
        compare_flags(a.flags, b.flags);
        if (a.requires_ != b.requires_) {
            say("requires", or_none(base::join(a.requires_, ", ")),
                or_none(base::join(b.requires_, ", ")));
        }
        compare_warnings(a.warnings, b.warnings);
        if (before_.with_ptx != after_.with_ptx) {
            changes_.push_back({"ptx", after_.with_ptx ? "wanted too" : "no longer wanted"});
        }
        if (before_.time_limit != after_.time_limit) {
            say("limit",
                fmt::format("{} s", static_cast<double>(before_.time_limit.count()) / 1000),
                fmt::format("{} s", static_cast<double>(after_.time_limit.count()) / 1000));
        }
        if (before_.memory_limit != after_.memory_limit) {
            say("limit", memory_text(before_.memory_limit), memory_text(after_.memory_limit));
        }
        return std::move(changes_);
    }

  private:
    static std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

    void say(const char* what, const std::string& before, const std::string& after) {
        changes_.push_back({what, fmt::format("{} -> {}", before, after)});
    }

    /// Each flag that one side has more often than the other; then the order, which can matter.
    void compare_flags(const std::vector<Flag>& before, const std::vector<Flag>& after) {
        const auto lacking = [](const std::vector<Flag>& from, std::vector<Flag> in) {
            std::vector<Flag> missing;
            for (const Flag& flag : from) {
                const auto found = std::find_if(in.begin(), in.end(), [&flag](const Flag& one) {
                    return one.value == flag.value;
                });
                if (found == in.end()) {
                    missing.push_back(flag);
                } else {
                    in.erase(found);
                }
            }
            return missing;
        };
        const auto removed = lacking(before, after);
        const auto added = lacking(after, before);
        for (const Flag& flag : removed) {
            changes_.push_back({"flag", fmt::format("- {} ({})", flag.value, flag.origin)});
        }
        for (const Flag& flag : added) {
            changes_.push_back({"flag", fmt::format("+ {} ({})", flag.value, flag.origin)});
        }
        const auto same_value = [](const Flag& a, const Flag& b) { return a.value == b.value; };
        if (removed.empty() && added.empty() &&
            !std::equal(before.begin(), before.end(), after.begin(), after.end(), same_value)) {
            changes_.push_back({"flags", "the same, in another order"});
        }
    }

    void compare_warnings(const std::vector<Warning>& before, const std::vector<Warning>& after) {
        const auto report = [this](const auto& from, const auto& in, const char* sign) {
            for (const Warning& warning : from) {
                if (std::none_of(in.begin(), in.end(), [&warning](const Warning& one) {
                        return one.text == warning.text;
                    })) {
                    changes_.push_back(
                        {"warning", fmt::format("{} {} ({})", sign, warning.text, warning.origin)});
                }
            }
        };
        report(before, after, "-");
        report(after, before, "+");
    }

    const Resolution& before_;
    const Resolution& after_;
    std::vector<PlanChange> changes_;
};

} // namespace

std::vector<PlanChange> differences(const Resolution& before, const Resolution& after) {
    return Comparer(before, after).run();
}

} // namespace kiln::policy

// SPDX-License-Identifier: Apache-2.0
#include "policy/target_choice.h"

#include "toolkit/target_history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kiln::policy {
namespace {

/// A target that could be taken, and the form that proposed it.
struct Candidate {
    Target target;
    const catalog::TargetForm* form;
};

class Chooser {
  public:
    explicit Chooser(const TargetQuestion& question)
        : question_(question), wanted_(question.arch.target.capability) {}

    TargetChoice written_out() const {
        const Target target = question_.arch.target;
        if (has(as_real(target))) {
            return {target, Fit::exact, fmt::format("written out as {}", target.str())};
        }
        return {std::nullopt, Fit::none, missing(target)};
    }

    TargetChoice bare() {
        const std::vector<Candidate> exact = exact_candidates();
        if (const auto* taken = first_not_refused(exact)) {
            return {taken->target, Fit::exact, exact_reason(*taken)};
        }
        const std::vector<Candidate> lesser = lesser_candidates();
        if (const auto* taken = first_not_refused(lesser)) {
            return {taken->target, Fit::lesser, lesser_reason(*taken)};
        }
        for (const auto& [candidates, fit] :
             {std::pair(&exact, Fit::exact), {&lesser, Fit::lesser}}) {
            if (!candidates->empty()) {
                return {candidates->front().target, fit,
                        fmt::format("nothing else is left: {}", fmt::join(passed_over_, ", "))};
            }
        }
        if (question_.ptx != PtxUse::never) {
            if (const auto ptx = highest(Suffix::none, TargetKind::virtual_)) {
                return {ptx, Fit::ptx,
                        fmt::format("{}; PTX for {}, which the driver compiles at load, because "
                                    "the policy says `ptx: {}`",
                                    nothing_fits(), ptx->str(), to_string(question_.ptx))};
            }
        }
        return {std::nullopt, Fit::none, nothing_fits()};
    }

  private:
    static Target as_real(Target target) {
        target.kind = TargetKind::real;
        return target;
    }
    std::string cuda() const { return "CUDA " + question_.toolkit.short_str(); }
    bool has(const Target& target) const {
        const auto& all = question_.available;
        return std::find(all.begin(), all.end(), target) != all.end();
    }

    std::vector<Candidate> exact_candidates() {
        std::vector<Candidate> candidates;
        for (const catalog::TargetForm& form : question_.preference) {
            const Target target =
                form.exact.value_or(Target{wanted_, form.suffix, TargetKind::real});
            if (!runs_on(target, wanted_)) {
                passed_over_.push_back(
                    fmt::format("{} does not run on {}", target.str(), wanted_.str()));
            } else if (!has(target)) {
                passed_over_.push_back(fmt::format("{} has no {}", cuda(), target.str()));
            } else {
                candidates.push_back({target, &form});
            }
        }
        return candidates;
    }

    std::vector<Candidate> lesser_candidates() const {
        std::vector<Candidate> candidates;
        for (const catalog::TargetForm& form : question_.preference) {
            if (form.exact) {
                continue;
            }
            std::vector<Target> below;
            for (const Target& target : question_.available) {
                if (target.suffix == form.suffix && target.capability < wanted_ &&
                    runs_on(target, wanted_)) {
                    below.push_back(target);
                }
            }
            std::sort(below.rbegin(), below.rend());
            for (const Target& target : below) {
                candidates.push_back({target, &form});
            }
        }
        return candidates;
    }

    const Candidate* first_not_refused(const std::vector<Candidate>& candidates) {
        for (const Candidate& candidate : candidates) {
            std::string refusal = question_.refusal(candidate.target);
            if (refusal.empty()) {
                return &candidate;
            }
            passed_over_.push_back(std::move(refusal));
        }
        return nullptr;
    }

    std::optional<Target> highest(Suffix suffix, TargetKind kind) const {
        std::optional<Target> best;
        for (Target target : question_.available) {
            target.kind = kind;
            if (target.suffix == suffix && runs_on(target, wanted_) && (!best || *best < target)) {
                best = target;
            }
        }
        return best;
    }

    std::string exact_reason(const Candidate& candidate) const {
        const std::string from =
            fmt::format("`{}` of {}", candidate.form->str(), catalog::str(question_.preference));
        return passed_over_.empty() ? from
                                    : fmt::format("{}: {}", from, fmt::join(passed_over_, ", "));
    }

    std::string lesser_reason(const Candidate& candidate) const {
        const bool refused =
            std::any_of(question_.available.begin(), question_.available.end(),
                        [this](const Target& target) { return target.capability == wanted_; });
        return fmt::format("`{}` of {}: {}; {} is the highest that runs on {}",
                           candidate.form->str(), catalog::str(question_.preference),
                           refused ? fmt::format("{}", fmt::join(passed_over_, ", "))
                                   : fmt::format("{} does not have {}", cuda(), wanted_.str()),
                           candidate.target.str(), wanted_.str());
    }

    /// Why a target that was written out, or is preferred, is not there.
    std::string missing(const Target& target) const {
        const std::string history = toolkit::toolkits_with(as_real(target));
        return fmt::format("{} has no {}{}", cuda(), target.str(),
                           history.empty() ? std::string() : ": " + history);
    }

    std::string nothing_fits() const {
        std::vector<std::string> same;
        ComputeCapability newest;
        for (const Target& target : question_.available) {
            newest = std::max(newest, target.capability);
            if (target.capability == wanted_) {
                same.push_back(target.str());
            }
        }
        const catalog::TargetForm& first = question_.preference.front();
        const Target preferred =
            first.exact.value_or(Target{wanted_, first.suffix, TargetKind::real});
        if (!same.empty()) {
            return fmt::format("the policy takes {} for {}, and {} has only {} ({})",
                               catalog::str(question_.preference), wanted_.str(), cuda(),
                               fmt::join(same, ", "), missing(preferred));
        }
        std::string text = missing({wanted_, Suffix::none, TargetKind::real});
        if (newest < wanted_) {
            text += fmt::format("; the newest that it has is {}", newest.str());
        }
        return text;
    }

    const TargetQuestion& question_;
    ComputeCapability wanted_;
    std::vector<std::string> passed_over_;
};

} // namespace

TargetChoice choose_target(const TargetQuestion& question) {
    Chooser chooser(question);
    return question.arch.written_out ? chooser.written_out() : chooser.bare();
}

} // namespace kiln::policy

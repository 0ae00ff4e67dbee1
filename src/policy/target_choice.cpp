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
        const Target asked = question_.arch.target;
        Target target = asked;
        std::string reason = fmt::format("written out as {}", asked.str());
        if (asked.kind == TargetKind::real && remapped(asked) != asked) {
            target = remapped(asked);
            reason += fmt::format(", remapped to {}", target.str());
        }
        if (has(as_real(target))) {
            return {target, Fit::exact, std::move(reason)};
        }
        if (question_.keep_missing) {
            return {target, Fit::kept, std::move(reason), missing(target)};
        }
        return {std::nullopt, Fit::none, missing(target)};
    }

    TargetChoice fixed() const {
        TargetChoice choice;
        const bool only = question_.selection.kind == TargetSelection::Kind::only;
        const auto& forms = question_.selection.forms;
        const catalog::TargetForm* taken = nullptr;
        const auto better = [&](const catalog::TargetForm& form) {
            const auto rank = [&](const catalog::TargetForm& one) {
                const bool asked =
                    question_.arch.written_out && *one.exact == question_.arch.target;
                return asked ? 2 : runs_on(remapped(*one.exact), wanted_) ? 1 : 0;
            };
            return taken == nullptr || rank(form) > rank(*taken);
        };
        for (const catalog::TargetForm& form : forms) {
            if (better(form)) {
                taken = &form;
            }
            const Target target = remapped(*form.exact);
            if (std::find(choice.fixed.begin(), choice.fixed.end(), target) == choice.fixed.end()) {
                choice.fixed.push_back(target);
            }
        }
        const Target target = remapped(*taken->exact);
        choice.target = target;
        choice.reason = fmt::format("`{}: {}`, whatever the device{}", only ? "only" : "fixed",
                                    catalog::str(forms), remap_text(*taken->exact));
        choice.fit = Fit::exact;
        if (!has(target)) {
            choice.missing = missing(target);
            choice.fit = question_.keep_missing ? Fit::kept : Fit::none;
        }
        if (choice.fit == Fit::none) {
            return {std::nullopt, Fit::none, choice.missing};
        }
        return choice;
    }

    TargetChoice bare() {
        const std::vector<Candidate> exact = exact_candidates();
        if (const auto* taken = first_not_refused(exact)) {
            return {taken->target, Fit::exact, exact_reason(*taken)};
        }
        if (exact.empty() && question_.keep_missing) {
            if (auto kept = kept_candidate()) {
                return *std::move(kept);
            }
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
    Target remapped(const Target& target) const {
        for (auto pair = question_.remap.rbegin(); pair != question_.remap.rend(); ++pair) {
            if (pair->first == target) {
                return pair->second;
            }
        }
        return target;
    }
    std::string remap_text(const Target& target) const {
        return remapped(target) == target
                   ? std::string()
                   : fmt::format("; {} is remapped to {}", target.str(), remapped(target).str());
    }
    std::string cuda() const { return "CUDA " + question_.toolkit.short_str(); }
    bool has(const Target& target) const {
        const auto& all = question_.available;
        return std::find(all.begin(), all.end(), target) != all.end();
    }

    std::vector<Candidate> exact_candidates() {
        std::vector<Candidate> candidates;
        for (const catalog::TargetForm& form : question_.selection.forms) {
            const Target target = remapped(proposed(form));
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

    Target proposed(const catalog::TargetForm& form) const {
        return form.exact.value_or(Target{wanted_, form.suffix, TargetKind::real});
    }

    /// The first form for the capability itself, though the toolkit has none of them.
    std::optional<TargetChoice> kept_candidate() const {
        for (const catalog::TargetForm& form : question_.selection.forms) {
            const Target target = remapped(proposed(form));
            if (runs_on(target, wanted_)) {
                return TargetChoice{target, Fit::kept,
                                    fmt::format("`{}` of {}{}", form.str(),
                                                catalog::str(question_.selection.forms),
                                                remap_text(proposed(form))),
                                    missing(target)};
            }
        }
        return std::nullopt;
    }

    std::vector<Candidate> lesser_candidates() const {
        std::vector<Candidate> candidates;
        for (const catalog::TargetForm& form : question_.selection.forms) {
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
        const std::string from = fmt::format("`{}` of {}", candidate.form->str(),
                                             catalog::str(question_.selection.forms));
        const std::string remap = remap_text(proposed(*candidate.form));
        return passed_over_.empty()
                   ? from + remap
                   : fmt::format("{}{}: {}", from, remap, fmt::join(passed_over_, ", "));
    }

    std::string lesser_reason(const Candidate& candidate) const {
        const bool refused =
            std::any_of(question_.available.begin(), question_.available.end(),
                        [this](const Target& target) { return target.capability == wanted_; });
        return fmt::format("`{}` of {}: {}; {} is the highest that runs on {}",
                           candidate.form->str(), catalog::str(question_.selection.forms),
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
        const catalog::TargetForm& first = question_.selection.forms.front();
        const Target preferred = remapped(proposed(first));
        if (!same.empty()) {
            return fmt::format("the policy takes {} for {}, and {} has only {} ({})",
                               catalog::str(question_.selection.forms), wanted_.str(), cuda(),
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
    if (question.selection.kind != TargetSelection::Kind::prefer) {
        return chooser.fixed();
    }
    return question.arch.written_out ? chooser.written_out() : chooser.bare();
}

} // namespace kiln::policy

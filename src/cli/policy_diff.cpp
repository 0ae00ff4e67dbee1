// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/policy_plans.h"
#include "cli/policy_verbs.h"
#include "cli/terminal.h"
#include "policy/plan_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace kiln::cli {
namespace {

/// `shipped`: the layers up to the system's, which no user wrote. `effective`: all. A file: the
/// shipped layers with it as the user's.
policy::Policy load_side(const Service::State& state, const std::string& side) {
    std::vector<policy::Document> documents = state.settings.policies;
    for (const auto& file : state.catalog().policies())
        documents.push_back({policy::Layer::library, file.value, std::nullopt});
    if (side != "effective") {
        documents.erase(std::remove_if(documents.begin(), documents.end(),
                                       [](const policy::Document& document) {
                                           return document.layer > policy::Layer::system;
                                       }),
                        documents.end());
        if (side != "shipped")
            documents.push_back({policy::Layer::user, side, std::nullopt});
    }
    return policy::Policy::load(documents);
}

Json side_json(const policy::Resolution& resolution) {
    Json json = to_json(resolution.plan);
    json.erase("rules");
    json["ptx"] = resolution.with_ptx;
    json["time_limit_seconds"] = static_cast<double>(resolution.time_limit.count()) / 1000;
    json["memory_limit_bytes"] =
        resolution.memory_limit ? Json(*resolution.memory_limit) : Json(nullptr);
    return json;
}

std::string text_of(const std::vector<policy::PlanChange>& changes) {
    std::string text;
    for (const auto& change : changes)
        text += fmt::format("  {}: {}\n", change.what, change.text);
    return text;
}

/// Plans that change alike.
struct Group {
    std::string changes;
    std::string archs;
    InstanceNames names;
};

/// Archs for which the same instances change alike share their lines.
std::vector<Group> merge_archs(std::vector<Group> groups) {
    std::vector<Group> merged;
    for (auto& group : groups) {
        const auto same = std::find_if(merged.begin(), merged.end(), [&group](const Group& one) {
            return one.changes == group.changes && one.names == group.names;
        });
        if (same == merged.end())
            merged.push_back(std::move(group));
        else
            same->archs += ", " + group.archs;
    }
    return merged;
}

} // namespace

ExitCode diff_policies(Session& session, const PolicySides& sides) {
    const auto& state = session.state();
    const auto before = load_side(state, sides.before);
    const auto after = load_side(state, sides.after);
    auto archs = session.archs_or_none();
    if (archs.empty())
        archs = session.service().all_archs();
    const auto& catalog = state.catalog();
    const auto& toolkit = state.facts();
    Json changed = Json::array();
    std::size_t compared = 0;
    std::vector<Group> groups;
    for (const auto& arch : archs) {
        std::vector<Group> of_arch;
        for (const auto& module : catalog.modules()) {
            const auto instances = catalog.instances(module);
            for (const auto& instance : instances) {
                ++compared;
                const policy::Query query{instance, arch, archs, toolkit, state.surroundings};
                const auto a = resolve_or_explain(before, query);
                const auto b = resolve_or_explain(after, query);
                const auto changes = policy::differences(a, b);
                if (changes.empty())
                    continue;
                Json texts = Json::array();
                for (const auto& change : changes)
                    texts.push_back({{"what", change.what}, {"text", change.text}});
                changed.push_back({{"module", module.name},
                                   {"instance", a.plan.instance},
                                   {"arch", arch.str()},
                                   {"changes", std::move(texts)},
                                   {"before", side_json(a)},
                                   {"after", side_json(b)}});
                const auto text = text_of(changes);
                auto group =
                    std::find_if(of_arch.begin(), of_arch.end(),
                                 [&text](const Group& one) { return one.changes == text; });
                if (group == of_arch.end())
                    group = of_arch.insert(of_arch.end(), {text, arch.str(), {}});
                group->names.add(module.name, a.plan.instance, instances.size());
            }
        }
        groups.insert(groups.end(), std::make_move_iterator(of_arch.begin()),
                      std::make_move_iterator(of_arch.end()));
    }
    if (session.options.json) {
        print_json({{"changed", std::move(changed)}, {"compared", compared}});
        return ExitCode::done;
    }
    const auto total = changed.size();
    for (const auto& group : merge_archs(std::move(groups))) {
        fmt::print("{}  {}\n{}", styled(group.names.str(), Style::strong), group.archs,
                   group.changes);
    }
    fmt::print("{} of {} plans change between {} and {}\n", total, compared, sides.before,
               sides.after);
    return ExitCode::done;
}

} // namespace kiln::cli

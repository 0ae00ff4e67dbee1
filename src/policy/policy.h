// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/facts.h"
#include "toolkit/capabilities.h"
#include "toolkit/version.h"

#include <kiln/plan.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Layered rules that turn an instance, an arch and a toolkit into a plan. Grammar: docs/policy.md.
namespace kiln::policy {

/// Weakest first: a later layer may overrule an earlier one.
enum class Layer { built_in, library, system, user, project, environment, command_line };

/// One policy document: a file, or text with a name for its origins.
struct Document {
    Layer layer = Layer::user;
    std::filesystem::path path;
    std::optional<std::string> text;
};

/// The toolkit as far as decisions need it; can be made up on paper.
struct ToolkitFacts {
    toolkit::Version version;
    toolkit::Capabilities capabilities;
    /// Made up from what is known of the version; there is nothing to compile with.
    bool on_paper = false;
};

/// One question. References must outlive the call only.
struct Query {
    /// What its module says for itself is of the library layer, behind the policies there; of a
    /// module without a line in a file (a request's own source) it is of the strongest.
    const catalog::Instance& instance;
    ArchRequest arch;
    /// The whole list that this arch is one of, for rules that look at the set.
    std::span<const ArchRequest> archs;
    const ToolkitFacts& toolkit;
    const Surroundings& surroundings;
    /// False: the plan is wanted without Plan::rules, which cost half of a resolve.
    bool with_notes = true;
};

/// The answer: the public plan, and what the compile needs beside it.
struct Resolution {
    /// An include directory that the policy adds, in the order of the flags.
    struct IncludeRoot {
        std::string name; ///< stands for the path in keys
        std::string path; ///< absolute, or `@root/sub`: below a root of that name
    };

    Plan plan;
    std::vector<IncludeRoot> include_roots;    ///< their `-I` flags are in the plan too
    std::optional<std::uint64_t> memory_limit; ///< bytes, of one compile
    std::chrono::milliseconds time_limit{600'000};
    /// PTX is wanted beside the cubin (`ptx: true`, or `+PTX` in the arch).
    bool with_ptx = false;
};

/// Immutable after loading; safe to read from many threads.
class Policy {
  public:
    /// The documents by layer, within a layer in the order given; the built-in policy is added
    /// where none is of that layer. Throws Error(policy) with location file:line:column for the
    /// first problem.
    static Policy load(std::span<const Document> documents);
    ~Policy();
    Policy(Policy&&) noexcept;
    Policy& operator=(Policy&&) noexcept;

    /// Never throws for an answer: deny and unsupported are verdicts with a reason. Throws
    /// Error(policy) with the location for an option of the module that every backend refuses
    /// (those of rules are refused when they are loaded), and what Instance::expand throws.
    Resolution resolve(const Query& query) const;

    /// The rules in the order in which they are applied, for `kiln policy show`.
    struct RuleText {
        Layer layer;
        std::string name;
        std::string origin; ///< file:line
        std::string match;  ///< as written, in one line
        std::string effect;
    };
    std::vector<RuleText> rules() const;

  private:
    struct State;
    explicit Policy(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The default policy that ships inside the library (text of `configs/policy.yaml`).
std::string_view built_in_policy() noexcept;
std::string_view to_string(Layer layer) noexcept;

} // namespace kiln::policy

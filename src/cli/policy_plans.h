// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/policy.h"

#include <string>
#include <utility>
#include <vector>

namespace kiln::cli {

/// One listing must not end at the first module whose plan cannot be made (a template that nothing
/// sets): such a plan is `unsupported`, with the error as its reason.
policy::Resolution resolve_or_explain(const policy::Policy& policy, const policy::Query& query);

/// Instances that share a line, by name: `mla`, `xqa (96 instances)`, `24 of 96 instances of xqa`,
/// `norm, page, rope and 113 more modules (300 instances)`.
class InstanceNames {
  public:
    /// `total`: how many the module has.
    void add(const std::string& module, const std::string& instance, std::size_t total);
    std::string str() const;
    bool operator==(const InstanceNames& other) const { return instances_ == other.instances_; }

  private:
    struct OfModule {
        std::string name;
        std::size_t total;
        std::size_t here;
    };
    std::vector<OfModule> modules_;
    std::vector<std::string> instances_;
};

} // namespace kiln::cli

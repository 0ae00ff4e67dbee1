// SPDX-License-Identifier: Apache-2.0
#include "toolkit/ptx_forms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace kiln;
using toolkit::targets_accepting;

namespace {

bool holds(const std::vector<Target>& targets, const char* name) {
    return std::find(targets.begin(), targets.end(), Target::parse(name)) != targets.end();
}

} // namespace

TEST_CASE("each form has a name of its own, its PTX and targets") {
    std::set<std::string> names;
    for (const auto& form : toolkit::ptx_forms()) {
        CAPTURE(form.name);
        CHECK(names.insert(form.name).second);
        CHECK_FALSE(form.ptx.empty());
        CHECK_FALSE(form.targets.empty());
        CHECK(std::is_sorted(form.targets.begin(), form.targets.end()));
    }
    CHECK(names.size() == 92);
}

TEST_CASE("what ptxas refuses is looked up by the name that it gives") {
    const auto fp4 = targets_accepting("cvt with .e2m1x2");
    CHECK(holds(fp4, "sm_120f"));
    CHECK(holds(fp4, "sm_100a"));
    CHECK_FALSE(holds(fp4, "sm_120"));
    CHECK_FALSE(holds(fp4, "sm_90a"));
    const auto wgmma = targets_accepting("wgmma.fence");
    CHECK(wgmma == std::vector{Target::parse("sm_90a")});
    CHECK(targets_accepting(".bf16x2").empty()); // forms that differ share the name
    CHECK(targets_accepting("no.such.thing").empty());
    CHECK(targets_accepting("").empty());
}

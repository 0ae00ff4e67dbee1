// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/target_forms.h"

#include <doctest/doctest.h>

using kiln::Target;
namespace catalog = kiln::catalog;

TEST_CASE("a form covers targets by suffix, or one target") {
    const auto family = catalog::TargetForm::parse("f");
    CHECK(family.covers(Target::parse("sm_120f")));
    CHECK_FALSE(family.covers(Target::parse("sm_120a")));
    CHECK_FALSE(family.covers(Target::parse("sm_120")));
    CHECK(catalog::TargetForm::parse("plain").covers(Target::parse("sm_90")));
    CHECK(catalog::TargetForm::parse("a").covers(Target::parse("compute_90a")));
    const auto exact = catalog::TargetForm::parse("sm_120a");
    CHECK(exact.covers(Target::parse("sm_120a")));
    CHECK_FALSE(exact.covers(Target::parse("sm_121a")));
    CHECK_FALSE(exact.covers(Target::parse("sm_120f")));
}

TEST_CASE("lists are written as they are read") {
    const auto forms = catalog::parse_target_forms({"f, a", "plain", "sm_90a"});
    CHECK(catalog::str(forms) == "[f, a, plain, sm_90a]");
    CHECK(catalog::covers(forms, Target::parse("sm_90a")));
    CHECK_FALSE(catalog::covers(catalog::parse_target_forms({"f"}), Target::parse("sm_90a")));
}

TEST_CASE("a form that names nothing, or the same twice, is an error") {
    for (const char* wrong : {"", "x", "12.0", "120f", "compute_90", "sm_90x", "F"}) {
        CAPTURE(wrong);
        CHECK(contains(refusal_of([&] { catalog::TargetForm::parse(wrong); }).message(),
                       "names no target"));
    }
    CHECK(contains(refusal_of([] { catalog::parse_target_forms({"f, a, f"}); }).message(),
                   "`f` is named twice"));
}

// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace kiln::base;

TEST_CASE("an environment is a value; empty counts as unset") {
    Environment environment({{"B", "2"}, {"A", "x=y"}, {"EMPTY", ""}});
    CHECK(environment.get("A") == "x=y");
    CHECK(!environment.get("EMPTY"));
    CHECK(!environment.get("C"));
    Environment copy = environment;
    copy.set("A", "new");
    copy.unset("B");
    copy.unset("never there");
    CHECK(copy.lines() == std::vector<std::string>{"A=new", "EMPTY="});
    CHECK(environment.lines() == std::vector<std::string>{"A=x=y", "B=2", "EMPTY="});
}

TEST_CASE("the process's variables are copied") {
    ::setenv("KILN_TEST_VARIABLE", "before", 1);
    const Environment environment = Environment::of_process();
    ::setenv("KILN_TEST_VARIABLE", "after", 1);
    CHECK(environment.get("KILN_TEST_VARIABLE") == "before");
    ::unsetenv("KILN_TEST_VARIABLE");
}

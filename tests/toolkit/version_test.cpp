// SPDX-License-Identifier: Apache-2.0
#include "toolkit/version.h"

#include <doctest/doctest.h>

using kiln::toolkit::Version;

TEST_CASE("a version has one to three numbers") {
    CHECK(Version::parse("13") == Version{13, 0, 0});
    CHECK(Version::parse("12.8") == Version{12, 8, 0});
    CHECK(Version::parse("13.0.88") == Version{13, 0, 88});
    for (const char* text : {"", ".", "13.", ".8", "12..8", "12.8.93.1", "v12", "12.8a", " 12.8",
                             "12.8 ", "-1", "12.-8", "+1", "99999999999"}) {
        CAPTURE(text);
        CHECK_FALSE(Version::parse(text));
    }
}

TEST_CASE("a version without a patch is written without one") {
    CHECK(Version{13, 0, 88}.str() == "13.0.88");
    CHECK(Version{12, 8, 0}.str() == "12.8");
    CHECK(Version{13, 0, 88}.short_str() == "13.0");
}

TEST_CASE("versions compare as numbers") {
    CHECK(Version{12, 9, 0} < Version{12, 10, 0});
    CHECK(Version{12, 9, 86} < Version{13, 0, 0});
}

// SPDX-License-Identifier: Apache-2.0
#include "source/include_scanner.h"

#include <doctest/doctest.h>

#include <ctime>
#include <random>
#include <string>

using namespace kiln::source;

namespace {

std::string repeated(std::string_view text, std::size_t bytes) {
    std::string result;
    while (result.size() < bytes)
        result += text;
    return result;
}

double seconds_of(std::string_view text) {
    const std::clock_t begin = std::clock(); // of the processor: machines that test are busy
    scan_source(text);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace

TEST_CASE("time is linear whatever the text") {
    // Each would take minutes if the scanner looked again and again at what it has seen.
    for (const std::string piece : {"R\"x(",
                                    "R\"abc ",
                                    "'1'1",
                                    "1'",
                                    "#if (<",
                                    "#if A(<",
                                    "#if __has_include(__has_include(",
                                    "#define X(a) __has_include(",
                                    "#if 0\n",
                                    "#include \"",
                                    "#include <a>\n",
                                    "\\\n",
                                    "/*",
                                    "#if A(<a>)",
                                    "#else\n",
                                    "#<",
                                    "((((<",
                                    "\"\\",
                                    "#define F(",
                                    "# /**/"}) {
        CAPTURE(piece);
        CHECK(seconds_of(repeated(piece, 400'000)) < 2);
    }
    CHECK(seconds_of('#' + std::string(400'000, ' ') + repeated("<", 400'000)) < 2);
    CHECK(seconds_of("#define X(" + repeated("a,", 400'000) + ") " +
                     repeated("__has_include(a) ", 400'000)) < 2);
    CHECK(seconds_of("#if " + repeated("__has_include(<a>)", 400'000)) < 2);
}

TEST_CASE("a text with too many directives says so") {
    CHECK_FALSE(scan_source(repeated("#include <a>\n", 1'000'000)).truncated);
    const Scan lines = scan_source(repeated("#include <a>\n", 2'700'000));
    CHECK(lines.truncated);
    CHECK(lines.directives.size() == 200'000);
}

TEST_CASE("any bytes are read without harm, cut anywhere") {
    const std::string text =
        "\xef\xbb\xbf#if __has_include(<a.h>) && X(\"b\") \\\r\n && N > 1'000\n#include \"b.h\"\n"
        "auto s = u8R\"x(\n#include <no>\n)x\"; /* c */ char c = '\\''; // d \\\n e\n"
        "#define M(x) __has_include(x)\n%:include_next <c.h>\n#else\n#endif\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const Scan scan = scan_source(std::string(text, 0, length)); // an exact allocation
        CHECK(scan.directives.size() <= 4);
    }
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::string changed = text;
        for (int i = 0; i < 4; ++i)
            changed[random() % changed.size()] = static_cast<char>(random());
        changed.shrink_to_fit();
        CHECK(scan_source(changed).directives.size() < 20);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "source/include_scanner.h"

#include <doctest/doctest.h>

using namespace kiln::source;
using Form = IncludeDirective::Form;

namespace {

/// `3:<a.h>` and the like, one a directive.
std::string shape(std::string_view text) {
    std::string result;
    for (const IncludeDirective& directive : scan_includes(text)) {
        if (!result.empty())
            result += ' ';
        result += std::to_string(directive.line) + ':';
        if (directive.probe)
            result += '?';
        if (directive.next)
            result += '+';
        result += directive.form == Form::angled   ? '<' + directive.name + '>'
                  : directive.form == Form::quoted ? '"' + directive.name + '"'
                                                   : directive.name;
    }
    return result;
}

} // namespace

TEST_CASE("the forms of an include directive") {
    CHECK(shape("#include <a/b.h>\n#include \"c.h\"\n#include MACRO\n") ==
          "1:<a/b.h> 2:\"c.h\" 3:MACRO");
    CHECK(shape("  #  include<a.h>\n\t#\tinclude\"b.h\"") == "1:<a.h> 2:\"b.h\"");
    CHECK(shape("#include_next <a.h>") == "1:+<a.h>");
    CHECK(shape("%:include <a.h>\n%: include <b.h>") == "1:<a.h> 2:<b.h>");
    CHECK(shape("#import <a.h>") == "1:<a.h>");
    CHECK(shape("#include STD_HEADER(type_traits) // why\n") == "1:STD_HEADER(type_traits)");
    CHECK(shape("/* a */ # /* b */ include /* c */ <a.h> /* d */") == "1:<a.h>");
    CHECK(shape("#includes <a.h>\n#inc <b.h>\n#include\n# <c.h>") == "");
}

TEST_CASE("a header name is kept as it stands") {
    CHECK(shape("#include < a b.h >") == "1:< a b.h >");
    CHECK(shape("#include <sys//types.h>") == "1:<sys//types.h>");
    CHECK(shape("#include \"a\\\"\n#include <b.h>") == "1:\"a\\\" 2:<b.h>");
    CHECK(shape("#include <it's.h>\n#include <b.h>") == "1:<it's.h> 2:<b.h>");
}

TEST_CASE("what looks like a directive and is none") {
    CHECK(shape("int a; #include <a.h>\n") == "");
    CHECK(shape("// #include <a.h>\n/* \n#include <b.h>\n*/\n") == "");
    CHECK(shape("// spliced \\\n#include <a.h>\n#include <b.h>") == "3:<b.h>");
    CHECK(shape("const char* s = \"\\\n#include <a.h>\";\n#include <b.h>") == "3:<b.h>");
    CHECK(shape("auto s = R\"x(\n#include <a.h>\n)\" )x\";\n#include <b.h>") == "4:<b.h>");
    CHECK(shape("auto s = u8R\"(\n#include <a.h>\n)\";\n#include <b.h>") == "4:<b.h>");
    CHECK(shape("f(\"/*\");\n#include <a.h>\ng(\"*/\");") == "2:<a.h>");
    CHECK(shape("auto c = '\"';\n#include <a.h>\n") == "2:<a.h>");
    CHECK(shape("auto c = '\\'';\n#include <a.h>\n") == "2:<a.h>");
    CHECK(shape("#define S \"#include <a.h>\"\n#define T \\\n#include <b.h>\n#include <c.h>") ==
          "4:<c.h>");
    // An identifier that ends in R makes no raw string.
    CHECK(shape("f(FOOR\"(\");\n#include <a.h>\ng(\")\");") == "2:<a.h>");
}

TEST_CASE("digit separators open no character") {
    CHECK(shape("int a = 1'000;\n#include <a.h>\nint b = 0x1'f;") == "2:<a.h>");
    CHECK(shape("int a = 1'000'000; /* ' */ char c = u'\"';\n#include <a.h>\n") == "2:<a.h>");
    CHECK(shape("#if N > 1'000 && __has_include(<a.h>)\n#endif") == "1:?<a.h>");
    CHECK(shape("#define N 1'000 /*\n*/\n#include <a.h>") == "3:<a.h>");
}

TEST_CASE("an apostrophe in prose ends with its line") {
    CHECK(shape("#if 0\ndon't /* x\n#include <a.h>\n#endif\n") == "3:<a.h>");
    CHECK(shape("#error can't\n#include <a.h>\n") == "2:<a.h>");
}

TEST_CASE("line ends, splices and a byte order mark") {
    CHECK(shape("\xef\xbb\xbf#include <a.h>\r\n#include \"b.h\"\r\n") == "1:<a.h> 2:\"b.h\"");
    CHECK(shape("#inc\\\nlude \\\r\n <a.h>\n#include <b.h>") == "1:<a.h> 4:<b.h>");
    CHECK(shape("#if A \\\n  && __has_include(<a.h>)\n#endif\n#include <b.h>") ==
          "1:?<a.h> 4:<b.h>");
    CHECK(shape("\\\n#include <a.h>") == "2:<a.h>");
    CHECK(shape("/* a\nb */ #include <a.h>\n") == "2:<a.h>");
}

TEST_CASE("probes") {
    CHECK(shape("#if __has_include(<a/b.h>)\n#elif __has_include ( \"c.h\" )\n#endif") ==
          "1:?<a/b.h> 2:?\"c.h\"");
    CHECK(shape("#if __has_include ( < a/b > )\n#endif") == "1:?< a/b >");
    CHECK(shape("#if !defined(X) && __has_include(<a.h>) || __has_include(<b.h>)\n#endif") ==
          "1:?<a.h> 1:?<b.h>");
    CHECK(shape("#if __has_include_next(<a.h>)\n#endif") == "1:?+<a.h>");
    CHECK(shape("#if __has_include(HEADER)\n#endif") == "1:?HEADER");
    CHECK(shape("#ifdef __has_include\n#if defined(__has_include)\n#endif\n#endif") == "");
    CHECK(shape("#define HAS_A __has_include(<a.h>)\n") == "1:?<a.h>");
    CHECK(shape("#define HAS_A __has_include(A_HEADER)\n") == "1:?A_HEADER");
    CHECK(shape("#if __has_include(<a//b.h>)\n#endif") == "1:?<a//b.h>");
    CHECK(shape("f(__has_include(<a.h>));\n") == "");
}

TEST_CASE("probes by a macro that stands for __has_include") {
    const std::string definition = "#ifdef __has_include\n"
                                   "#  define HAS(x) __has_include(x)\n"
                                   "#else\n#  define HAS(x) 0\n#endif\n";
    CHECK(shape(definition) == "");
    CHECK(scan_source(definition).probe_macros == std::vector<std::string>{"HAS"});
    CHECK(shape("#if HAS(<a.h>) || HAS(\"b.h\")\n#endif") == "1:?<a.h> 1:?\"b.h\"");
    CHECK(shape("#if HAS(MACRO)\n#endif") == "");

    const Scan scan = scan_source("#if HAS(MACRO) && defined(X)\n#endif");
    REQUIRE(scan.directives.size() == 1);
    CHECK(scan.directives[0].through == "HAS");
    CHECK(scan.directives[0].name == "MACRO");
    CHECK(scan.directives[0].form == Form::computed);
}

TEST_CASE("the condition of a directive") {
    const auto conditions = [](std::string_view text) {
        std::vector<std::string> result;
        for (const IncludeDirective& directive : scan_includes(text))
            result.push_back(directive.condition);
        return result;
    };
    CHECK(conditions("#include <a>\n#if A /* x */ > 1\n#include <b>\n#ifdef C\n#include <c>\n"
                     "#else\n#include <d>\n#endif\n#include <e>\n#elif E\n#include <f>\n#endif\n"
                     "#include <g>\n") == std::vector<std::string>{"", "A   > 1", "defined(C)",
                                                                   "!(defined(C))", "A   > 1", "E",
                                                                   ""});
    CHECK(conditions("#ifndef G_H\n#define G_H\n#include <a>\n#endif") ==
          std::vector<std::string>{""});
    CHECK(conditions("#pragma once\n#if !defined(G_H)\n#define G_H 1\n#include <a>\n#endif") ==
          std::vector<std::string>{""});
    CHECK(conditions("#ifndef A\n#include <a>\n#endif") == std::vector<std::string>{"!defined(A)"});
    CHECK(conditions("#else\n#endif\n#endif\n#include <a>") == std::vector<std::string>{""});
}

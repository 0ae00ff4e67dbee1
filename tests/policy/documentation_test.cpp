// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog_files.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

std::string document(const char* name) {
    std::ifstream file(std::filesystem::path(KILN_SOURCE_DIR) / "docs" / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// What stands between a ```yaml fence and its end.
std::vector<std::string> yaml_blocks(const std::string& text) {
    const std::string fence = "```yaml\n";
    std::vector<std::string> blocks;
    for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
        const auto begin = at + fence.size();
        blocks.push_back(text.substr(begin, text.find("```", begin) - begin));
    }
    return blocks;
}

/// Every `{...}` in backticks that fills a column of a table below a heading.
std::vector<std::string> table_maps(const std::string& text, const std::string& heading) {
    std::istringstream lines(text.substr(text.find(heading)));
    std::vector<std::string> maps;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && !line.starts_with("## ")) {
        const auto begin = line.find("| `{");
        const auto end = line.find("}` |");
        if (begin != std::string::npos && end != std::string::npos) {
            maps.push_back(line.substr(begin + 3, end + 1 - (begin + 3)));
        }
    }
    return maps;
}

} // namespace

TEST_CASE("the examples of docs/policy.md are policies") {
    const std::string text = document("policy.md");
    const auto blocks = yaml_blocks(text);
    CHECK(blocks.size() == 3);
    for (const auto& block : blocks) {
        CAPTURE(block);
        CHECK_NOTHROW(paper::policy(block));
    }
    const auto rules = table_maps(text, "## Examples");
    CHECK(rules.size() == 21);
    for (const auto& rule : rules) {
        CAPTURE(rule);
        CHECK_NOTHROW(paper::policy("policy: 1\nrules:\n  - " + rule + "\n"));
    }
}

TEST_CASE("the examples of docs/catalog.md are catalogs") {
    const std::string text = document("catalog.md");
    const auto blocks = yaml_blocks(text);
    REQUIRE(blocks.size() == 1);
    const CatalogFiles files;
    const auto catalog = files.load(blocks[0]);
    CHECK(catalog.instances(catalog.find("rms_norm")).size() == 7);
    const auto needs = table_maps(text, "## Needs");
    CHECK(needs.size() == 6);
    for (const auto& need : needs) {
        CAPTURE(need);
        CHECK_NOTHROW(files.load("catalog: 1\nmodules:\n  - name: m\n    source: m.cu\n"
                                 "    kernels: [k]\n    needs: [" +
                                 need + "]\n"));
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"
#include "fuzz/fuzz_input.h"

#include <kiln/error.h>

using namespace kiln;
using base::YamlNode;

namespace {

/// Visits everything, aliases as often as they are written; the limits bound how much that is.
void visit(const YamlNode& node, int depth) {
    promise(depth <= 64, "depth is bounded");
    promise(node.origin().line >= 1 && node.origin().column >= 1, "every node has a place");
    if (node.is_map()) {
        for (const auto& entry : node.entries()) {
            promise(node.has(entry.key), "a key is found by its name");
            visit(*entry.value, depth + 1);
        }
    } else if (node.is_list()) {
        for (const auto& item : node.items())
            visit(item, depth + 1);
    } else if (node.is_scalar()) {
        promise(node.text().find('\0') == std::string::npos, "no NUL in a value");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        visit(YamlNode::parse(fuzz_text(data, size), "p.yaml", ErrorCode::policy), 0);
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::policy, "the code of a refused document");
        promise(error.context("location").starts_with("p.yaml:"), "where it is refused");
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "arch/arch_names.h"

#include "base/yaml.h"

#include <algorithm>

namespace kiln::embedded {
extern const std::string_view arch_names_yaml;
}

namespace kiln::arch {
namespace {

ListEntry word(const base::YamlNode& node) {
    const auto text = node.text();
    if (text != "all" && text != "native")
        throw node.error("`means` is `all` or `native`");
    return {text == "all" ? ListEntry::Kind::all : ListEntry::Kind::native, {}};
}

std::vector<ArchName> read_names() {
    const auto document = base::YamlNode::parse(embedded::arch_names_yaml,
                                                "configs/arch_names.yaml", ErrorCode::internal);
    std::vector<ArchName> names;
    for (const auto& item : document.require("names").items()) {
        item.only_keys({"name", "archs", "means", "refused"});
        ArchName name{item.require("name").text(), {}, {}};
        if (item.has("archs")) {
            for (const auto& arch : item["archs"].items())
                name.entries.push_back({ListEntry::Kind::arch, ArchRequest::parse(arch.text())});
        } else if (item.has("means")) {
            name.entries.push_back(word(item["means"]));
        } else {
            name.refused = item.require("refused").text();
        }
        names.push_back(std::move(name));
    }
    return names;
}

} // namespace

const std::vector<ArchName>& arch_names() {
    static const std::vector<ArchName> names = read_names();
    return names;
}

const ArchName* find_arch_name(std::string_view name) {
    const auto& names = arch_names();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const ArchName& one) { return one.name == name; });
    return found == names.end() ? nullptr : &*found;
}

} // namespace kiln::arch

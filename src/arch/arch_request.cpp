// SPDX-License-Identifier: Apache-2.0
#include "arch/advice.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace kiln {

namespace {

ArchRequest request(const arch::Spelling& spelling) {
    return {spelling.target(),
            spelling.form != arch::Form::dotted || spelling.suffix != Suffix::none,
            spelling.with_ptx};
}

struct Refused {
    std::size_t position = 0; ///< counted from 1
    std::string_view text;
    arch::Advice advice;
};

Error list_refusal(std::string_view text, std::size_t entries, std::span<const Refused> refused) {
    std::vector<std::string> reasons;
    std::vector<std::string> hints;
    Error::Context context{{"list", std::string(text)}};
    for (const auto& [position, entry, advice] : refused) {
        reasons.push_back(entry.empty()
                              ? fmt::format("entry {} is empty", position)
                              : fmt::format("{}: {}", arch::quoted(entry), advice.reason));
        if (!advice.suggestion.empty())
            hints.push_back(fmt::format("{} for {}", advice.suggestion, arch::quoted(entry)));
        context.emplace_back("entry", entry);
    }
    auto hint = hints.empty() ? std::string("write capabilities (12.0) or targets (sm_120a), "
                                            "separated by commas")
                              : "write " + base::join(hints, ", ");
    return {ErrorCode::unknown_arch,
            fmt::format("{} of the {} entries {} no compute capability or target: {}",
                        refused.size(), entries, refused.size() == 1 ? "names" : "name",
                        base::join(reasons, "; ")),
            std::move(hint), std::move(context)};
}

} // namespace

ArchRequest ArchRequest::parse(std::string_view text) {
    const auto spelling = arch::read(text);
    if (!spelling)
        throw arch::refusal(text, arch::Wanted::request);
    return request(*spelling);
}

std::vector<ArchRequest> ArchRequest::parse_list(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const auto parts = base::split(text, ',');
    if (parts.size() == 1)
        return {parse(text)};
    std::vector<ArchRequest> requests;
    std::vector<Refused> refused;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // Blanks beside a comma belong to it; at the ends of the list they are as wrong as in a
        // single entry.
        auto entry = parts[i];
        if (i > 0)
            entry.remove_prefix(std::min(entry.find_first_not_of(blanks), entry.size()));
        if (i + 1 < parts.size())
            entry = entry.substr(0, entry.find_last_not_of(blanks) + 1);
        if (const auto spelling = arch::read(entry))
            requests.push_back(request(*spelling));
        else
            refused.push_back({i + 1, entry, arch::advise(entry)});
    }
    // `9,0` is one entry with a slip, rather than two wrong ones.
    if (refused.size() == parts.size() && !arch::advise(text).suggestion.empty())
        throw arch::refusal(text, arch::Wanted::request);
    if (!refused.empty())
        throw list_refusal(text, parts.size(), refused);
    return requests;
}

std::string ArchRequest::str() const {
    auto text = written_out || target.suffix != Suffix::none || target.kind != TargetKind::real
                    ? target.str()
                    : target.capability.str();
    if (with_ptx)
        text += "+PTX";
    return text;
}

} // namespace kiln

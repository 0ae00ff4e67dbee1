// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "policy/option_table.h"
#include "policy/options.h"
#include "toolkit/discovery.h"
#include "toolkit/nvrtc_library.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using kiln::policy::OptionRow;
using kiln::policy::OptionValue;

/// A value that the row's kind allows, behind one of its names.
std::string sample(const OptionRow& row, std::string_view name) {
    const std::string text(name);
    switch (row.value) {
    case OptionValue::none:
        return text;
    case OptionValue::boolean:
        return text + "=false";
    case OptionValue::integer:
        return text + "=64";
    case OptionValue::numbers:
        return text + "=177,550";
    case OptionValue::word:
        return text + "=" + std::string(kiln::base::split(row.choices, ' ').front());
    case OptionValue::text:
        return text + "=seed";
    case OptionValue::define:
    case OptionValue::name:
        return text + (text.size() == 2 ? "N" : "=N");
    case OptionValue::level:
        return text + (text.size() == 2 ? "3" : "=3");
    case OptionValue::ptxas:
        return text + "=-v,-O3";
    case OptionValue::host:
        return text + "=-fPIC";
    case OptionValue::fatbin:
        return text + "=-compress-all";
    }
    return text;
}

} // namespace

TEST_CASE("NVRTC takes every spelling that the table says it takes") {
    const auto found = kiln::toolkit::discover({}, kiln::base::Environment::of_process());
    const auto toolkit =
        std::find_if(found.toolkits.begin(), found.toolkits.end(), [](const auto& one) {
            // The table was measured with 13.0; an older NVRTC lacks some of it.
            return !one.nvrtc.empty() && !one.builtins.empty() && one.version.major >= 13;
        });
    if (toolkit == found.toolkits.end()) {
        MESSAGE("skipped: no NVRTC of CUDA 13 or newer was found");
        return;
    }
    const auto nvrtc = kiln::toolkit::NvrtcLibrary::open(toolkit->nvrtc, toolkit->builtins);
    int taken = 0;
    for (const OptionRow& row : kiln::policy::option_rows()) {
        for (const std::string_view name : {row.name, row.short_name}) {
            const auto translation =
                kiln::policy::translate(sample(row, name), kiln::Backend::nvrtc);
            std::vector<const char*> options{"--no-cache", "-arch=compute_90"};
            for (const std::string& spelling : translation.spelling) {
                options.push_back(spelling.c_str());
            }
            if (translation.spelling.empty()) {
                continue;
            }
            CAPTURE(options.back());
            nvrtcProgram program = nullptr;
            REQUIRE(nvrtc->create_program(&program, "", "/empty.cu", 0, nullptr, nullptr) ==
                    NVRTC_SUCCESS);
            CHECK(nvrtc->compile_program(program, static_cast<int>(options.size()),
                                         options.data()) == NVRTC_SUCCESS);
            nvrtc->destroy_program(&program);
            ++taken;
        }
    }
    CHECK(taken > 50);
}

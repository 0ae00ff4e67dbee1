// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_input.h"

#include <kiln/arch.h>
#include <kiln/error.h>

#include <string>
#include <vector>

using namespace kiln;

namespace {

/// What a parser makes of a text, written out, is read as the same again.
template <class Value>
void round_trip(std::string_view text) {
    try {
        const Value value = Value::parse(text);
        promise(Value::parse(value.str()) == value, "what is written out is read as the same");
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::unknown_arch, "the code of a refusal");
        promise(!error.message().empty(), "a refusal says something");
    }
}

void list(std::string_view text) {
    try {
        const std::vector<ArchRequest> requests = ArchRequest::parse_list(text);
        std::string written;
        for (const ArchRequest& request : requests) {
            written += (written.empty() ? "" : ",") + request.str();
            const bool itself = runs_on(request.target, request.target.capability);
            promise(itself, "a target runs on what it is named after");
        }
        promise(requests.empty() || ArchRequest::parse_list(written) == requests,
                "a list that is written out is read as the same");
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::unknown_arch, "the code of a refused list");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz_text(data, size);
    round_trip<ComputeCapability>(text);
    round_trip<Target>(text);
    round_trip<ArchRequest>(text);
    list(text);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <doctest/doctest.h>

#include <string>

/// The error that `call` throws; fails the test if it throws none or another type.
template <class Call>
kiln::Error refusal_of(Call call) {
    try {
        call();
    } catch (const kiln::Error& error) {
        return error;
    }
    FAIL("nothing was thrown");
    return kiln::Error(kiln::ErrorCode::internal, "");
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

/// The bytes of a file in tests/cubin/data (its README says how each was made).
inline std::vector<std::byte> test_data(const std::string& name) {
    std::ifstream file(std::string(KILN_TEST_DATA "/") + name, std::ios::binary | std::ios::ate);
    REQUIRE_MESSAGE(file, name << " cannot be read");
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    REQUIRE_MESSAGE(file, name << " cannot be read");
    return bytes;
}

/// The error that `call` throws; fails the test if it throws none or another type.
template <class Call>
kiln::Error error_of(Call call) {
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

// SPDX-License-Identifier: Apache-2.0
// A library with its own copy of the code under test, for the tests to put where they like.
#include "base/paths.h"

#include <string>

namespace {

std::string answer;

const char* say(const std::filesystem::path& path) {
    answer = path.string();
    return answer.c_str();
}

} // namespace

extern "C" {
__attribute__((visibility("default"))) const char* probe_image_directory() {
    return say(kiln::base::image_directory());
}
__attribute__((visibility("default"))) const char* probe_shipped_file(const char* relative) {
    return say(kiln::base::shipped_file(relative));
}
__attribute__((visibility("default"))) const char* probe_worker_program() {
    return say(kiln::base::worker_program(kiln::base::Environment()));
}
}

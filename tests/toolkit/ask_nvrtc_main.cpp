// SPDX-License-Identifier: Apache-2.0
// `--ask-nvrtc LIB BUILTINS`, as kiln-worker understands it.
#include "toolkit/capabilities.h"

#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 4)
        return 2;
    std::puts(kiln::toolkit::to_json(kiln::toolkit::ask_nvrtc_here(argv[2], argv[3])).c_str());
    return 0;
}

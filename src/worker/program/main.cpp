// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol.h"

int main(int argc, char** argv) {
    return kiln::worker::worker_main(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

// Each block adds 1; after the barrier of the whole grid every block must see all of them.
// wrong counts the blocks that do not. Launch: cooperative, else `valid` stays 0 and nothing is done.
extern "C" __global__ void meet(unsigned* arrived, unsigned* wrong, unsigned* valid) {
    auto grid = cooperative_groups::this_grid();
    if (!grid.is_valid()) {
        return;
    }
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
    }
    grid.sync();
    if (threadIdx.x == 0) {
        *valid = 1;
        if (*static_cast<volatile unsigned*>(arrived) != gridDim.x) {
            atomicAdd(wrong, 1u);
        }
    }
}

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the root of the CUDA toolkit that the build uses; exit 3 if there is none.
set -euo pipefail
cd "$(dirname "$0")/.."

candidates=("${CUDA_HOME:-}" "${CUDA_PATH:-}")
if nvcc=$(command -v nvcc); then
    candidates+=("$(dirname "$(dirname "$(readlink -f "$nvcc")")")")
fi
candidates+=(/usr/local/cuda "$PWD/build/cuda")
for root in "${candidates[@]}"; do
    if [[ -n $root && -e $root/include/nvrtc.h && -e $root/include/cuda.h ]]; then
        printf '%s\n' "$root"
        exit 0
    fi
done
exit 3

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds a preset: scripts/build.sh [--preset NAME] [--tests]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
tests=OFF
while (($# > 0)); do
    case $1 in
        --preset) preset=$2 && shift 2 ;;
        --tests) tests=ON && shift ;;
        *) echo "unknown argument $1" >&2 && exit 2 ;;
    esac
done

CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
# A build with tests is not turned back by one without.
if [[ -f build/$preset/CMakeCache.txt ]] && grep -q 'KILN_BUILD_TESTS:BOOL=ON' "build/$preset/CMakeCache.txt"; then
    tests=ON
fi
cmake --preset "$preset" -DKILN_BUILD_TESTS=$tests >"build-$preset.log" 2>&1 || {
    cat "build-$preset.log" && rm -f "build-$preset.log"
    exit 1
}
rm -f "build-$preset.log"
cmake --build --preset "$preset"

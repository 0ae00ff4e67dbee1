#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the release build: scripts/test.sh quick|full
# Ends with ctest's summary, which names each test that skipped itself.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-quick}
CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
# A log of what each test printed: a skipped test says there why.
log=build/release/test-output.log
arguments=(--test-dir build/release --output-on-failure --output-log "$log" -j "$(nproc)")
if [[ $what == quick ]]; then
    arguments+=(-L quick)
fi
status=0
ctest "${arguments[@]}" || status=$?
exit "$status"

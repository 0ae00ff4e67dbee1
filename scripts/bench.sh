#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the benchmarks: scripts/bench.sh [ARGUMENT of Google Benchmark...]
# Then the start of a process: the median of 21 runs of `kiln explain`, in ms.
set -euo pipefail
cd "$(dirname "$0")/.."

CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
cmake --preset release -DKILN_BUILD_BENCHMARKS=ON >/dev/null
cmake --build --preset release --target policy_bench kiln
build/release/bench/policy_bench "$@"

start() {
    python3 - "$@" <<'END'
import os, resource, statistics, subprocess, sys, time
walls, cpus = [], []
for _ in range(21):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
    walls.append(1e3 * (time.perf_counter() - begin))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpus.append(1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    if status not in (0, 4):
        sys.exit(f"exit status {status}: {' '.join(sys.argv[1:])}")
print(f"{statistics.median(walls):7.2f} ms wall {statistics.median(cpus):7.2f} ms CPU  {' '.join(sys.argv[1:])}")
END
}
start build/release/kiln --version
start build/release/kiln explain rms_norm --arch 12.0

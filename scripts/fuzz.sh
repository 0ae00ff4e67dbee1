#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers (preset `fuzz`) and runs each from its corpus: scripts/fuzz.sh [SECONDS] [NAME...]
# SECONDS: for each, 30 by default. New inputs go to build/fuzz/corpus; an input that breaks a promise
# stays in build/fuzz/findings and ends this with its reproduction. Without clang++: says so, exit 77.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
shift || true
names=("$@")
if ((${#names[@]} == 0)); then
    names=(arch yaml policy catalog entry framed)
fi
if ! command -v clang++ >/dev/null; then
    echo "fuzz: skipped, there is no clang++ (KILN_CHECKS=1 scripts/setup.sh installs it)"
    exit 77
fi

CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
cmake --preset fuzz -DKILN_BUILD_TESTS=OFF >/dev/null
cmake --build --preset fuzz

work=build/fuzz
mkdir -p "$work/findings"
for name in "${names[@]}"; do
    mkdir -p "$work/corpus/$name"
    log=$work/$name.log
    seeds=("tests/fuzz/corpus/$name")
    dictionary=tests/fuzz/$name.dict
    if [[ $name == yaml ]]; then
        # Its documents are those of the others, and a few that only YAML has.
        seeds+=(tests/fuzz/corpus/policy tests/fuzz/corpus/catalog)
        dictionary=tests/fuzz/catalog.dict
    fi
    options=(-dict="$dictionary")
    if [[ ! -e $dictionary ]]; then
        options=()
    fi
    echo "fuzz: $name for $seconds s, from $(find "${seeds[@]}" -type f | wc -l) inputs"
    # 256 KiB: enough for what YAML's limits refuse.
    status=0
    "$work/fuzz/${name}_fuzzer" -max_total_time="$seconds" -max_len=262144 -len_control=200 -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="$work/findings/$name-" -print_final_stats=1 \
        "${options[@]}" "$work/corpus/$name" "${seeds[@]}" >"$log" 2>&1 || status=$?
    if ((status != 0)); then
        tail -60 "$log"
        echo "fuzz: $name found something; the input is the newest in $work/findings:"
        echo "    $work/fuzz/${name}_fuzzer $work/findings/$name-..."
        exit 1
    fi
    grep -E "number_of_executed_units|peak_rss_mb" "$log" | sed "s/^/fuzz: $name /"
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Breaks the cache on purpose (tests/faults) and writes down what it saw: scripts/faults.sh [--long] [NAME...]
# NAME: seam, damage, kill, replaced, crowd, limits, golden, program; all by default. The long form takes about half an
# hour. Figures: build/release/faults/figures.json (a line a suite) and figures.md. Reads of the formats have
# fuzzers as well: scripts/fuzz.sh 600 entry framed.
set -euo pipefail
cd "$(dirname "$0")/.."

form=short
if [[ ${1:-} == --long ]]; then
    form=long
    shift
fi
names=("$@")
if ((${#names[@]} == 0)); then
    names=(seam damage kill replaced crowd limits golden program)
fi
build=$PWD/build/release
if [[ ! -x $build/kiln ]]; then
    echo "faults: build first (scripts/build.sh --tests)" >&2
    exit 2
fi
CUDA_HOME=$(scripts/cuda_home.sh)
mkdir -p "$build/faults"
export CUDA_HOME
export KILN_FAULTS=$form KILN_FAULTS_FIGURES=$build/faults/figures.json
export KILN_BINARY=$build/kiln KILN_SOURCE_DIR=$PWD KILN_BUILD_DIR=$build
: >"$KILN_FAULTS_FIGURES"

failed=()
for name in "${names[@]}"; do
    echo "faults: $name ($form form)"
    status=0
    if [[ $name == program ]]; then
        python3 tests/faults/program_test.py || status=$?
    else
        "$build/tests/faults_${name}_test" || status=$?
    fi
    # 77: it could not be run here, and said why.
    if ((status != 0 && status != 77)); then
        failed+=("$name")
    fi
done

python3 - "$KILN_FAULTS_FIGURES" "$build/faults/figures.md" "$form" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]
with open(sys.argv[2], "w", encoding="utf-8") as page:
    page.write(f"| suite ({sys.argv[3]} form) | figures |\n|---|---|\n")
    for row in rows:
        suite = row.pop("suite")
        page.write(f"| {suite} | " + ", ".join(f"{name.replace('_', ' ')}: {value:,}"
                                               for name, value in row.items()) + " |\n")
PYTHON
cat "$build/faults/figures.md"
if ((${#failed[@]} > 0)); then
    echo "faults: failed: ${failed[*]}" >&2
    exit 1
fi

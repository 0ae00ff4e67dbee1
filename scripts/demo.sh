#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Warms the shipped catalog for every target of the toolkit, twice, and launches a kernel where a
# device is present. Uses a cache of its own in build/demo-cache, emptied first.
set -euo pipefail
cd "$(dirname "$0")/.."

CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
export KILN_CACHE_DIR=$PWD/build/demo-cache
kiln=build/release/kiln

say() { printf '\n== %s\n' "$*"; }

say "the toolchain"
"$kiln" doctor
"$kiln" cache clear --quiet

say "warming the shipped catalog for every target of the toolkit"
start=$SECONDS
"$kiln" warm --arch all --allow-skips --table
echo "first run: $((SECONDS - start)) s"

say "the same again: everything is a hit"
start=$SECONDS
"$kiln" warm --arch all --allow-skips --quiet --json >build/demo-second.json
python3 - build/demo-second.json <<'END'
import json, sys
summary = json.load(open(sys.argv[1]))["summary"]
print(", ".join(f"{count} {name}" for name, count in summary.items()))
if summary["compiled"] or summary["failed"]:
    sys.exit("the second run should only have hits")
END
echo "second run: $((SECONDS - start)) s"

say "the device"
"$kiln" devices
if [[ $("$kiln" devices --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["devices"]))') != 0 ]]; then
    scripts/build_example.sh build/demo-example
    build/demo-example/embed
else
    echo "nothing is launched; examples/embed does on a machine with one"
fi

say "three things to try next"
cat <<'END'
build/release/kiln explain fp4_convert --arch 9.0,12.0
build/release/kiln which cub/block/block_reduce.cuh
build/release/kiln compile kernels/vector_add.cu --arch 9.0,12.0 -o build/out
END

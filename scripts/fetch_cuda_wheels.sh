#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A CUDA toolkit out of NVIDIA's Python wheels (nvcc, NVRTC, runtime, CCCL), by pinned version and
# digest: scripts/fetch_cuda_wheels.sh [RELEASE]
#   without RELEASE  that of scripts/cuda-wheels.txt, in build/cuda
#   12.8, 13.5       the further ones that tests use (scripts/cuda-wheels-RELEASE.txt), in
#                    build/cuda-wheels-RELEASE, a directory that `kiln --toolkit` takes
# Prints nothing where it is there already. Exit 77: no registry answers. Callers at the same time
# wait for each other; the directory appears by a rename, so it is whole or absent.
set -euo pipefail
cd "$(dirname "$0")/.."

release=${1:+-$1}
pins=scripts/cuda-wheels$release.txt
directory=build/cuda-wheels$release
if [[ ! -f $pins ]]; then
    echo "there is no $pins" >&2
    exit 2
fi
mkdir -p build
exec 9>"$directory.lock"
flock 9
if cmp -s "$pins" "$directory/pinned" && [[ -n $release || -e build/cuda/include/nvrtc.h ]]; then
    exit 0
fi
echo "fetching NVIDIA's wheels of $pins (190 MB at most)"
rm -rf "$directory" "$directory.new"
mkdir -p "$directory.new"
if python3 -m pip --version >/dev/null 2>&1; then
    python=python3
else
    python3 -m venv build/venv
    python=build/venv/bin/python
fi
index=()
if [[ ${KILN_OFFLINE:-0} != 0 ]]; then
    index=(--no-index)
fi
if ! "$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
    "${index[@]}" --only-binary :all: --target "$directory.new" -r "$pins" \
    2>"$directory.new/errors"; then
    cat "$directory.new/errors" >&2
    if grep -qiE 'hash|digest' "$directory.new/errors"; then
        echo "a wheel is not the one that was pinned" >&2
        exit 1
    fi
    echo "no registry answers" >&2
    exit 77
fi
cp "$pins" "$directory.new/pinned"
mv "$directory.new" "$directory"
if [[ -z $release ]]; then
    rm -rf build/cuda
    ln -s cuda-wheels/nvidia/cu13 build/cuda
fi

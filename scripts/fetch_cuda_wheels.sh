#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A CUDA toolkit in build/cuda out of NVIDIA's Python wheels (nvcc, NVRTC, runtime, CCCL), by pinned
# version and digest. Exit 77: no registry answers.
set -euo pipefail
cd "$(dirname "$0")/.."

directory=build/cuda-wheels
if [[ -e build/cuda/include/nvrtc.h ]] && cmp -s scripts/cuda-wheels.txt $directory/pinned; then
    exit 0
fi
echo "fetching NVIDIA's wheels of nvcc, NVRTC, runtime and CCCL (about 190 MB)"
rm -rf $directory build/cuda
mkdir -p $directory
if python3 -m pip --version >/dev/null 2>&1; then
    python=python3
else
    python3 -m venv build/venv
    python=build/venv/bin/python
fi
if ! "$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
    --only-binary :all: --target $directory -r scripts/cuda-wheels.txt 2>$directory/errors; then
    cat $directory/errors >&2
    if grep -qiE 'hash|digest' $directory/errors; then
        echo "a wheel is not the one that was pinned" >&2
        exit 1
    fi
    echo "no registry answers" >&2
    exit 77
fi
ln -s cuda-wheels/nvidia/cu13 build/cuda
cp scripts/cuda-wheels.txt $directory/pinned

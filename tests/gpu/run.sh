#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs everything that needs a device:
#   tests/gpu/run.sh [--report FILE] [--sanitizer [TOOL]] [--no-build] [-- doctest's options]
# --report FILE     what was seen, as JSON (default: build/release/gpu-report.json); copied to
#                   docs/devices/ it becomes part of docs/devices.md (devices_page.py)
# --sanitizer TOOL  runs it under compute-sanitizer: memcheck (default), racecheck, synccheck, initcheck
# Packages that the host lacks can be given as unpacked prefixes in CMAKE_PREFIX_PATH.
# Exit code 77: there is no device or no toolkit, and the reason was printed.
set -euo pipefail
cd "$(dirname "$0")/../.."

report=
sanitizer=
build=1
while (($# > 0)); do
    case $1 in
        --report) report=$2 && shift 2 ;;
        --sanitizer)
            sanitizer=memcheck && shift
            if (($# > 0)) && [[ $1 != -* ]]; then sanitizer=$1 && shift; fi
            ;;
        --no-build) build=0 && shift ;;
        --) shift && break ;;
        *) echo "unknown argument $1" >&2 && exit 2 ;;
    esac
done
report=$(realpath -m "${report:-build/release/gpu-report${sanitizer:+-$sanitizer}.json}")

CUDA_HOME=$(scripts/cuda_home.sh) || {
    echo "no CUDA toolkit was found: set CUDA_HOME" >&2
    exit 77
}
export CUDA_HOME
if ((build)); then
    cmake --preset release -DKILN_BUILD_TESTS=ON
    cmake --build --preset release --target gpu_test
fi
if [[ -z ${KILN_COMMIT:-} ]] && git rev-parse HEAD >/dev/null 2>&1; then
    KILN_COMMIT=$(git rev-parse HEAD)
    git diff --quiet HEAD -- || KILN_COMMIT+=" with changes"
fi
export KILN_COMMIT=${KILN_COMMIT:-}

command=(build/release/tests/gpu_test --report "$report" "$@")
if [[ -n $sanitizer ]]; then
    tool=
    for candidate in "$(command -v compute-sanitizer || true)" \
        "$CUDA_HOME"/{bin,compute-sanitizer}/compute-sanitizer; do
        if [[ -x $candidate ]]; then tool=$candidate && break; fi
    done
    if [[ -z $tool ]]; then
        echo "compute-sanitizer was not found: looked on PATH and in $CUDA_HOME" >&2
        exit 3
    fi
    export KILN_GPU_SANITIZER=$sanitizer
    # Children compile, or are tested for how they fail: they are left alone.
    command=("$tool" --tool "$sanitizer" --target-processes application-only --error-exitcode 9
        "${command[@]}")
fi
exec "${command[@]}"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the release build into build/prefix and builds examples/embed against it, as a user would:
# scripts/build_example.sh DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."

directory=${1:?a directory for the build of the example}
cmake --install build/release --prefix "$PWD/build/prefix" >/dev/null
cmake -S examples/embed -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$PWD/build/prefix" -DCMAKE_BUILD_RPATH="$PWD/build/prefix/lib" >/dev/null
cmake --build "$directory" >/dev/null

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Format, order of the rooms, licence lines, and clang-tidy over what is compiled.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t sources < <(git ls-files '*.cpp' '*.h' | grep -Ev '^tests/.*/data/')
clang-format --dry-run -Werror "${sources[@]}"
echo "format: ${#sources[@]} files"

python3 scripts/check_layers.py
python3 scripts/check_text.py

if [[ ${1:-} != --no-tidy ]]; then
    mapfile -t units < <(git ls-files 'src/*.cpp')
    printf '%s\n' "${units[@]}" |
        xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/release --warnings-as-errors='*' \
            --extra-arg=-Wno-unknown-warning-option 2>/dev/null
    echo "clang-tidy: ${#units[@]} files"
fi

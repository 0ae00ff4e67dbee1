#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Licence lines, length of files, things left for later, names that say nothing."""
import pathlib
import re
import subprocess
import sys

LICENSED = {".cpp", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake", ".yaml"}
LIMIT = 350
LATER = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
EMPTY_NAMES = re.compile(r"(^|[/_])(utils?|helpers?|common|manager)([._]|$)")


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    names = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    complaints = []
    for name in filter(None, names):
        path = root / name
        if not path.is_file() or "/data/" in name:
            continue
        if EMPTY_NAMES.search(name):
            complaints.append(f"{name}: the name says nothing")
        if path.suffix not in LICENSED and path.name != "CMakeLists.txt":
            continue
        text = path.read_text()
        lines = text.split("\n")
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            complaints.append(f"{name}: no SPDX line")
        if len(lines) > LIMIT and path.suffix in {".cpp", ".h", ".py"}:
            complaints.append(f"{name}: {len(lines)} lines; is it one idea?")
        for number, line in enumerate(lines, 1):
            if LATER.search(line):
                complaints.append(f"{name}:{number}: left for later")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"text: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each room includes only rooms above it; cache and device know neither compile nor worker."""
import pathlib
import re
import sys

ROOMS = ["base", "arch", "cubin", "toolkit", "catalog", "policy", "source", "compile", "worker",
         "cache", "device", "evidence", "service", "proof", "cli"]
# The room that a public header belongs to.
PUBLIC = {"export.h": "base", "error.h": "base", "version.h": "base", "arch.h": "arch",
          "cubin.h": "cubin", "plan.h": "policy", "device.h": "device", "service.h": "service",
          "kiln.h": "service"}
FORBIDDEN = {"cache": {"compile", "worker"}, "device": {"compile", "worker"}}
# Third-party headers that must not leak into the public API.
NOT_PUBLIC = re.compile(r"#include\s*[<\"](spdlog|yaml|fmt|nlohmann|CLI|xxhash|nettle|gelf)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([a-z_]+)/[^"]+"|<kiln/([^>]+)>)', re.MULTILINE)


def complaints_of(path: pathlib.Path, room: str):
    text = path.read_text()
    for match in INCLUDE.finditer(text):
        used = match.group(1) or PUBLIC.get(match.group(2))
        line = text.count("\n", 0, match.start()) + 1
        if match.group(2) and used is None:
            yield f"{path}:{line}: <kiln/{match.group(2)}> belongs to no room; add it to PUBLIC"
        elif used in ROOMS and ROOMS.index(used) > ROOMS.index(room):
            yield f"{path}:{line}: {room} may not use {used}, which stands below it"
        elif used in FORBIDDEN.get(room, ()):
            yield f"{path}:{line}: {room} may not use {used}"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    complaints = []
    count = 0
    for path in sorted(root.glob("src/*/**/*.[ch]*")):
        room = path.relative_to(root / "src").parts[0]
        if room not in ROOMS:
            complaints.append(f"{path}: {room} is no room")
            continue
        count += 1
        complaints.extend(complaints_of(path, room))
    for path in sorted((root / "include/kiln").glob("*.h")):
        room = PUBLIC.get(path.name)
        count += 1
        if room is None:
            complaints.append(f"{path}: belongs to no room; add it to PUBLIC")
            continue
        complaints.extend(complaints_of(path, room))
        if NOT_PUBLIC.search(path.read_text()):
            complaints.append(f"{path}: a third-party header in a public header")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"layers: {count} files, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

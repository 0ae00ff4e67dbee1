#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Brings FlashInfer's headers, unmodified, into a directory, for the real-world tests.

usage: fetch_flashinfer.py DIR [--pin FILE]

The package is pinned by version and SHA-256 in requirements.txt (or FILE) and comes through pip,
with whatever index, mirror, proxy or local wheels pip is configured for. Afterwards DIR holds
`data/include`, `data/cutlass`, `data/spdlog`, `data/cccl`, `LICENSE` and a stamp; only what the
tests include is unpacked. A second call checks the stamp and the number and size of the files, and
asks nobody.

DIR belongs to this script: an earlier fetch in it is replaced, anything else in it is an error. It
appears by a rename, so it is whole or absent, and callers at the same time wait for each other.

KILN_OFFLINE=1 keeps pip from asking an index; local wheels that it is configured for are used.

Exit status: 0 ready; 77 no index answered and there is nothing to use (a skip, with the reason);
1 anything else that went wrong, a wrong digest first of all; 2 wrong usage; 3 no pip.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile

READY, FAILED, NO_PIP, SKIPPED = 0, 1, 3, 77
DOWNLOAD_SECONDS = 600
STAMP = ".fetched.json"
LAYOUT = 1  # raise it when UNPACKED changes, so that older directories are replaced

# Prefixes in the wheel and where they land below DIR.
UNPACKED = (
    ("flashinfer/data/include/", "data/include/"),
    ("flashinfer/data/cutlass/include/", "data/cutlass/include/"),
    ("flashinfer/data/cutlass/tools/util/include/", "data/cutlass/tools/util/include/"),
    ("flashinfer/data/spdlog/include/", "data/spdlog/include/"),
    ("flashinfer/data/cccl/cub/cub/", "data/cccl/cub/cub/"),
    ("flashinfer/data/cccl/libcudacxx/include/", "data/cccl/libcudacxx/include/"),
    ("flashinfer/data/cccl/thrust/thrust/", "data/cccl/thrust/thrust/"),
)
LICENSE = re.compile(r"flashinfer_python-[^/]+\.dist-info/licenses/LICENSE")

# pip exits with 1 for everything, so its words decide what the failure was.
UNREACHABLE = re.compile(
    r"Retrying \(Retry|Max retries exceeded|ConnectionError|ConnectTimeout|ReadTimeout|timed out|"
    r"ProxyError|SSLError|Could not fetch URL|\b50[0234] (Server Error|Bad Gateway|Service)|"
    r"from versions: none\)"
)
WRONG_DIGEST = re.compile(r"DO NOT MATCH THE HASHES")


class Failure(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def read_pin(path):
    """Requirement and digest of the one package in the file: `NAME==VERSION --hash=sha256:...`."""
    lines = (re.sub(r"(^|\s)#.*", "", line) for line in path.read_text().splitlines())
    text = " ".join("\n".join(lines).replace("\\\n", " ").split())
    match = re.fullmatch(r"(\S+==\S+) --hash=sha256:([0-9a-f]{64})", text)
    if match is None:
        raise Failure(FAILED, f"{path}: expected one line NAME==VERSION --hash=sha256:DIGEST")
    return match.group(1), match.group(2)


def measure(directory):
    """Number and total size of the files below directory, without the stamp."""
    files = size = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            if path != os.path.join(directory, STAMP):
                files += 1
                size += os.stat(path, follow_symlinks=False).st_size
    return {"files": files, "bytes": size}


def is_ready(directory, digest):
    try:
        stamp = json.loads((directory / STAMP).read_text())
        return stamp == {"sha256": digest, "layout": LAYOUT, **measure(directory)}
    except (OSError, ValueError):
        return False


def refuse_foreign(directory):
    if not (directory / STAMP).is_file() and any(directory.iterdir()):
        raise Failure(FAILED, f"{directory} holds files of someone else; give another DIR")


def pip_command():
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    program = shutil.which("pip3")
    if program is None:
        raise Failure(NO_PIP, "this Python has no pip; on Debian: apt-get install python3-pip")
    return [program]


def download(requirement, digest, folder):
    """Lets pip fetch and verify the wheel; returns its path."""
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{requirement} --hash=sha256:{digest}\n")
    wheels = folder / "wheels"
    command = [
        *pip_command(),
        "--disable-pip-version-check",
        "--no-input",
        "--retries",
        "2",
        "--timeout",
        "20",
    ]
    command += [
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--ignore-requires-python",
        "--require-hashes",
    ]
    command += ["--progress-bar", "off", "--dest", str(wheels), "--requirement", str(pinned)]
    # PIP_NO_INDEX is pip's own word; a virtual environment is not needed to download.
    environment = {**os.environ, "LC_ALL": "C", "PIP_REQUIRE_VIRTUALENV": "0"}
    if os.environ.get("KILN_OFFLINE", "") not in ("", "0"):
        environment["PIP_NO_INDEX"] = "1"
    try:
        pip = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=DOWNLOAD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(
            SKIPPED, f"pip had no answer within {DOWNLOAD_SECONDS} s for {requirement}"
        ) from error
    if pip.returncode != 0:
        said = "\n".join("  pip: " + line for line in pip.stdout.strip().splitlines()[-20:])
        if WRONG_DIGEST.search(pip.stdout):
            raise Failure(FAILED, f"{requirement} does not have the pinned digest {digest}\n{said}")
        if UNREACHABLE.search(pip.stdout):
            raise Failure(SKIPPED, f"no package index answered for {requirement}\n{said}")
        raise Failure(FAILED, f"pip could not download {requirement}\n{said}")
    found = list(wheels.iterdir())
    if len(found) != 1 or found[0].suffix != ".whl":
        raise Failure(FAILED, f"pip left {[p.name for p in found]} where one wheel was expected")
    return found[0]


def verify(wheel, digest):
    seen = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if seen != digest:
        raise Failure(FAILED, f"{wheel.name} has the digest {seen}, pinned is {digest}")


def destination(name):
    """Where a member of the wheel goes below DIR; None for what is not unpacked."""
    if LICENSE.fullmatch(name):
        return "LICENSE"
    for prefix, target in UNPACKED:
        if name.startswith(prefix) and not name.endswith("/"):
            path = target + name[len(prefix) :]
            if any(part in ("", ".", "..") for part in path.split("/")):
                raise Failure(FAILED, f"the wheel holds the unsafe name {name}")
            return path
    return None


def unpack(wheel, tree, digest):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            path = destination(member.filename)
            if path is not None:
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(archive.read(member))  # checks the CRC
    empty = [target for _, target in UNPACKED if not (tree / target).is_dir()]
    if empty:
        raise Failure(FAILED, f"{wheel.name} has nothing for {', '.join(empty)}")
    (tree / STAMP).write_text(
        json.dumps({"sha256": digest, "layout": LAYOUT, **measure(tree)}) + "\n"
    )


def fetch(directory, pin):
    requirement, digest = read_pin(pin)
    if is_ready(directory, digest):
        print(f"{requirement} is ready in {directory}")
        return
    directory.parent.mkdir(parents=True, exist_ok=True)
    scratch_prefix = f".{directory.name}.fetch-"
    with open(directory.parent / f".{directory.name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Under the lock, whatever carries the prefix is what an interrupted run left. Its pip may
        # live and write for a moment more; what comes back goes the next time.
        for stale in directory.parent.glob(scratch_prefix + "*"):
            shutil.rmtree(stale, ignore_errors=True)
        if is_ready(directory, digest):
            print(f"{requirement} is ready in {directory}")
            return
        if directory.exists():
            refuse_foreign(directory)
        with tempfile.TemporaryDirectory(prefix=scratch_prefix, dir=directory.parent) as name:
            scratch = pathlib.Path(name)
            wheel = download(requirement, digest, scratch)
            verify(wheel, digest)
            tree = scratch / "tree"
            tree.mkdir()
            unpack(wheel, tree, digest)
            if directory.exists():
                directory.rename(scratch / "replaced")
            tree.rename(directory)
    print(f"{requirement} fetched into {directory}")


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description="Fetches FlashInfer's headers.")
    parser.add_argument("directory", metavar="DIR", type=pathlib.Path)
    parser.add_argument(
        "--pin", metavar="FILE", type=pathlib.Path, default=here / "requirements.txt"
    )
    arguments = parser.parse_args()
    # An exit, unlike the signal, removes the scratch directory and ends pip.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        fetch(arguments.directory.absolute(), arguments.pin)
    except Failure as failure:
        word = "SKIPPED" if failure.status == SKIPPED else "error"
        print(f"fetch_flashinfer: {word}: {failure}", file=sys.stderr)
        return failure.status
    except (OSError, zipfile.BadZipFile) as error:
        print(f"fetch_flashinfer: error: {error}", file=sys.stderr)
        return FAILED
    return READY


if __name__ == "__main__":
    sys.exit(main())

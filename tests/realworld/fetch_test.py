#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of fetch_flashinfer.py. They need pip and no network: the wheel is made here and found by
pip's own PIP_FIND_LINKS, and an index that does not answer is a closed port of this host."""

import contextlib
import hashlib
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest
import zipfile

SCRIPT = pathlib.Path(__file__).resolve().parent / "fetch_flashinfer.py"
NAME = "flashinfer_python-1.2.3"
ROOTS = (
    "include/flashinfer/norm.cuh",
    "cutlass/include/cutlass/version.h",
    "cutlass/tools/util/include/cutlass/util/device_memory.h",
    "spdlog/include/spdlog/spdlog.h",
    "cccl/cub/cub/cub.cuh",
    "cccl/libcudacxx/include/cuda/std/tuple",
    "cccl/thrust/thrust/version.h",
)


def make_wheel(folder, extra=()):
    folder.mkdir(exist_ok=True)
    wheel = folder / f"{NAME}-py3-none-any.whl"
    info = f"{NAME}.dist-info"
    members = {f"flashinfer/data/{root}": f"// {root}\n" for root in ROOTS}
    members["flashinfer/__init__.py"] = ""
    members[f"{info}/METADATA"] = "Metadata-Version: 2.1\nName: flashinfer-python\nVersion: 1.2.3\n"
    members[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members[f"{info}/RECORD"] = ""
    members[f"{info}/licenses/LICENSE"] = "the licence\n"
    members.update(extra)
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return wheel


class Fetch(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.wheel = make_wheel(self.folder / "wheels")
        self.directory = self.folder / "build" / "flashinfer"
        self.pin = self.folder / "pin.txt"
        self.write_pin(hashlib.sha256(self.wheel.read_bytes()).hexdigest())

    def write_pin(self, digest):
        self.pin.write_text(
            f"# a comment\nflashinfer-python==1.2.3 \\\n    --hash=sha256:{digest}\n"
        )

    def run_script(self, **environment):
        own = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "KILN_"))}
        own |= {"PIP_NO_CACHE_DIR": "1", "PIP_CONFIG_FILE": os.devnull, **environment}
        command = [sys.executable, str(SCRIPT), str(self.directory), "--pin", str(self.pin)]
        return subprocess.run(
            command, env=own, capture_output=True, text=True, timeout=120, check=False
        )

    def fetch(self):
        return self.run_script(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.wheel.parent))

    def fetch_offline(self):
        return self.run_script(KILN_OFFLINE="1")

    def left_beside(self):
        return sorted(p.name for p in self.directory.parent.iterdir() if p.suffix != ".lock")

    def test_unpacks_what_is_included_and_nothing_else(self):
        result = self.fetch()
        self.assertEqual(result.returncode, 0, result.stderr)
        found = {
            str(p.relative_to(self.directory)) for p in self.directory.rglob("*") if p.is_file()
        }
        self.assertEqual(found, {f"data/{root}" for root in ROOTS} | {"LICENSE", ".fetched.json"})
        self.assertEqual(self.left_beside(), ["flashinfer"])

    def test_second_call_needs_no_index(self):
        self.fetch()
        result = self.fetch_offline()
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_damaged_directory_is_fetched_again(self):
        self.fetch()
        header = self.directory / "data" / ROOTS[0]
        header.write_text("")
        self.assertEqual(self.fetch_offline().returncode, 77)
        self.assertEqual(self.fetch().returncode, 0)
        self.assertEqual(header.read_text(), f"// {ROOTS[0]}\n")

    def test_leftovers_of_an_interrupted_run_go(self):
        leftover = self.directory.parent / ".flashinfer.fetch-old"
        (leftover / "tree" / "data").mkdir(parents=True)
        self.assertEqual(self.fetch().returncode, 0)
        self.assertEqual(self.left_beside(), ["flashinfer"])

    def test_wrong_digest_is_an_error(self):
        self.write_pin("0" * 64)
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("pinned digest", result.stderr)
        self.assertFalse(self.directory.exists())

    def test_new_pin_replaces_the_old_directory(self):
        self.fetch()
        make_wheel(self.wheel.parent, {"flashinfer/data/include/flashinfer/page.cuh": "// new\n"})
        self.write_pin(hashlib.sha256(self.wheel.read_bytes()).hexdigest())
        self.assertEqual(self.fetch().returncode, 0)
        self.assertTrue((self.directory / "data/include/flashinfer/page.cuh").is_file())
        self.assertEqual(self.left_beside(), ["flashinfer"])

    def test_index_that_does_not_answer_is_a_skip(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))  # bound, not listening: refused
            port = closed.getsockname()[1]
            result = self.run_script(PIP_INDEX_URL=f"http://127.0.0.1:{port}/simple")
        self.assertEqual(result.returncode, 77, result.stderr)
        self.assertIn("SKIPPED", result.stderr)
        self.assertFalse(self.directory.exists())

    def test_version_that_is_not_there_is_an_error(self):
        self.pin.write_text(f"flashinfer-python==9.9.9 --hash=sha256:{'0' * 64}\n")
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not download", result.stderr)

    def test_foreign_files_are_not_replaced(self):
        self.directory.mkdir(parents=True)
        (self.directory / "mine.txt").write_text("mine")
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("give another DIR", result.stderr)
        self.assertEqual((self.directory / "mine.txt").read_text(), "mine")

    def test_wheel_that_lacks_a_root_is_an_error(self):
        with zipfile.ZipFile(self.wheel) as archive:
            kept = {n: archive.read(n) for n in archive.namelist() if "/spdlog/" not in n}
        with zipfile.ZipFile(self.wheel, "w") as archive:
            for name, data in kept.items():
                archive.writestr(name, data)
        self.write_pin(hashlib.sha256(self.wheel.read_bytes()).hexdigest())
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("data/spdlog/include/", result.stderr)

    def test_name_that_leaves_the_directory_is_an_error(self):
        make_wheel(self.wheel.parent, {"flashinfer/data/include/../../../../escaped": "x"})
        self.write_pin(hashlib.sha256(self.wheel.read_bytes()).hexdigest())
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("unsafe name", result.stderr)

    def test_two_at_once(self):
        own = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheel.parent)}
        command = [sys.executable, str(SCRIPT), str(self.directory), "--pin", str(self.pin)]
        runs = [
            subprocess.Popen(
                command, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            for _ in range(2)
        ]
        said = [run.communicate(timeout=120)[0] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0, 0], said)
        self.assertEqual(sum("fetched into" in text for text in said), 1, said)


if __name__ == "__main__":
    unittest.main()

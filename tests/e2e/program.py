# SPDX-License-Identifier: Apache-2.0
"""Runs the kiln program as a user would: a fresh HOME, an environment of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

KILN = pathlib.Path(os.environ["KILN_BINARY"])
SOURCE = pathlib.Path(os.environ["KILN_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["KILN_BUILD_DIR"])

K_CU = 'extern "C" __global__ void k(float* p) { p[threadIdx.x] += 1.f; }\n'


def cuda_home() -> str:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(name):
            return os.environ[name]
    nvcc = shutil.which("nvcc")
    if nvcc:
        return str(pathlib.Path(nvcc).resolve().parent.parent)
    return "/usr/local/cuda"


class Outcome:
    def __init__(self, done: subprocess.CompletedProcess):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Case(unittest.TestCase):
    """One HOME, cache and working directory a test, removed afterwards."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="kiln-e2e-")).resolve()
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.home = self.directory / "home"
        self.work = self.directory / "work"
        self.home.mkdir()
        self.work.mkdir()
        self.environment = {"HOME": str(self.home), "PATH": os.environ["PATH"],
                            "CUDA_HOME": cuda_home()}
        for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
                     "UBSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def kiln(self, *arguments, cwd=None, program=KILN, timeout=240, **variables) -> Outcome:
        environment = dict(self.environment)
        for name, value in variables.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = str(value)
        return Outcome(subprocess.run([str(program), *map(str, arguments)],
                                      cwd=cwd or self.work, env=environment, text=True,
                                      capture_output=True, timeout=timeout, check=False))

    def ok(self, *arguments, **more) -> Outcome:
        outcome = self.kiln(*arguments, **more)
        self.assertEqual(outcome.code, 0, outcome)
        return outcome

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def compile(self, source, arch="9.0", *more, **variables):
        """Compiles and returns the one result."""
        outcome = self.ok("compile", source, "--arch", arch, "--json", *more, **variables)
        results = outcome.json["results"]
        self.assertEqual(len(results), 1, outcome)
        return results[0]


def main():
    """Ends with 77, which ctest takes for a skip, where every test of the file was skipped."""
    program = unittest.main(exit=False, verbosity=2)
    result = program.result
    if result.wasSuccessful() and result.testsRun and len(result.skipped) == result.testsRun:
        print("skipped:", result.skipped[0][1], file=sys.stderr)
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)

# SPDX-License-Identifier: Apache-2.0
"""The program itself, killed, crowded and starved: the kernel is right or there is an error."""
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from program import KILN, Case, main  # noqa: E402

LONG = os.environ.get("KILN_FAULTS") == "long"
SOURCE = '#include "h.h"\nextern "C" __global__ void k%d(int* p) { *p += STEP + %d; }\n'
KERNELS = 3


def report(suite, **figures):
    import json
    if os.environ.get("KILN_FAULTS_FIGURES"):
        with open(os.environ["KILN_FAULTS_FIGURES"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"suite": suite, **figures}) + "\n")
    print(suite, figures)


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.write("inc/h.h", "#define STEP 1\n")
        for i in range(KERNELS):
            self.write(f"x{i}.cu", SOURCE % (i, i))
        self.cache = self.home / ".cache/kiln"

    def arguments(self, i, output, *more):
        return ["compile", f"x{i}.cu", "--arch", "9.0", "-I", "inc", "-o", str(output), *more]

    def start(self, i, output, *more, **variables):
        return subprocess.Popen([str(KILN), *self.arguments(i, output, *more)], cwd=self.work,
                                env={**self.environment, **variables}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def reference(self, i):
        """Made without a cache."""
        output = self.work / f"reference{i}.cubin"
        if not output.exists():
            self.ok(*self.arguments(i, output), KILN_MODE="off")
        return output.read_bytes()

    def stats(self):
        return self.ok("cache", "stats", "--json").json

    def staging(self):
        return list(self.cache.rglob(".staging-*"))

    # --- one compile for everybody

    def test_without_a_cache_the_bytes_are_always_the_same(self):
        first = self.reference(0)
        for _ in range(2):
            (self.work / "reference0.cubin").unlink()
            self.assertEqual(self.reference(0), first)

    def test_sixteen_processes_at_once_make_one_compile(self):
        running = [self.start(0, self.work / f"out{n}.cubin") for n in range(16)]
        for process in running:
            _, err = process.communicate(timeout=240)
            self.assertEqual(process.returncode, 0, err)
        for n in range(16):
            self.assertEqual((self.work / f"out{n}.cubin").read_bytes(), self.reference(0))
        self.assertEqual(self.stats()["compiles"], 1)
        report("16 programs at once", compiles=1)

    def test_the_owner_of_a_compile_is_killed_and_another_takes_over(self):
        slowest = 0.0
        rounds = 20 if LONG else 2
        for n in range(rounds):
            shutil.rmtree(self.cache, ignore_errors=True)
            began = time.monotonic()
            self.ok(*self.arguments(0, self.work / "out.cubin"))
            alone = time.monotonic() - began
            shutil.rmtree(self.cache, ignore_errors=True)
            owner = self.start(0, self.work / "owner.cubin")
            locks = self.cache / "v1/locks"
            while not (locks.exists() and any(locks.iterdir())):
                self.assertIsNone(owner.poll(), "the owner was too fast")
                time.sleep(0.001)
            other = self.start(0, self.work / "other.cubin")
            time.sleep(0.02)
            os.kill(owner.pid, signal.SIGKILL)
            killed = time.monotonic()
            owner.communicate()
            _, err = other.communicate(timeout=60)
            # What it takes longer than a compile that nobody was in the way of.
            slowest = max(slowest, time.monotonic() - killed - alone)
            self.assertEqual(other.returncode, 0, err)
            self.assertEqual((self.work / "other.cubin").read_bytes(), self.reference(0))
        self.assertLess(slowest, 2.0)
        report("takeover by a program", owners_killed=rounds,
               slowest_beyond_a_compile_s=round(max(slowest, 0), 3))

    def test_killed_programs_leave_a_cache_that_works(self):
        rounds = int(os.environ.get("KILN_FAULTS_PROGRAM_ROUNDS", "60" if LONG else "4"))
        random.seed(1)
        references = [self.reference(i) for i in range(KERNELS)]
        killed = right = 0
        for n in range(rounds):
            running = []
            for p in range(8):
                output = self.work / f"out{p}.cubin"
                output.unlink(missing_ok=True)
                if p == 7:
                    process = subprocess.Popen([str(KILN), "cache", "clear"], env=self.environment,
                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                               start_new_session=True)
                else:
                    process = self.start(p % KERNELS, output)
                running.append((p, output, process))
            for p, output, process in running:
                if p % 2 == 0:
                    time.sleep(random.random() * 0.15)
                    try:
                        os.killpg(process.pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            for p, output, process in running:
                _, err = process.communicate(timeout=240)
                if process.returncode == -signal.SIGKILL:
                    killed += 1
                else:
                    self.assertEqual(process.returncode, 0, err)
                if p != 7 and process.returncode == 0:
                    self.assertEqual(output.read_bytes(), references[p % KERNELS])
                    right += 1
        for i in range(KERNELS):
            self.ok(*self.arguments(i, self.work / "last.cubin"))
            self.assertEqual((self.work / "last.cubin").read_bytes(), references[i])
        self.assertEqual(self.stats()["quarantined"], 0)
        self.assertGreater(killed, 0)
        report("programs killed", rounds=rounds, killed=killed, cubins=right, wrong_results=0)

    # --- degrade

    def starved(self, prepare=None, code=0, kernel=0, **variables):
        output = self.work / "out.cubin"
        output.unlink(missing_ok=True)
        done = subprocess.run([str(KILN), *self.arguments(kernel, output)], cwd=self.work,
                              env={**self.environment, **variables}, preexec_fn=prepare,
                              capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        if code == 0:
            self.assertEqual(output.read_bytes(), self.reference(kernel))
        return done

    def strict(self, **variables):
        done = self.kiln(*self.arguments(1, self.work / "strict.cubin", "--strict"), **variables)
        self.assertEqual(done.code, 6, done)

    def mounted(self, *options):
        """A directory with a file system of its own; loudly skipped where that is not allowed."""
        where = self.directory / "mounted"
        where.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *options, str(where)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            self.skipTest("mount is not permitted here: " + done.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", str(where)], check=False)
        return where

    def test_a_full_disk(self):
        where = self.mounted("-t", "tmpfs", "-o", "size=64k", "tmpfs")
        (where / "v1").mkdir(mode=0o700)
        (where / "fill").write_bytes(b"x" * 60_000)
        done = self.starved(KILN_CACHE_DIR=str(where))
        self.assertIn("cache", done.stderr)
        self.strict(KILN_CACHE_DIR=str(where))
        self.assertEqual([path for path in where.rglob(".staging-*")], [])
        # Room again: it serves again.
        (where / "fill").unlink()
        self.starved(KILN_CACHE_DIR=str(where))
        self.assertEqual(len(list(where.rglob("*.cubin"))), 1)

    def test_a_small_disk_that_fills_up(self):
        size = 64 if LONG else 40
        where = self.mounted("-t", "tmpfs", "-o", f"size={size}k", "tmpfs")
        for arch in ("7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0") if LONG else ("9.0", "12.0"):
            for i in range(KERNELS):
                output = self.work / "small.cubin"
                self.ok("compile", f"x{i}.cu", "--arch", arch, "-I", "inc", "-o", output,
                        KILN_CACHE_DIR=where)
                self.ok("compile", f"x{i}.cu", "--arch", arch, "-I", "inc", "-o",
                        self.work / "alone.cubin", KILN_MODE="off")
                self.assertEqual(output.read_bytes(), (self.work / "alone.cubin").read_bytes())
        self.assertEqual(list(where.rglob(".staging-*")), [])

    def test_a_read_only_directory(self):
        self.ok(*self.arguments(0, self.work / "out.cubin"))
        where = self.mounted("--bind", str(self.cache))
        subprocess.run(["mount", "-o", "remount,bind,ro", str(where)], check=True)
        done = self.starved(KILN_CACHE_DIR=str(where))  # a hit
        self.assertEqual(done.returncode, 0)
        self.starved(kernel=2, KILN_CACHE_DIR=str(where))
        self.strict(KILN_CACHE_DIR=str(where))

    def test_two_mount_namespaces_share_a_directory_under_two_names(self):
        shared = self.directory / "shared"
        shared.mkdir(mode=0o700)
        running = []
        for n in range(6):
            place = self.directory / f"place{n % 2}"
            place.mkdir(exist_ok=True)
            command = (f'mount --bind "{shared}" "{place}" && exec "$@"')
            running.append((n, subprocess.Popen(
                ["unshare", "-m", "sh", "-c", command, "sh", str(KILN),
                 *self.arguments(0, self.work / f"out{n}.cubin")], cwd=self.work,
                env={**self.environment, "KILN_CACHE_DIR": str(place)}, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)))
        for n, process in running:
            _, err = process.communicate(timeout=240)
            if "unshare" in err or "mount:" in err:
                for _, other in running:
                    other.wait()
                self.skipTest("mount namespaces are not permitted here: " + err.strip())
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual((self.work / f"out{n}.cubin").read_bytes(), self.reference(0))
        stats = self.ok("cache", "stats", "--json", KILN_CACHE_DIR=shared).json
        self.assertEqual((stats["entries"], stats["compiles"]), (1, 1))

    def test_a_limit_on_the_size_of_files(self):
        self.reference(0)
        done = self.starved(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.staging(), [])

    def test_few_descriptors(self):
        self.reference(0)
        output = self.work / "out.cubin"
        statuses = set()
        for limit in range(6, 64) if LONG else (6, 12, 14, 17, 24):
            shutil.rmtree(self.cache, ignore_errors=True)
            output.unlink(missing_ok=True)
            done = subprocess.run(
                [str(KILN), *self.arguments(0, output)], cwd=self.work, env=self.environment,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
                capture_output=True, text=True, timeout=240, check=False)
            statuses.add(done.returncode)
            # An error or the right kernel, never a crash or another's bytes.
            self.assertGreaterEqual(done.returncode, 0, (limit, done.stderr))
            if done.returncode == 0:
                self.assertEqual(output.read_bytes(), self.reference(0))
            else:
                self.assertNotEqual(done.stdout + done.stderr, "")
            self.assertEqual(self.staging(), [])
        self.assertIn(0, statuses)
        self.ok(*self.arguments(0, output))
        self.assertEqual(output.read_bytes(), self.reference(0))

    def test_no_home_and_no_permission(self):
        output = self.work / "out.cubin"
        self.ok(*self.arguments(0, output), HOME=None)
        self.assertEqual(output.read_bytes(), self.reference(0))
        strict = self.kiln(*self.arguments(0, output, "--strict"), HOME=None)
        self.assertEqual(strict.code, 6, strict)

    def test_sources_of_the_future_are_compiled(self):
        # As after the clock was set back: contents count, times do not.
        later = time.time() + 86_400
        for path in (self.work / "x0.cu", self.work / "inc/h.h"):
            os.utime(path, (later, later))
        self.starved()
        self.starved()
        self.write("inc/h.h", "#define STEP 5\n")
        os.utime(self.work / "inc/h.h", (later, later))
        output = self.work / "out.cubin"
        self.ok(*self.arguments(0, output))
        self.ok(*self.arguments(0, self.work / "alone.cubin"), KILN_MODE="off")
        self.assertEqual(output.read_bytes(), (self.work / "alone.cubin").read_bytes())


if __name__ == "__main__":
    main()

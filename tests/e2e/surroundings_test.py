# SPDX-License-Identifier: Apache-2.0
"""A machine that is short of what programs take for granted: the exit code must not lie."""
import os
import resource
import subprocess
import unittest

from program import K_CU, KILN, Case, main


class Surroundings(Case):
    def setUp(self):
        super().setUp()
        self.write("x.cu", K_CU)

    def limited(self, kind, value, *arguments):
        return subprocess.run([str(KILN), *map(str, arguments)], cwd=self.work,
                              env=self.environment, text=True, capture_output=True, timeout=240,
                              preexec_fn=lambda: resource.setrlimit(kind, (value, value)),
                              check=False)

    def test_commas_name_no_arch(self):
        for text in (",", " , "):
            outcome = self.kiln("compile", "x.cu", "--arch", text)
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("arch" if text == "," else "is empty", outcome.err)

    def test_a_file_size_limit_costs_the_cache_and_not_the_kernel(self):
        done = self.limited(resource.RLIMIT_FSIZE, 1024, "compile", "x.cu", "--arch", "9.0",
                            "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"status": "compiled"', done.stdout)
        self.assertEqual(self.compile("x.cu")["status"], "compiled")

    def test_a_working_directory_that_was_removed(self):
        gone = self.work / "gone"
        script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
        for code, arguments in ((2, ("compile", "x.cu", "--arch", "9.0")),
                                (0, ("compile", self.work / "x.cu", "--arch", "9.0")),
                                (2, ("modules", "--catalog", "c.yaml")),
                                (2, ("modules", "--cache-dir", "c")),
                                (2, ("which", "x.h", "--from", "y.cu")),
                                (0, ("modules",))):
            gone.mkdir()
            done = subprocess.run(["bash", "-c", script, "bash", str(gone), str(KILN),
                                   *map(str, arguments)], env=self.environment, text=True,
                                  capture_output=True, timeout=240, check=False)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertNotIn("filesystem error", done.stderr)

    def test_without_a_place_for_temporary_files(self):
        nowhere = str(self.directory / "nowhere")
        compiled = self.ok("compile", "x.cu", "--arch", "9.0", TMPDIR=nowhere)
        self.assertIn("nowhere", compiled.err)
        doctor = self.kiln("doctor", TMPDIR=nowhere)
        self.assertEqual(doctor.code, 3, doctor)
        self.assertIn("nowhere", doctor.out)

    def test_few_descriptors_do_not_make_headers_missing(self):
        for limit in (4, 6, 10, 14, 20):
            done = self.limited(resource.RLIMIT_NOFILE, limit, "warm", "rms_norm", "--arch",
                                "9.0", "--jobs", "16", "--json", "--cache-dir", f"c{limit}")
            self.assertIn(done.returncode, (0, 1, 3), done.stderr)
            self.assertNotIn("was not found", done.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root reads every file")
    def test_a_source_that_may_not_be_read(self):
        (self.work / "x.cu").chmod(0)
        self.assertEqual(self.kiln("compile", "x.cu", "--arch", "9.0").code, 2)

    def test_what_is_no_file_is_no_source(self):
        os.mkfifo(self.work / "fifo.cu")
        for source in ("fifo.cu", ".", "/dev/null", "/dev/zero"):
            for arguments in (("compile", source, "--arch", "9.0"), ("graph", source)):
                outcome = self.kiln(*arguments, timeout=60)
                self.assertEqual(outcome.code, 2, outcome)

    def test_a_cache_that_is_a_file(self):
        (self.work / "cache").write_text("")
        arguments = ("compile", "x.cu", "--arch", "9.0", "--cache-dir", "cache")
        self.assertIn("cache", self.ok(*arguments).err)
        self.assertEqual(self.kiln(*arguments, "--strict").code, 6)

    def test_a_name_that_is_no_utf8(self):
        name = os.fsdecode(b"b\xff\xfe.cu")
        (self.work / name).write_text(K_CU)
        environment = dict(self.environment)
        done = subprocess.run([os.fsencode(KILN), b"compile", os.fsencode(name), b"--arch", b"9.0",
                               b"--json"], cwd=self.work, env=environment, capture_output=True,
                              timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        done.stdout.decode("utf-8")


if __name__ == "__main__":
    main()

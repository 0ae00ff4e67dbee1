# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed, full or without a reader, and a run that is interrupted."""
import pathlib
import signal
import subprocess
import time
import unittest

from program import K_CU, KILN, Case, main

# Calls of constexpr functions that take minutes.
SLOW_CU = """__device__ constexpr unsigned spin(unsigned n, unsigned d) {
    return d == 0 ? n : spin(n * 3 + 1, d - 1) + spin(n + 7, d - 1);
}
extern "C" __global__ void k(unsigned* p) {
""" + "".join(f"    {{ constexpr unsigned v = spin({i}, 12); p[{i}] = v; }}\n"
              for i in range(4000)) + "}\n"


def default_interrupt():
    """A shell starts what runs in its background with Ctrl-C ignored: not so here."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Streams(Case):
    def shell(self, line):
        return subprocess.run(["bash", "-c", line, "bash", str(KILN)], cwd=self.work,
                              env=self.environment, text=True, stderr=subprocess.PIPE,
                              timeout=240, check=False)

    def test_an_output_that_cannot_be_written_is_no_success(self):
        self.write("x.cu", K_CU)
        self.compile("x.cu")
        for arguments in ("--version", "--help", "modules", "modules --json", "cache stats",
                          "compile x.cu --arch 9.0", "compile x.cu --arch 9.0 --json",
                          "warm vector_add --arch 9.0 --table"):
            for target in ("/dev/full", "&-"):
                with self.subTest(arguments=arguments, target=target):
                    done = self.shell(f'"$1" {arguments} >{target}')
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn("standard output", done.stderr)

    def test_a_run_that_has_nothing_to_say_needs_no_output(self):
        self.write("x.cu", K_CU)
        for target in ("/dev/full", "&-"):
            done = self.shell(f'"$1" compile x.cu --arch 9.0 -q -o x.cubin >{target}')
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_messages_do_not_land_in_files_that_took_a_closed_stream(self):
        self.write("x.cu", K_CU)
        closed = self.shell('"$1" compile x.cu --arch 9.0 -v -o x.cubin <&- >&- 2>&-')
        self.assertEqual(closed.returncode, 2)
        self.ok("compile", "x.cu", "--arch", "9.0", "-o", "y.cubin")
        self.assertEqual((self.work / "x.cubin").read_bytes(),
                         (self.work / "y.cubin").read_bytes())
        self.assertEqual(self.ok("cache", "stats", "--json").json["quarantined"], 0)

    def test_a_reader_that_goes_away_ends_the_program_and_nothing_else(self):
        done = self.shell('set -o pipefail; "$1" warm vector_add rms_norm --arch 8.0,9.0 | head -1')
        self.assertIn(done.returncode, (0, 128 + signal.SIGPIPE), done.stderr)
        # With the signal ignored the write fails, and that is said.
        done = self.shell('trap "" PIPE; set -o pipefail; '
                          '"$1" warm vector_add rms_norm --arch 8.0,9.0 | head -1')
        self.assertIn(done.returncode, (0, 2), done.stderr)
        self.assertEqual(self.ok("warm", "vector_add", "rms_norm", "--arch", "8.0,9.0",
                                 "--json").json["summary"]["failed"], 0)


class Interrupted(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.directory / "tmp"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)

    def workers(self):
        """Processes whose command line or environment names this test's directory."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if str(self.temporary).encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def compiling(self):
        """Whether a worker has used the processor for a while."""
        ticks = 0
        for number in self.workers():
            try:
                stat = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2].split()
                name = pathlib.Path(f"/proc/{number}/comm").read_text().strip()
            except OSError:
                continue
            if name == "kiln-worker":
                ticks += int(stat[11]) + int(stat[12])
        return ticks > 30

    def wait_until(self, question, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if question():
                return True
            time.sleep(0.05)
        return False

    def end_in_a_compile(self, number):
        self.write("slow.cu", SLOW_CU)
        with subprocess.Popen([str(KILN), "compile", "slow.cu", "--arch", "9.0", "-o", "o.cubin"],
                              env=self.environment, cwd=self.work, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=default_interrupt) as process:
            self.assertTrue(self.wait_until(self.compiling), "no compile began")
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), -number)
        self.assertTrue(self.wait_until(lambda: not self.workers()), self.workers())
        self.assertTrue(self.wait_until(lambda: not list(self.temporary.iterdir()), 5),
                        list(self.temporary.iterdir()))
        self.assertEqual(sorted(p.name for p in self.work.iterdir()), ["slow.cu"])

    def test_control_c_leaves_no_process_and_no_file(self):
        self.end_in_a_compile(signal.SIGINT)

    def test_a_kill_leaves_no_process_and_no_file(self):
        self.end_in_a_compile(signal.SIGKILL)

    def test_warms_that_are_killed_leave_a_cache_that_works(self):
        command = [str(KILN), "warm", "rms_norm", "vector_add", "--arch", "8.0,9.0", "-q"]
        for delay in (0.3, 0.6, 0.9):
            pair = [subprocess.Popen(command, env=self.environment, cwd=self.work)
                    for _ in range(2)]
            time.sleep(delay)
            pair[0].kill()
            pair[0].wait(timeout=60)
            self.assertEqual(pair[1].wait(timeout=240), 0)
            self.ok("cache", "clear", "-q")
        self.assertEqual(self.ok(*command[1:], "--json").json["summary"]["failed"], 0)
        self.assertEqual(self.ok("cache", "stats", "--json").json["quarantined"], 0)
        self.assertTrue(self.wait_until(lambda: not self.workers()), self.workers())


if __name__ == "__main__":
    main()

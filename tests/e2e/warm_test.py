# SPDX-License-Identifier: Apache-2.0
"""kiln warm on the catalog that ships."""
import subprocess
import unittest

from program import KILN, Case, main

FAST = ("vector_add", "rms_norm", "fp4_convert", "bulk_copy")


class Warm(Case):
    def test_first_all_built_then_all_hits(self):
        arguments = ("warm", *FAST, "--arch", "8.0,9.0,12.0", "--json", "--allow-skips")
        first = self.ok(*arguments).json
        self.assertEqual(first["summary"]["failed"], 0)
        self.assertEqual(first["summary"]["denied"], 3)  # fp4 on 8.0 and 9.0, bulk copy on 8.0
        self.assertEqual(first["summary"]["wanted"], 15 * 3)
        second = self.ok(*arguments).json
        self.assertEqual(second["summary"]["compiled"], 0)
        self.assertEqual(second["summary"]["hit"], first["summary"]["compiled"])
        keys = lambda answer: [result["key"] for result in answer["results"]]
        self.assertEqual(keys(first), keys(second))

    def test_without_allow_skips_a_deny_is_partial(self):
        self.assertEqual(self.kiln("warm", "fp4_convert", "--arch", "9.0,12.0").code, 4)

    def test_table_and_reasons(self):
        outcome = self.ok("warm", "fp4_convert", "--arch", "9.0,12.0", "--table", "--allow-skips")
        self.assertIn("denied (1)", outcome.out)
        self.assertRegex(outcome.out, r"(?m)^\(1\) .*e2m1")

    def test_two_at_once_compile_each_once(self):
        command = [str(KILN), "warm", "rms_norm", "--arch", "9.0", "--quiet"]
        both = [subprocess.Popen(command, env=self.environment, cwd=self.work) for _ in range(2)]
        self.assertEqual([process.wait(timeout=240) for process in both], [0, 0])
        self.assertEqual(self.ok("cache", "stats", "--json").json["compiles"], 12)

    def test_unknown_module(self):
        self.assertEqual(self.kiln("warm", "nothing", "--arch", "9.0").code, 2)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""One parser for every source of an arch."""
import unittest

from program import K_CU, Case, main


class Arch(Case):
    def test_flag_environment_and_configuration_give_equal_bytes(self):
        for arch in ("12.0", "9.0", "12.1", "10.3a", "sm_100f"):
            config = self.write("c.yaml", f'configuration: 1\narch: ["{arch}"]\n')
            flag = self.ok("explain", "rms_norm", "--arch", arch)
            variable = self.ok("explain", "rms_norm", KILN_ARCH=arch)
            file = self.ok("explain", "rms_norm", "--config", config)
            self.assertEqual(flag.out, variable.out)
            self.assertEqual(flag.out, file.out)
            self.assertIn("rms_norm", flag.out)

    def test_all_is_what_the_toolkit_reports(self):
        plans = self.ok("explain", "vector_add", "--arch", "all", "--json").json["plans"]
        archs = [plan["capability"] for plan in plans]
        self.assertEqual(archs, sorted(archs, key=lambda text: tuple(map(int, text.split(".")))))
        self.assertIn("9.0", archs)
        self.assertIn("12.0", archs)
        self.assertNotIn("7.0", archs)

    def test_repeated_archs_count_once(self):
        self.write("x.cu", K_CU)
        summary = self.ok("compile", "x.cu", "--arch", "9.0,9.0", "--json").json["summary"]
        self.assertEqual(summary["wanted"], 1)

    def test_global_options_stand_before_or_after_the_verb(self):
        before = self.ok("--arch", "9.0", "--json", "explain", "vector_add")
        after = self.ok("explain", "vector_add", "--json", "--arch", "9.0")
        self.assertEqual(before.out, after.out)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Plans for a toolkit that is not installed, and what compiles refusing it."""
import unittest

from program import K_CU, Case, main


class Paper(Case):
    def plan(self, module, arch, toolkit, **variables):
        return self.ok("explain", module, "--arch", arch, "--toolkit", toolkit, "--json",
                       **variables).json

    def test_a_version_that_is_not_installed(self):
        for version, target in (("12.8", "sm_100a"), ("12.9", "sm_100f"), ("12.8.9999", "sm_100a"),
                                ("12.6.0", None)):
            plan = self.plan("vector_add", "10.0", version)
            self.assertEqual((plan["target"], plan["toolkit_on_paper"]), (target, True), plan)
            self.assertTrue(version.startswith(plan["toolkit"]), plan)
        self.assertIn("toolkit   12.8 (on paper)",
                      self.ok("explain", "vector_add", "--arch", "9.0", "--toolkit", "12.8").out)

    def test_the_same_by_environment_and_configuration(self):
        config = self.write("c.yaml", "configuration: 1\ntoolkit: 12.8\n")
        flag = self.ok("explain", "vector_add", "--arch", "10.0", "--toolkit", "12.8")
        variable = self.ok("explain", "vector_add", "--arch", "10.0", KILN_TOOLKIT="12.8")
        file = self.ok("explain", "vector_add", "--arch", "10.0", "--config", config)
        self.assertEqual(flag.out, variable.out)
        self.assertEqual(flag.out, file.out)

    def test_a_removed_and_a_renamed_target(self):
        self.assertEqual(self.plan("vector_add", "sm_70", "12.8")["verdict"], "allow")
        removed = self.plan("vector_add", "sm_70", "13.0.9999")
        self.assertEqual(removed["verdict"], "unsupported")
        self.assertIn("12.9", removed["reason"])
        renamed = self.plan("vector_add", "11.0a", "12.8")
        self.assertEqual(renamed["verdict"], "unsupported")
        self.assertIn("sm_101a", renamed["reason"])

    def test_a_version_newer_than_all_is_taken_as_the_newest_and_said(self):
        newest = self.plan("vector_add", "9.0", "13.9")
        self.assertEqual(newest["toolkit_on_paper"], True)
        outcome = self.ok("explain", "vector_add", "--arch", "9.0", "--toolkit", "13.9")
        self.assertIn(f"CUDA {newest['toolkit']} is taken", outcome.err)
        self.assertIn("13.9", outcome.err)
        self.assertEqual(self.plan("vector_add", "10.7", "13.9")["target"], "sm_107f")

    def test_a_version_of_which_nothing_is_known(self):
        outcome = self.kiln("explain", "vector_add", "--arch", "9.0", "--toolkit", "9.2")
        self.assertEqual(outcome.code, 3, outcome)
        self.assertIn("No CUDA 9.2 was found", outcome.err)

    def test_a_path_is_never_on_paper(self):
        outcome = self.kiln("explain", "vector_add", "--arch", "9.0", "--toolkit",
                            self.directory / "12.8")
        self.assertEqual(outcome.code, 3, outcome)

    def test_the_installed_toolkit_comes_first(self):
        installed = self.ok("explain", "vector_add", "--arch", "9.0", "--json").json
        self.assertEqual(installed["toolkit_on_paper"], False)
        short = ".".join(installed["toolkit"].split(".")[:2])
        for version in (short, short.split(".")[0], installed["toolkit"]):
            self.assertEqual(self.plan("vector_add", "9.0", version), installed)

    def test_gates_and_all_are_resolved_on_paper(self):
        gates = self.ok("policy", "gates", "--arch", "10.0", "--toolkit", "12.6", "--json").json
        self.assertTrue(all(g["verdict"] == "unsupported" for g in gates["gates"]
                            if g["module"] == "vector_add"), gates)
        self.assertIn("vector_add", [g["module"] for g in gates["gates"]])
        plans = self.ok("explain", "vector_add", "--arch", "all", "--toolkit", "12.8",
                        "--json").json["plans"]
        archs = [plan["capability"] for plan in plans]
        self.assertIn("7.0", archs)
        self.assertNotIn("10.3", archs)

    def test_what_compiles_wants_a_toolkit(self):
        source = self.write("k.cu", K_CU)
        for arguments in (("compile", source, "--arch", "9.0"), ("warm", "--arch", "9.0"),
                          ("warm", "bulk_copy", "--arch", "8.0"), ("doctor",)):
            outcome = self.kiln(*arguments, "--toolkit", "12.7", "--json")
            self.assertEqual(outcome.code, 3, outcome)
            self.assertIn("No CUDA 12.7 was found", outcome.out)
            self.assertNotIn("compiled\"", outcome.out.replace('"compiled": 0', ""))


if __name__ == "__main__":
    main()

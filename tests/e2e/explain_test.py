# SPDX-License-Identifier: Apache-2.0
"""kiln explain: verdict, target, flags, each with the line that decided it."""
import unittest

from program import Case, main


class Explain(Case):
    def plan(self, *arguments, **variables):
        return self.ok("explain", *arguments, "--json", **variables).json

    def test_deny_gives_rule_and_reason(self):
        plan = self.plan("bulk_copy", "--arch", "8.0")
        self.assertEqual(plan["verdict"], "deny")
        self.assertIn("cp.async.bulk", plan["reason"])
        self.assertRegex(plan["origin"], r"catalog\.yaml:\d+")

    def test_allow_in_three_lines_of_the_users_policy(self):
        rule = self.plan("bulk_copy", "--arch", "8.0")
        name = next(r["name"] for r in rule["rules"] if "deny" in r["effect"])
        policy = self.home / ".config/kiln/policy.yaml"
        policy.parent.mkdir(parents=True)
        policy.write_text("policy: 1\nrules:\n"
                          "  - match: {module: bulk_copy, capability: \"8.0\"}\n"
                          f"    allow: {{rule: \"{name}\", reason: I want to see it fail}}\n")
        plan = self.plan("bulk_copy", "--arch", "8.0")
        self.assertEqual(plan["verdict"], "allow")
        self.assertRegex(plan["origin"], r"policy\.yaml:\d+")
        lost = [r for r in plan["rules"] if not r["applied"]]
        self.assertTrue(any("catalog.yaml" in r["origin"] for r in lost), plan["rules"])
        other = self.plan("bulk_copy", "--arch", "8.6")
        self.assertEqual(other["verdict"], "deny")

    def test_every_flag_has_its_line(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - match: {module: vector_add}\n"
                                      "    set:\n      defines: {A: 1}\n"
                                      "      options: [--use_fast_math]\n")
        plan = self.plan("vector_add", "--arch", "9.0", "--policy", policy)
        origins = {flag["value"]: flag["origin"] for flag in plan["flags"]}
        self.assertTrue(origins["-DA=1"].endswith("p.yaml:5"), origins)
        self.assertTrue(origins["--use_fast_math"].endswith("p.yaml:6"), origins)
        self.assertTrue(all(origins.values()), origins)

    def test_a_parameter_chooses_the_instance(self):
        plan = self.plan("rms_norm", "--set", "dtype=__half", "--set", "vec=2", "--arch", "9.0")
        self.assertEqual(plan["instance"], "rms_norm{dtype=__half,vec=2}")
        wrong = self.kiln("explain", "rms_norm", "--set", "vec=3", "--arch", "9.0")
        self.assertEqual(wrong.code, 2, wrong)
        self.assertIn("8", wrong.err)

    def test_several_archs_are_one_set(self):
        answer = self.plan("fp4_convert", "--arch", "9.0,10.0,12.0")
        self.assertEqual(len(answer["plans"]), 3)
        self.assertEqual(len(answer["targets"]), 2)
        self.assertTrue(all(t[-1] in "af" for t in answer["targets"]), answer["targets"])

    def test_no_compiler_runs(self):
        self.plan("vector_add", "--arch", "9.0")
        self.assertEqual(self.ok("cache", "stats", "--json").json["compiles"], 0)

    def test_gates_lists_every_refusal(self):
        gates = self.ok("policy", "gates", "--arch", "8.0", "--json").json["gates"]
        self.assertEqual({gate["module"] for gate in gates}, {"bulk_copy", "fp4_convert"})
        self.assertTrue(all(gate["reason"] and gate["origin"] for gate in gates))
        modules = self.ok("modules", "--json").json["modules"]
        self.assertEqual(len(modules), 5)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""kiln policy check, diff and gates, as a person with a policy file of their own uses them."""
import unittest

from program import SOURCE, Case, main

EXAMPLE = SOURCE / "configs/examples/flashinfer.yaml"
OPEN_MLA = ("policy: 1\nrules:\n  - {match: {module: mla, capability: 12.0},"
            " allow: {rule: blackwell-datacenter, reason: I try it}}\n")


class Check(Case):
    def test_shipped_policies_have_no_errors(self):
        self.assertEqual(self.ok("policy", "check", "--strict", "--json").json["warnings"], [])
        found = self.ok("--config", EXAMPLE, "policy", "check", "--json").json
        self.assertEqual(found["errors"], [])
        self.assertGreater(found["rules"], 100)

    def test_warnings_fail_under_strict_alone(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - match: {module: vector_ad}\n"
                                      "    set: {ptx: never}\n")
        plain = self.ok("policy", "check", "--policy", policy)
        self.assertRegex(plain.out, r"p\.yaml:3:21: warning: .*`vector_ad`.*vector_add")
        self.assertEqual(self.kiln("policy", "check", "--strict", "--policy", policy).code, 2)

    def test_each_file_tells_its_first_error(self):
        one = self.write("a.yaml", "policy: 1\nrules:\n  - mtach: {module: x}\n    deny: no\n")
        two = self.write("b.yaml", "policy: 1\nrules: [\n")
        outcome = self.kiln("policy", "check", "--json", "--policy", one, "--policy", two)
        self.assertEqual(outcome.code, 2, outcome)
        errors = outcome.json["errors"]
        self.assertEqual([e["location"].split("/")[-1].split(":")[0] for e in errors],
                         ["a.yaml", "b.yaml"])
        self.assertRegex(errors[0]["location"], r":3:5$")
        self.assertEqual(set(errors[0]), {"location", "message", "hint", "rule"})

    def test_a_rule_that_never_holds_is_an_error(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - name: dead\n"
                                      "    match: {major: 9, family: 12.0}\n    deny: no\n")
        outcome = self.kiln("policy", "check", "--policy", policy)
        self.assertEqual(outcome.code, 2, outcome)
        self.assertRegex(outcome.err, r"p\.yaml:3:5: error: .*never hold")


class Diff(Case):
    def user_policy(self, text):
        policy = self.home / ".config/kiln/policy.yaml"
        policy.parent.mkdir(parents=True)
        policy.write_text(text)
        return policy

    def diff(self, *arguments):
        return self.ok("--config", EXAMPLE, "policy", "diff", *arguments)

    def test_three_lines_of_the_user_change_one_plan(self):
        self.user_policy(OPEN_MLA)
        answer = self.diff("--arch", "8.0,9.0,10.0,12.0,12.1", "--json").json
        self.assertGreater(answer["compared"], 5 * 116)
        self.assertEqual([(c["module"], c["arch"]) for c in answer["changed"]], [("mla", "12.0")])
        change = answer["changed"][0]
        self.assertEqual(change["before"]["verdict"], "deny")
        self.assertEqual(change["after"]["verdict"], "allow")
        self.assertIn("I try it", change["after"]["reason"])
        self.assertRegex(change["after"]["origin"], r"policy\.yaml:3$")

    def test_a_file_stands_for_the_users_layer(self):
        self.user_policy("policy: 1\nrules:\n  - {set: {options: [-lineinfo]}}\n")
        policy = self.write("mine.yaml", OPEN_MLA)
        answer = self.diff("shipped", policy, "--arch", "12.0", "--json").json
        self.assertEqual([c["module"] for c in answer["changed"]], ["mla"])
        same = self.diff("effective", "effective", "--arch", "12.0")
        self.assertRegex(same.out, r"^0 of \d+ plans change")

    def test_what_changes_alike_is_one_line(self):
        policy = self.write("mine.yaml", "policy: 1\nrules:\n  - match: {module: xqa}\n"
                                         "    set: {defines: {MINE: 1}}\n")
        text = self.diff("shipped", policy, "--arch", "9.0,12.0").out
        self.assertIn("of 96 instances of xqa  9.0, 12.0", text)
        self.assertEqual(text.count("+ -DMINE=1"), 1, text)

    def test_a_file_that_is_not_there_is_an_error(self):
        self.assertEqual(self.kiln("policy", "diff", "shipped", "none.yaml").code, 2)

    def test_all_archs_of_the_toolkit_without_an_arch(self):
        answer = self.ok("policy", "diff", "--json").json
        self.assertEqual(answer["changed"], [])
        self.assertGreater(answer["compared"], 5)


class Gates(Case):
    def gates(self, *arguments):
        return self.ok("--config", EXAMPLE, "policy", "gates", *arguments)

    def test_a_gate_names_its_rule(self):
        gates = self.gates("--arch", "12.0", "--json").json["gates"]
        mla = next(g for g in gates if g["module"] == "mla")
        self.assertEqual(mla["rule"], "blackwell-datacenter")
        self.assertEqual(mla["verdict"], "deny")
        self.assertTrue(all(g["rule"] for g in gates if g["verdict"] == "deny"))

    def test_a_module_refused_whole_is_one_line(self):
        text = self.gates("--arch", "8.0").out
        lines = [line for line in text.splitlines() if line.startswith("xqa ")]
        self.assertEqual(len(lines), 1, text)
        self.assertRegex(lines[0], r"^xqa \(96 instances\) +8\.0 +deny +hopper-blackwell ")

    def test_an_obstacle_is_listed_though_the_policy_allows(self):
        gates = self.gates("--arch", "8.0", "--json").json["gates"]
        self.assertFalse([g for g in gates if g["verdict"] == "obstacle"
                          and g["module"] == "norm"])
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - match: {module: norm}\n"
                                      "    set: {options: [-rdc=true]}\n")
        gates = self.gates("--arch", "8.0", "--json", "--policy", policy).json["gates"]
        norm = [g for g in gates if g["module"] == "norm"]
        self.assertEqual([g["verdict"] for g in norm], ["obstacle"])
        self.assertIn("link step", norm[0]["reason"])


if __name__ == "__main__":
    main()

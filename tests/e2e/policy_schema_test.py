# SPDX-License-Identifier: Apache-2.0
"""configs/schema/policy.json says what Kiln itself takes: same keys, same refusals."""
import json
import os
import re
import sys
import unittest

try:
    import jsonschema
    import yaml
except ImportError:
    # Debian's packages are those of Debian's interpreter.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("skipped: python3-jsonschema and python3-yaml are not installed")
    sys.exit(1 if os.environ.get("KILN_CHECKS") == "1" else 77)

from program import SOURCE, Case, main

SCHEMA = json.loads((SOURCE / "configs/schema/policy.json").read_text())


def rule(text):
    return f"policy: 1\nrules:\n  - {text}\n"


# Refused by Kiln and by the schema alike.
WRONG = [
    "rules: []\n",
    "policy: 2\n",
    "policy: 1\nrule: []\n",
    rule("name: x"),
    rule("mtach: {module: x}"),
    rule("match: {modle: x}\n    set: {ptx: never}"),
    rule("match: {any_arch: {tag: x}}\n    set: {ptx: never}"),
    rule("match: {written_out: 1}\n    set: {ptx: never}"),
    rule("match: {module: }\n    set: {ptx: never}"),
    rule("match: {backend: clang}\n    set: {ptx: never}"),
    rule("match: {target: sm90}\n    set: {ptx: never}"),
    rule("match: {header: {name: x}}\n    set: {ptx: never}"),
    rule("match: {device: {}}\n    set: {ptx: never}"),
    rule("unless: {}\n    set: {ptx: never}"),
    rule("set: {}"),
    rule("set: {fixed: [a]}"),
    rule("set: {fixed: [sm_90a], targets: [a]}"),
    rule("set: {missing_targets: maybe}"),
    rule("set: {remap: {sm_107a: compute_90}}"),
    rule("set: {time_limit: 300}"),
    rule("set: {memory_limit: 8}"),
    rule("set: {language: c++23}"),
    rule("set: {undefines: [\"A B\"]}"),
    rule("set: {defines: [N=1]}"),
    rule("deny: because"),
    rule("{name: n, deny: x, allow: {rule: y, reason: z}}"),
    rule("allow: n"),
    rule("allow: {rule: n}"),
    rule("{name: \"needs:x\", deny: x}"),
    rule("experimental: x"),
    rule("warn: \"\""),
    rule("require: {}"),
    rule("require: {evidence: maybe}"),
    rule("require: {luck: yes}"),
    "policy: 1\nsets: {a: {}}\n",
    "policy: 1\nmiscompiles:\n  - {name: n, match: {toolkit: 12.6}, symptom: s, action: warn, source: x}\n",
]


class PolicySchema(Case):
    def setUp(self):
        super().setUp()
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def refusals(self, text):
        return [error.message for error in self.validator.iter_errors(yaml.safe_load(text))]

    def test_what_is_shipped_and_documented_is_valid(self):
        document = (SOURCE / "docs/policy.md").read_text()
        texts = [(SOURCE / name).read_text()
                 for name in ("configs/policy.yaml", "configs/examples/flashinfer.policy.yaml")]
        texts += [block for block in re.findall(r"```yaml\n(.*?)```", document, re.S)]
        rows = re.findall(r"\| `(\{.*\})` \|$", document.split("## Examples")[1].split("\n## ")[0], re.M)
        self.assertGreater(len(rows), 15)
        for text in texts + [rule(row) for row in rows]:
            with self.subTest(text=text[:200]):
                self.assertEqual(self.refusals(text), [])

    def test_what_kiln_refuses_the_schema_refuses(self):
        for text in WRONG:
            with self.subTest(text=text):
                outcome = self.kiln("policy", "check", "--policy", self.write("p.yaml", text))
                self.assertEqual(outcome.code, 2, outcome)
                self.assertNotEqual(self.refusals(text), [])

    def known_keys(self, text):
        outcome = self.kiln("policy", "check", "--policy", self.write("p.yaml", text))
        self.assertEqual(outcome.code, 2, outcome)
        return set(re.search(r"known here: ([^)\n]*)", outcome.err)[1].split(", "))

    def test_the_keys_are_the_same(self):
        rules = SCHEMA["properties"]["rules"]["items"]["properties"]
        match = SCHEMA["$defs"]["match"]["properties"]
        unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqq: 1"
        for text, keys in (
                (f"policy: 1\n{unknown}\n", SCHEMA["properties"]),
                (rule(f"{{{unknown}}}"), rules),
                (rule(f"{{match: {{{unknown}}}}}"), match),
                (rule(f"{{match: {{any_arch: {{{unknown}}}}}}}"), match["any_arch"]["properties"]),
                (rule(f"{{match: {{device: {{{unknown}}}}}}}"), match["device"]["properties"]),
                (rule(f"{{set: {{{unknown}}}}}"), rules["set"]["properties"]),
                (rule(f"{{require: {{{unknown}}}}}"), rules["require"]["properties"]),
                (rule(f"{{allow: {{{unknown}}}}}"), rules["allow"]["properties"]),
                (f"policy: 1\nsets: {{a: {{{unknown}}}}}\n",
                 SCHEMA["properties"]["sets"]["additionalProperties"]["properties"]),
                (f"policy: 1\nmiscompiles: [{{{unknown}}}]\n",
                 SCHEMA["properties"]["miscompiles"]["items"]["properties"])):
            with self.subTest(text=text):
                self.assertEqual(self.known_keys(text), set(keys))


if __name__ == "__main__":
    main()

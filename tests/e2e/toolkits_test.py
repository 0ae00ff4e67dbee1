# SPDX-License-Identifier: Apache-2.0
"""Real toolkits of other releases, from NVIDIA's wheels: toolkits_test.py quick|full

quick: what each release has, lacks and calls otherwise, and that paper equals fact. full: the same
targets with nvcc, and every target compiled. Skips itself (exit 77) where no registry answers,
unless KILN_REQUIRE_NETWORK=1.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

from program import K_CU, SOURCE, Case, main

WHAT = sys.argv.pop() if sys.argv[-1] in ("quick", "full") else "quick"
OLD, NEW = "12.8", "13.5"
TOOLKITS = {release: SOURCE / f"build/cuda-wheels-{release}" for release in (OLD, NEW)}


def fetch():
    for release in TOOLKITS:
        done = subprocess.run([SOURCE / "scripts/fetch_cuda_wheels.sh", release], check=False,
                              text=True, capture_output=True)
        if done.returncode == 77:
            print(f"SKIPPED: no wheels of CUDA {release}: {done.stderr}", file=sys.stderr)
            sys.exit(1 if os.environ.get("KILN_REQUIRE_NETWORK") == "1" else 77)
        if done.returncode != 0:
            sys.exit(f"CUDA {release} could not be fetched:\n{done.stdout}{done.stderr}")


def every_spelling():
    """Each capability of the table with each suffix, and one that no release has."""
    table = (SOURCE / "configs/targets.yaml").read_text()
    capabilities = re.findall(r"capability: (\d+)\.(\d)", table)
    assert len(capabilities) > 20, table
    return [f"sm_{major}{minor}{suffix}" for major, minor in capabilities + [("13", "0")]
            for suffix in ("", "a", "f")]


class Toolkits(Case):
    @classmethod
    def setUpClass(cls):
        # What a toolkit can do is asked of it once, not once a test.
        cls.cache = tempfile.TemporaryDirectory(prefix="kiln-e2e-toolkits-")
        cls.addClassCleanup(cls.cache.cleanup)

    def setUp(self):
        super().setUp()
        self.environment["KILN_CACHE_DIR"] = self.cache.name
        self.source = self.write("k.cu", K_CU)

    def build(self, release, arch, *more):
        outcome = self.kiln("compile", self.source, "--arch", arch, "--toolkit",
                            TOOLKITS[release], "--json", *more)
        results = outcome.json["results"]
        self.assertEqual(len(results), 1, outcome)
        return outcome, results[0]

    def assert_built(self, release, arch, target, *more):
        outcome, result = self.build(release, arch, *more)
        self.assertEqual((outcome.code, result["target"]), (0, target), outcome)
        self.assertIn(result["status"], ("compiled", "hit"))

    def assert_refused(self, release, arch, *said):
        outcome, result = self.build(release, arch)
        self.assertEqual(outcome.code, 3, outcome)
        for part in said:
            self.assertIn(part, result["error"]["message"])

    def verdicts(self, toolkit):
        """What a toolkit answers for every spelling, and whether it was asked on paper."""
        answer = self.ok("explain", "vector_add", "--arch", ",".join(every_spelling()),
                         "--toolkit", toolkit, "--json").json["plans"]
        on_paper = {plan["toolkit_on_paper"] for plan in answer}
        self.assertEqual(len(on_paper), 1, on_paper)
        return {spelling: plan["verdict"] for spelling, plan in zip(every_spelling(), answer,
                                                                    strict=True)}, on_paper.pop()

    def test_a_target_that_only_the_newer_has(self):
        self.assert_built(NEW, "sm_103", "sm_103")
        self.assert_refused(OLD, "sm_103", "12.9")
        self.assert_built(NEW, "10.7a", "sm_107a")
        self.assert_refused(OLD, "10.7a", "13.4")

    def test_a_renamed_target_in_both_directions(self):
        self.assert_built(NEW, "11.0a", "sm_110a")
        self.assert_refused(NEW, "10.1a", "sm_110a", "13.0")
        self.assert_built(OLD, "10.1a", "sm_101a")
        self.assert_refused(OLD, "11.0a", "sm_101a")

    def test_a_removed_target(self):
        self.assert_built(OLD, "sm_70", "sm_70")
        self.assert_refused(NEW, "sm_70", "removed", "12.9")

    def test_without_family_targets_the_policy_takes_the_locked_one(self):
        self.assert_built(OLD, "10.0", "sm_100a")
        self.assert_built(NEW, "10.0", "sm_100f")
        self.assert_refused(OLD, "10.0f", "sm_100f", "12.9")

    def test_paper_equals_fact(self):
        for release, path in TOOLKITS.items():
            fact, made_up = self.verdicts(path)
            self.assertFalse(made_up)
            self.assertGreater(list(fact.values()).count("allow"), 10)
            # A patch that no release has is on paper even where the release is installed.
            paper, made_up = self.verdicts(f"{release}.9999")
            self.assertTrue(made_up)
            self.assertEqual(paper, fact, release)

    def test_a_wheel_is_preferred_to_paper(self):
        packages = self.directory / "venv/lib/python3.11"
        packages.mkdir(parents=True)
        (packages / "site-packages").symlink_to(TOOLKITS[OLD])
        plan = self.ok("explain", "vector_add", "--arch", "9.0", "--toolkit", OLD, "--json",
                       VIRTUAL_ENV=self.directory / "venv").json
        self.assertEqual((plan["toolkit"][:5], plan["toolkit_on_paper"]), ("12.8.", False))

    @unittest.skipIf(WHAT == "quick", "only in full")
    def test_every_target_that_is_claimed_compiles(self):
        for release, path in TOOLKITS.items():
            fact, _ = self.verdicts(path)
            archs = [spelling for spelling, verdict in fact.items() if verdict == "allow"]
            outcome = self.ok("compile", self.source, "--arch", ",".join(archs), "--toolkit", path,
                              "--json")
            summary = outcome.json["summary"]
            self.assertEqual((summary["wanted"], summary["compiled"] + summary["hit"]),
                             (len(archs), len(archs)))

    @unittest.skipIf(WHAT == "quick", "only in full")
    def test_nvcc_of_the_newest_release(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - set: {backends: [nvcc]}\n")
        for arch, target in (("10.7a", "sm_107a"), ("10.3", "sm_103f"), ("sm_75", "sm_75")):
            self.assert_built(NEW, arch, target, "--policy", policy)


if __name__ == "__main__":
    fetch()
    main()

# SPDX-License-Identifier: Apache-2.0
"""Which layer wins, and what a project may say."""
import os
import unittest

from program import K_CU, Case, main


class Settings(Case):
    def setUp(self):
        super().setUp()
        self.write("x.cu", K_CU)

    def cache_of(self, *arguments, **variables):
        return self.ok("cache", "stats", "--json", *arguments, **variables).json["directory"]

    def test_stronger_layers_win(self):
        user = self.home / ".config/kiln/config.yaml"
        user.parent.mkdir(parents=True)
        user.write_text("configuration: 1\ncache: {directory: user-cache}\n")
        self.assertEqual(self.cache_of(), str(user.parent / "user-cache"))
        config = self.write("c.yaml", "configuration: 1\ncache: {directory: config-cache}\n")
        self.assertEqual(self.cache_of("--config", config), str(self.work / "config-cache"))
        self.assertEqual(self.cache_of("--config", config, KILN_CACHE_DIR="/tmp/variable"),
                         "/tmp/variable")
        self.assertEqual(self.cache_of("--config", config, "--cache-dir", "/tmp/flag",
                                       KILN_CACHE_DIR="/tmp/variable"), "/tmp/flag")

    def test_user_policy_beats_a_library_policy(self):
        library = self.write("library.yaml",
                             "policy: 1\nrules:\n  - set: {defines: {}, language: c++20}\n")
        self.write("c.yaml", "configuration: 1\npolicies: [library.yaml]\n")
        user = self.home / ".config/kiln/policy.yaml"
        user.parent.mkdir(parents=True)
        user.write_text("policy: 1\nrules:\n  - set: {language: c++14}\n")
        plan = self.ok("explain", "vector_add", "--arch", "9.0", "--config", "c.yaml",
                       "--json").json
        languages = [f for f in plan["flags"] if "std" in f["value"]]
        self.assertEqual(len(languages), 1, plan["flags"])
        self.assertIn("c++14", languages[0]["value"])
        self.assertTrue(library.exists())

    def test_a_project_may_not_choose_the_cache_unless_trusted(self):
        self.write("kiln.yaml", "configuration: 1\ncache: {directory: here}\n")
        outcome = self.kiln("cache", "stats")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("kiln.yaml:2", outcome.err)
        self.assertIn("--trust-project", outcome.err)
        self.assertEqual(self.cache_of("--trust-project"), str(self.work / "here"))

    def test_a_project_file_that_others_can_write_is_ignored_and_said(self):
        project = self.write("kiln.yaml", "configuration: 1\ncache: {directory: here}\n")
        os.chmod(project, 0o666)
        outcome = self.ok("cache", "stats", "--json")
        self.assertNotEqual(outcome.json["directory"], str(self.work / "here"))
        self.assertIn("kiln.yaml", outcome.err)

    def test_projects_catalog_and_policy_are_read(self):
        self.write("kiln.yaml", "configuration: 1\ncatalogs: [catalog.yaml]\n")
        self.write("catalog.yaml", "catalog: 1\nmodules:\n  - name: mine\n    source: x.cu\n"
                                   "    kernels: [k]\n")
        self.write("kiln.policy.yaml", "policy: 1\nrules:\n  - match: {module: mine}\n"
                                       "    set: {defines: {FROM_PROJECT: 1}}\n")
        plan = self.ok("explain", "mine", "--arch", "9.0", "--json").json
        self.assertIn("-DFROM_PROJECT=1", [flag["value"] for flag in plan["flags"]])

    def test_include_path_has_names_and_moves_with_its_configuration(self):
        self.write("lib/include/h.h", "")
        self.write("y.cu", "#include <h.h>\n" + K_CU)
        self.write("c.yaml", "configuration: 1\ninclude_path:\n"
                             "  - {name: lib, path: lib/include}\n")
        answer = self.ok("which", "h.h", "--config", "c.yaml", "--json").json
        self.assertEqual(answer["root"], "lib")
        self.assertEqual(self.compile("y.cu", "9.0", "--config", "c.yaml")["status"], "compiled")


if __name__ == "__main__":
    main()

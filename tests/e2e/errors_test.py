# SPDX-License-Identifier: Apache-2.0
"""The errors that must be good from the first day: class of exit, what is named, the hint."""
import os
import pathlib
import shutil
import unittest

from program import K_CU, Case, cuda_home, main


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.write("x.cu", K_CU)

    def refused(self, code, *arguments, **variables):
        outcome = self.kiln(*arguments, **variables)
        self.assertEqual(outcome.code, code, outcome)
        return outcome

    def test_unknown_archs_are_all_named(self):
        outcome = self.refused(2, "compile", "x.cu", "--arch", "9.0,9.O,banana,12.10")
        for bad in ("9.O", "banana", "12.10"):
            self.assertIn(bad, outcome.err)

    def test_native_without_a_device_names_the_overrides(self):
        outcome = self.refused(2, "compile", "x.cu", "--arch", "native",
                               CUDA_VISIBLE_DEVICES="")
        for override in ("--arch", "KILN_ARCH", "arch:"):
            self.assertIn(override, outcome.err)

    def test_no_toolkit_says_where_it_was_looked_for(self):
        outcome = self.refused(3, "compile", "x.cu", "--arch", "9.0", "--toolkit",
                               self.directory / "nowhere")
        self.assertIn(str(self.directory / "nowhere"), outcome.err)

    def test_a_target_that_the_toolkit_lacks_says_which_has_it(self):
        removed = self.refused(3, "compile", "x.cu", "--arch", "7.0", "--json")
        self.assertIn("12.9", removed.json["results"][0]["error"]["message"])
        renamed = self.refused(3, "compile", "x.cu", "--arch", "10.1a", "--json")
        self.assertIn("110", renamed.json["results"][0]["error"]["message"])
        unknown = self.refused(3, "compile", "x.cu", "--arch", "sm_130", "--json")
        self.assertIn("sm_130", unknown.json["results"][0]["error"]["message"])

    def test_builtins_missing_is_said_before_a_compile(self):
        # A toolkit whose NVRTC has no builtins beside it, and no NVCC to turn to.
        real = pathlib.Path(cuda_home()).resolve()
        fake = self.directory / "cuda"
        (fake / "lib64").mkdir(parents=True)
        (fake / "include").symlink_to(real / "include")
        library = next(p for p in (real / "lib64").glob("libnvrtc.so.*") if ".alt" not in p.name)
        shutil.copy(library.resolve(), fake / "lib64" / library.name)
        (fake / "lib64" / "libnvrtc-builtins.so.13.0").write_bytes(b"")
        outcome = self.refused(3, "compile", "x.cu", "--arch", "9.0", "--toolkit", fake, "--json")
        self.assertIn("builtins", outcome.out + outcome.err)

    def test_missing_header_shows_chain_places_and_near_misses(self):
        self.write("inc/sub/real_name.h", "")
        self.write("inc/outer.h", '#include "sub/rael_name.h"\n')
        self.write("m.cu", '#include "outer.h"\n' + K_CU)
        outcome = self.refused(1, "compile", "m.cu", "--arch", "9.0", "-I", "inc", "--json")
        error = outcome.json["results"][0]["error"]
        self.assertEqual(error["code"], "header_missing")
        self.assertIn("sub/rael_name.h", error["message"])
        self.assertIn("m.cu:1", error["chain"])
        self.assertIn("inc/sub/rael_name.h", error["tried"])
        self.assertIn("real_name.h", error["hint"])
        self.assertIn("outer.h:1", error["location"])

    def test_kernel_that_is_not_there_names_those_that_are(self):
        outcome = self.refused(1, "compile", "x.cu", "--arch", "9.0", "--kernel", "q", "--json")
        error = outcome.json["results"][0]["error"]
        self.assertEqual(error["code"], "kernel_missing")
        self.assertIn("k", error["message"])

    def test_a_syntax_error_has_its_place(self):
        self.write("bad.cu", "extern \"C\" __global__ void k() {\n    int x = ;\n}\n")
        outcome = self.refused(1, "compile", "bad.cu", "--arch", "9.0", "--json")
        error = outcome.json["results"][0]["error"]
        self.assertEqual(error["code"], "compile_failed")
        self.assertTrue(error["location"].endswith("bad.cu:2"), error)

    def test_an_instruction_that_needs_a_suffix_names_the_suffixed_targets(self):
        kernel = (pathlib.Path(os.environ["KILN_SOURCE_DIR"]) / "kernels/fp4_convert.cu")
        outcome = self.refused(1, "compile", kernel, "--arch", "sm_120", "--json")
        error = outcome.json["results"][0]["error"]
        self.assertIn("sm_120f", error["hint"])

    def test_deny_has_rule_and_reason(self):
        outcome = self.refused(4, "warm", "fp4_convert", "--arch", "9.0", "--json")
        error = outcome.json["results"][0]["error"]
        self.assertEqual(error["code"], "denied")
        self.assertIn("e2m1", error["message"])
        self.assertIn("catalog.yaml:", error["location"])

    def test_unknown_yaml_key_has_place_and_nearest_key(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - mtach: {module: x}\n    deny: no\n")
        outcome = self.refused(2, "compile", "x.cu", "--arch", "9.0", "--policy", policy)
        self.assertIn("p.yaml:3:5", outcome.err)
        self.assertIn("match", outcome.err)
        config = self.write("c.yaml", "configuration: 1\ncahce: {}\n")
        outcome = self.refused(2, "modules", "--config", config)
        self.assertIn("c.yaml:2:1", outcome.err)
        self.assertIn("cache", outcome.err)

    def test_unreadable_yaml_has_its_place(self):
        policy = self.write("p.yaml", "policy: 1\nrules: [\n")
        outcome = self.refused(2, "policy", "check", "--policy", policy)
        self.assertIn("p.yaml:", outcome.err)

    def test_unknown_module_names_the_nearest(self):
        outcome = self.refused(2, "explain", "vector_ad", "--arch", "9.0")
        self.assertIn("vector_add", outcome.err)

    def test_source_that_is_not_there(self):
        outcome = self.refused(2, "compile", "nothing.cu", "--arch", "9.0", "--json")
        self.assertIn("nothing.cu", outcome.out)

    def test_wrong_usage(self):
        self.refused(2, "compile")
        self.refused(2, "no-such-verb")
        self.refused(2, "compile", "x.cu", "--arch", "9.0", "-D", "A", "--emit", "elf")


if __name__ == "__main__":
    main()

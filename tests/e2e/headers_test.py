# SPDX-License-Identifier: Apache-2.0
"""kiln which and kiln graph."""
import unittest

from program import K_CU, Case, main


class Headers(Case):
    def test_which_finds_in_order_and_says_what_it_shadows(self):
        self.write("a/lib/x.h", "")
        self.write("b/lib/x.h", "")
        answer = self.ok("which", "lib/x.h", "-I", "empty", "-I", "a", "-I", "b", "--json").json
        self.assertEqual(answer["found"], str(self.work / "a/lib/x.h"))
        self.assertEqual(answer["tried"], [str(self.work / "empty/lib/x.h")])
        self.assertEqual(answer["shadowed"][0]["path"], str(self.work / "b/lib/x.h"))

    def test_which_knows_the_toolkits_headers(self):
        answer = self.ok("which", "cub/block/block_reduce.cuh", "--json").json
        self.assertTrue(answer["found"].endswith("cub/block/block_reduce.cuh"))
        self.assertEqual(answer["root"], "cccl")

    def test_which_names_near_misses(self):
        self.write("a/data/include/flash/comm/reduce.cuh", "")
        outcome = self.kiln("which", "flash/comm/reduce.cuh", "-I", "a", "--json")
        self.assertEqual(outcome.code, 1, outcome)
        self.assertIsNone(outcome.json["found"])
        self.assertEqual(outcome.json["suggestions"][:1],
                         [str(self.work / "a/data/include/flash/comm/reduce.cuh")])

    def test_which_from_a_file_looks_beside_it_first(self):
        self.write("src/near.h", "")
        self.write("inc/near.h", "")
        source = self.write("src/x.cu", K_CU)
        answer = self.ok("which", "near.h", "--from", source, "-I", "inc", "--json").json
        self.assertEqual(answer["found"], str(self.work / "src/near.h"))

    def test_graph_has_files_missing_and_absent(self):
        self.write("inc/one.h", '#include "two.h"\n')
        self.write("inc/two.h", "")
        self.write("x.cu", '#include "one.h"\n#include <not/there.h>\n' + K_CU)
        graph = self.ok("graph", "x.cu", "-I", "inc", "--format", "json").json
        names = [file["name"] for file in graph["files"]]
        self.assertEqual(names, ["x.cu", "one.h", "two.h"])
        self.assertEqual(graph["missing"][0]["name"], "not/there.h")
        self.assertTrue(graph["missing"][0]["from"].endswith("x.cu:2"))
        self.assertIn(str(self.work / "one.h"), graph["absent"])
        self.assertTrue(graph["files"][2]["included_by"][0].endswith("inc/one.h:1"))

    def test_graph_as_tree_and_dot(self):
        self.write("one.h", "")
        self.write("x.cu", '#include "one.h"\n' + K_CU)
        self.assertIn("  one.h", self.ok("graph", "x.cu").out)
        dot = self.ok("graph", "x.cu", "--format", "dot").out
        self.assertIn('"x.cu" -> "one.h";', dot)

    def test_graph_of_a_module(self):
        graph = self.ok("graph", "block_sum", "--json").json
        self.assertTrue(any(f["name"] == "cub/block/block_reduce.cuh" for f in graph["files"]))


if __name__ == "__main__":
    main()

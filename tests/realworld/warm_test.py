# SPDX-License-Identifier: Apache-2.0
"""FlashInfer's unmodified headers through `kiln warm`: warm_test.py quick|full

quick: three units, the all-reduce fusion among them, for four capabilities. full: all of the catalog
for five. Skips itself (exit 77) where no registry answers, unless KILN_REQUIRE_NETWORK=1.
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
from program import BUILD, SOURCE, Case, main  # noqa: E402

WHAT = sys.argv.pop() if sys.argv[-1] in ("quick", "full") else "quick"
PACKAGE = SOURCE / "build/realworld/flashinfer"
QUICK = ("flashinfer/activation", "flashinfer/pcie_ipc_all_reduce",
         "flashinfer/trtllm_allreduce_fusion")
ARCHS = {"quick": "9.0,10.0,12.0,12.1", "full": "9.0,10.0,10.3,12.0,12.1"}[WHAT]
# Only 9.0 has the instructions of one, only 12.x those of another (tests/realworld/README.md).
DENIED = {"flashinfer/hopper_prefill": {"10.0", "10.3", "12.0", "12.1"},
          "flashinfer/sparse_mla_sm120": {"9.0", "10.0", "10.3"}}
HEADER = "flashinfer/comm/trtllm_allreduce_fusion.cuh"


def fetch():
    done = subprocess.run([sys.executable, HERE / "fetch_flashinfer.py", PACKAGE], check=False,
                          text=True, capture_output=True)
    if done.returncode == 77:
        print(f"skipped: {done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(1 if os.environ.get("KILN_REQUIRE_NETWORK") == "1" else 77)
    if done.returncode != 0:
        sys.exit(f"the package could not be fetched:\n{done.stdout}{done.stderr}")


class Warm(Case):
    def setUp(self):
        super().setUp()
        self.environment["KILN_FLASHINFER"] = str(PACKAGE)
        self.environment["KILN_CATALOG"] = str(HERE / "catalog.yaml")

    def test_warm_then_hits(self):
        modules = QUICK if WHAT == "quick" else ()
        arguments = ("warm", *modules, "--arch", ARCHS, "--json", "--allow-skips")
        first = self.ok(*arguments, timeout=3000).json
        wanted = len(first["results"])
        for result in first["results"]:
            denied = DENIED.get(result["module"], set())
            capability = ARCHS.split(",")[first["results"].index(result) % len(ARCHS.split(","))]
            expected = "denied" if capability in denied else "compiled"
            self.assertEqual(result["status"], expected, result)
            if expected == "compiled":
                self.assertTrue(result["kernels"])
            else:
                self.assertTrue(result["error"]["location"])
        print({name: count for name, count in first["summary"].items()}, flush=True)
        second = self.ok(*arguments).json
        self.assertEqual(second["summary"]["compiled"], 0)
        self.assertEqual(second["summary"]["hit"], first["summary"]["compiled"])
        self.assertEqual(second["summary"]["wanted"], wanted)

    def test_which_and_graph_know_the_fusion_header(self):
        answer = self.ok("which", HEADER, "--json").json
        self.assertEqual(answer["found"], str(PACKAGE / "data/include" / HEADER))
        self.assertEqual(answer["root"], "flashinfer")
        graph = self.ok("graph", "flashinfer/trtllm_allreduce_fusion", "--json").json
        self.assertIn(HEADER, [file["name"] for file in graph["files"]])

    def test_wrong_folder_is_answered_with_the_right_one(self):
        outcome = self.kiln("which", HEADER, "-I", PACKAGE, "--json", KILN_CATALOG=SOURCE / "kernels")
        self.assertEqual(outcome.code, 1, outcome)
        self.assertEqual(outcome.json["suggestions"][:1], [str(PACKAGE / "data/include" / HEADER)])


if __name__ == "__main__":
    assert BUILD.is_dir()
    fetch()
    main()

# SPDX-License-Identifier: Apache-2.0
"""kiln compile: one source, several targets, and what comes out."""
import struct
import unittest

from program import K_CU, Case, main

TEMPLATE = """
template <typename T, int N> __global__ void scale(T* x, T by) {
    for (int i = 0; i < N; ++i) x[threadIdx.x * N + i] *= by;
}
"""


def elf_sm(path) -> int:
    """The SM number in the ELF flags of a cubin (bits 8 to 15)."""
    data = path.read_bytes()
    assert data[:4] == b"\x7fELF"
    return struct.unpack_from("<I", data, 48)[0] >> 8 & 0xFF


class Compile(Case):
    def test_two_archs_make_two_cubins(self):
        source = self.write("x.cu", K_CU)
        outcome = self.ok("compile", source, "--arch", "9.0,12.0", "-o", "out", "--json")
        results = outcome.json["results"]
        self.assertEqual([r["status"] for r in results], ["compiled", "compiled"])
        self.assertEqual(outcome.json["summary"], {"wanted": 2, "compiled": 2, "hit": 0,
                                                   "denied": 0, "skipped": 0, "failed": 0})
        for result, sm in zip(results, (90, 120)):
            self.assertTrue(result["target"].startswith(f"sm_{sm}"))
            self.assertEqual(result["kernels"], ["k"])
            self.assertEqual(elf_sm(self.work / "out" / f"x.{result['target']}.cubin"), sm)

    def test_output_file_is_the_cubin_alone(self):
        self.write("x.cu", K_CU)
        result = self.compile("x.cu", "9.0a", "-o", "x.cubin")
        image = (self.work / "x.cubin").read_bytes()
        with open(result["entry"], "rb") as entry:
            self.assertTrue(entry.read().startswith(image))

    def test_written_out_target_is_taken_as_it_stands(self):
        self.write("x.cu", K_CU)
        for arch, target in (("sm_90", "sm_90"), ("9.0a", "sm_90a"), ("sm_120f", "sm_120f")):
            self.assertEqual(self.compile("x.cu", arch)["target"], target)

    def test_template_expression_is_instantiated_and_found_by_both_backends(self):
        self.write("t.cu", TEMPLATE)
        for backend in ("nvrtc", "nvcc"):
            policy = self.write(f"{backend}.yaml",
                                f"policy: 1\nrules:\n  - set: {{backends: [{backend}]}}\n")
            result = self.compile("t.cu", "9.0", "--kernel", "scale<float, 4>", "--policy", policy)
            self.assertEqual(result["kernels"], ["_Z5scaleIfLi4EEvPT_S0_"], backend)

    def test_define_reaches_the_compiler_whole(self):
        self.write("d.cu", 'extern "C" __global__ void k(int* p) { *p = VALUE; }\n'
                           'static_assert(VALUE == 42, "");\n')
        self.compile("d.cu", "9.0", "-D", "VALUE=42")

    def test_nothing_is_executed_by_a_define_or_a_name(self):
        self.write("d.cu", '__device__ const char text[] = TEXT;\n' + K_CU)
        policy = self.write("nvcc.yaml", "policy: 1\nrules:\n  - set: {backends: [nvcc]}\n")
        self.kiln("compile", "d.cu", "--arch", "9.0", "--policy", policy,
                  "-D", 'TEXT="$(touch pwned)`touch pwned`"')
        odd = self.write("a$(touch pwned).cu", K_CU)
        self.kiln("compile", odd, "--arch", "9.0", "--policy", policy)
        self.assertEqual(list(self.directory.rglob("pwned")), [])

    def test_ptx_can_be_had(self):
        self.write("x.cu", K_CU)
        self.ok("compile", "x.cu", "--arch", "9.0", "--emit", "ptx", "-o", "x.ptx")
        text = (self.work / "x.ptx").read_text()
        self.assertIn(".visible .entry k(", text)

    def test_summary_adds_up_when_some_are_refused(self):
        self.write("x.cu", K_CU)
        outcome = self.kiln("compile", "x.cu", "--arch", "7.0,9.0", "--json")
        summary = outcome.json["summary"]
        self.assertEqual(summary["wanted"], 2)
        self.assertEqual(sum(summary.values()), 4)
        self.assertEqual(outcome.code, 4, outcome)
        self.assertEqual(self.kiln("compile", "x.cu", "--arch", "7.0,9.0", "--allow-skips").code, 0)

    def test_no_temporary_files_are_left(self):
        self.write("x.cu", K_CU)
        self.write("bad.cu", "__global__ void k( {\n")
        temporary = self.directory / "tmp"
        temporary.mkdir()
        for source in ("x.cu", "bad.cu"):
            for backend in ("nvrtc", "nvcc"):
                policy = self.write("b.yaml",
                                    f"policy: 1\nrules:\n  - set: {{backends: [{backend}]}}\n")
                self.kiln("compile", source, "--arch", "9.0", "--policy", policy,
                          TMPDIR=temporary)
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    main()

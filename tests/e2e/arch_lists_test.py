# SPDX-License-Identifier: Apache-2.0
"""Arch lists in other tools' syntax: --arch-from."""
import unittest

from program import K_CU, Case, main


class ArchLists(Case):
    def explain(self, *arguments, **variables):
        return self.ok("explain", "vector_add", *arguments, **variables).out

    def targets(self, *arguments, **variables):
        answer = self.ok("explain", "vector_add", "--json", *arguments, **variables).json
        plans = answer.get("plans", [answer])
        return [plan["target"] for plan in plans]

    def test_the_same_plans_as_the_list_in_kilns_own_words(self):
        for foreign, own in (("torch=8.0 8.6+PTX;9.0a", "8.0,8.6+PTX,9.0a"),
                             ("torch=Hopper Turing", "9.0+PTX,7.5+PTX"),
                             ("flashinfer=9.0a 12.0f 8.0", "9.0a,12.0f,8.0"),
                             ("cmake=80-real;90a-virtual;120f", "sm_80,compute_90a,sm_120f+PTX")):
            self.assertEqual(self.explain("--arch-from", foreign), self.explain("--arch", own))

    def test_the_list_in_its_variable(self):
        self.assertEqual(self.targets("--arch-from", "torch", TORCH_CUDA_ARCH_LIST="8.0;9.0a"),
                         ["sm_80", "sm_90a"])
        self.assertEqual(self.targets("--arch-from", "flashinfer",
                                      FLASHINFER_CUDA_ARCH_LIST="12.0f"), ["sm_120f"])
        self.assertEqual(self.targets("--arch-from", "cmake", CMAKE_CUDA_ARCHITECTURES="80;90",
                                      CUDAARCHS="75"), ["sm_80", "sm_90"])
        self.assertEqual(self.targets("--arch-from", "cmake", CUDAARCHS="75"), ["sm_75"])
        unset = self.kiln("explain", "vector_add", "--arch-from", "cmake")
        self.assertEqual(unset.code, 2, unset)
        for name in ("CMAKE_CUDA_ARCHITECTURES", "CUDAARCHS"):
            self.assertIn(name, unset.err)

    def test_no_variable_counts_without_the_option(self):
        self.assertEqual(self.targets("--arch", "9.0", TORCH_CUDA_ARCH_LIST="banana"), ["sm_90a"])

    def test_all_and_all_major_follow_the_toolkit_as_nvcc_has_them(self):
        major = self.targets("--arch-from", "cmake=all-major", "--toolkit", "13.0.9999")
        self.assertEqual(major, [f"sm_{n}" for n in (75, 80, 90, 100, 110, 120)])
        every = self.targets("--arch-from", "cmake=all", "--toolkit", "13.0.9999")
        self.assertEqual(every, [f"sm_{n}" for n in (75, 80, 86, 87, 88, 89, 90, 100, 103, 110,
                                                     120, 121)])
        self.assertIn("sm_50", self.targets("--arch-from", "cmake=all", "--toolkit", "12.8"))
        self.assertIn("sm_70", self.targets("--arch-from", "torch=All", "--toolkit", "12.8"))

    def test_ptx_is_made_where_the_list_asks_for_it(self):
        source = self.write("k.cu", K_CU)
        results = self.ok("compile", source, "--arch-from", "cmake=80;90-real", "--emit",
                          "ptx", "-o", "out/", "--json").json["results"]
        self.assertEqual([r["target"] for r in results], ["sm_80", "sm_90"])
        self.assertIn(".target sm_80", (self.work / "out/k.sm_80.ptx").read_text())

    def test_everything_that_is_not_understood_is_named(self):
        outcome = self.kiln("explain", "vector_add", "--arch-from", "torch",
                            TORCH_CUDA_ARCH_LIST="8.0;9,0;Common;banana")
        self.assertEqual(outcome.code, 2, outcome)
        for part in ("TORCH_CUDA_ARCH_LIST", "'9,0' at column 5", "'Common' at column 9",
                     "'banana' at column 16", "write 9.0 for '9,0'"):
            self.assertIn(part, outcome.err)

    def test_wrong_use(self):
        for arguments, part in ((("--arch-from", "make=80"), "torch, flashinfer or cmake"),
                                (("--arch-from", "torch=8.0", "--arch", "8.0"), "leave one"),
                                (("--arch-from", "cmake=OFF"), "pass no arch"),
                                (("--arch-from", "cmake="), "holds no arch")):
            outcome = self.kiln("explain", "vector_add", *arguments)
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn(part, outcome.err)

    def test_native_without_a_device_is_refused(self):
        outcome = self.kiln("explain", "vector_add", "--arch-from", "cmake=native",
                            CUDA_VISIBLE_DEVICES="")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("needs a device", outcome.err)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""configs/ptx_forms.yaml against the ptxas of the toolkit at hand, where that is the one measured."""
import pathlib
import re
import subprocess
import unittest

from program import SOURCE, cuda_home, main

PTXAS = pathlib.Path(cuda_home()) / "bin/ptxas"
TEXT = (SOURCE / "configs/ptx_forms.yaml").read_text()
REGISTERS = (".reg .b32 r<16>; .reg .b64 d<16>; .reg .pred p<8>; .reg .f32 f<40>; "
             ".reg .b16 h<16>; .reg .f64 fd<4>;")


def lists():
    return {name: targets.split(", ") for name, targets in
            re.findall(r"^  (\w+): \[(.*)\]$", TEXT, re.M)}


def forms():
    pattern = r"- \{name: '(.*?)', targets: (\w+)(?:, refusal: '.*?')?,\n     ptx: '(.*)'\}$"
    return [(name, targets, ptx.replace("''", "'")) for name, targets, ptx in
            re.findall(pattern, TEXT, re.M)]


def accepts(ptx, target):
    text = (f".version 9.0\n.target {target}\n.address_size 64\n.visible .entry k() {{\n"
            f"{REGISTERS}\n{ptx}\nret;\n}}\n")
    done = subprocess.run([PTXAS, "-arch", target, "-o", "/dev/null", "-"], input=text,
                          capture_output=True, text=True)
    return done.returncode == 0, done.stderr


class PtxForms(unittest.TestCase):
    def setUp(self):
        if not PTXAS.exists():
            self.skipTest(f"{PTXAS} is not there")
        version = subprocess.run([PTXAS, "--version"], capture_output=True, text=True).stdout
        if "release 13.0" not in version:
            self.skipTest("the forms were measured with the ptxas of CUDA 13.0")

    def test_the_edges_of_each_list(self):
        """Of each form: the first and the last target that take it, and one that does not."""
        every = lists()["all"]
        checked = 0
        for name, targets, ptx in forms():
            taken = lists()[targets]
            with self.subTest(form=name):
                for target in {taken[0], taken[-1]}:
                    good, log = accepts(ptx, target)
                    self.assertTrue(good, f"{target}: {log}")
                others = [target for target in every if target not in taken]
                if others:
                    self.assertFalse(accepts(ptx, others[-1])[0], others[-1])
                checked += 1
        self.assertEqual(checked, TEXT.count("- {name:"))
        self.assertGreater(checked, 90)


if __name__ == "__main__":
    main()

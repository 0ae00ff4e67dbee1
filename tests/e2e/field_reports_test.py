# SPDX-License-Identifier: Apache-2.0
"""Reports of other projects' users (docs/field-reports.md), each tried against Kiln."""
import os
import pathlib
import re
import unittest

from program import K_CU, SOURCE, Case, main

FP4 = SOURCE / "kernels/fp4_convert.cu"
# A toolkit of somebody's: an nvcc of CUDA 11.5, from before 9.0, with nothing around it.
OLD_NVCC = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/../asked"
case "$*" in
--version) echo 'Cuda compilation tools, release 11.5, V11.5.119' ;;
--list-gpu-code | --list-gpu-arch) printf 'sm_80\\nsm_86\\n' ;;
*-arch=sm_80\\ * | *-arch=sm_86\\ *) ;;
*) echo "nvcc fatal   : Unsupported gpu architecture" >&2; exit 1 ;;
esac
"""


class FieldReports(Case):
    def build(self, source, arch, *more, code=0, **variables):
        outcome = self.kiln("compile", source, "--arch", arch, "--json", *more, **variables)
        self.assertEqual(outcome.code, code, outcome)
        results = outcome.json["results"]
        summary = outcome.json["summary"]
        self.assertEqual(summary["wanted"], len(results))
        self.assertEqual(summary["wanted"], sum(summary[k] for k in summary if k != "wanted"))
        return results

    def k_cu(self):
        return self.write("k.cu", K_CU)

    def old_nvcc(self):
        """The variables that put the old nvcc before every other toolkit."""
        for part in ("bin/cudafe++", "nvvm/bin/cicc", "bin/ptxas", "bin/fatbinary",
                     "nvvm/libdevice/libdevice.10.bc", "bin/nvcc.profile"):
            self.write(f"old/{part}", "of 11.5")
        nvcc = self.write("old/bin/nvcc", OLD_NVCC)
        nvcc.chmod(0o755)
        return {"PATH": f"{nvcc.parent}:{os.environ['PATH']}", "CUDA_HOME": None,
                "CUDA_PATH": None}

    def nothing_is_cached(self):
        entries = list((self.home / ".cache").rglob("*.cubin"))
        self.assertEqual(entries, [])

    # A1: arch names, suffixes and lists

    def test_r001_an_instruction_that_needs_a_suffix(self):
        results = self.build(FP4, "9.0a,sm_120,12.0f", code=1)
        self.assertEqual([(r["target"], r["status"]) for r in results],
                         [("sm_90a", "failed"), ("sm_120", "failed"), ("sm_120f", "compiled")])
        plain = results[1]["error"]
        self.assertIn("sm_120", plain["message"])
        self.assertIn("e2m1x2", plain["message"] + plain["log"])
        for suffixed in ("sm_120a", "sm_120f"):
            self.assertIn(suffixed, plain["hint"])

    def test_r002_what_is_written_out_gets_no_suffix(self):
        for arch, option in (("sm_90", b"-arch sm_90"), ("9.0a", b"-arch sm_90a"),
                             ("12.0f", b"-arch sm_120f")):
            [result] = self.build(self.k_cu(), arch, "--option", "--use_fast_math")
            found = re.search(rb"-arch sm_\d+[af]?", pathlib.Path(result["entry"]).read_bytes())
            self.assertEqual(found[0], option)
        # A bare capability asks the policy, and one line of it says plain.
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - set: {targets: [plain]}\n")
        [result] = self.build(self.k_cu(), "9.0", "--policy", policy)
        self.assertEqual(result["target"], "sm_90")

    def test_r004_no_entry_vanishes(self):
        config = self.write("c.yaml", "configuration: 1\narch:\n  - \"8.0\"\n  - 9.0a\n"
                                      "  - 8.6+PTX\n  - 9,0\n  - banana\n")
        outcome = self.kiln("compile", self.k_cu(), "--config", config)
        self.assertEqual(outcome.code, 2, outcome)
        for bad in ("c.yaml:6:5: '9,0'", "c.yaml:7:5: 'banana'"):
            self.assertIn(bad, outcome.err)
        self.nothing_is_cached()

    def test_r006_a_renamed_target_is_refused_by_its_new_name_before_a_compiler_starts(self):
        [result] = self.build(self.k_cu(), "10.1a", "--toolkit", "13", code=3)
        self.assertEqual(result["error"]["code"], "unsupported_target")
        self.assertIn("sm_110a", result["error"]["message"])
        older = self.ok("explain", "vector_add", "--arch", "11.0", "--toolkit", "12.9", "--json")
        self.assertIn("sm_101", older.json["reason"])

    def test_r007_all_follows_the_compiler(self):
        variables = self.old_nvcc()
        plans = self.ok("explain", "vector_add", "--arch", "all", "--json",
                        **variables).json["plans"]
        self.assertEqual([plan["capability"] for plan in plans], ["8.0", "8.6"])
        # A toolkit that can do nothing is an error, not an empty list.
        (self.work / "old/bin/ptxas").unlink()
        outcome = self.kiln("explain", "vector_add", "--arch", "all", "--json", **variables)
        self.assertEqual(outcome.code, 3, outcome)
        self.assertIn("lacks ptxas", outcome.out)

    def test_r009_a_family_target_of_a_later_member_is_not_dropped(self):
        results = self.build(FP4, "12.1f,12.0f")
        self.assertEqual([r["target"] for r in results], ["sm_121f", "sm_120f"])
        plan = self.ok("explain", "fp4_convert", "--arch", "12.1f", "--json").json
        self.assertEqual((plan["verdict"], plan["target"]), ("allow", "sm_121f"))

    def test_r011_a_minimum_holds_for_each_target_by_itself(self):
        self.k_cu()
        catalog = self.write("catalog.yaml", "catalog: 1\nmodules:\n  - name: k\n    source: k.cu\n"
                                             "    kernels: [k]\n    needs:\n"
                                             "      - {capability: \">=7.5\", reason: too old}\n")
        outcome = self.kiln("warm", "k", "--catalog", catalog, "--arch", "7.0,9.0a", "--json")
        self.assertEqual(outcome.code, 4, outcome)
        first, second = outcome.json["results"]
        self.assertIn(first["status"], ("denied", "skipped"))
        self.assertIn("too old", first["error"]["message"])
        self.assertEqual((second["status"], second["target"]), ("compiled", "sm_90a"))

    # A2: toolkit and arch do not fit

    def test_r012_r013_an_old_toolkit_first_on_path(self):
        variables = self.old_nvcc()
        before = set(self.directory.rglob("*"))
        outcome = self.kiln("compile", self.k_cu(), "--arch", "9.0a", "--json",
                            TMPDIR=self.directory, **variables)
        self.assertEqual(outcome.code, 3, outcome)
        message = outcome.json["results"][0]["error"]["message"]
        for part in ("sm_90a", "CUDA 12.0", "11.5.119", str(self.work / "old"), "PATH"):
            self.assertIn(part, message)
        self.nothing_is_cached()
        left = {p for p in set(self.directory.rglob("*")) - before if self.home not in p.parents}
        self.assertEqual(left, {self.work / "k.cu", self.work / "old/asked"})
        # Asked what it can do, never to compile a source.
        self.assertNotIn("k.cu", (self.work / "old/asked").read_text())
        # Another toolkit on the machine that has the target is named with what to say.
        other = self.environment["CUDA_HOME"]
        if pathlib.Path(other).resolve() == pathlib.Path("/usr/local/cuda").resolve():
            self.assertIn(f"--toolkit {pathlib.Path(other).resolve()}", message)
        [result] = self.build(self.k_cu(), "9.0a", "--toolkit", other, **variables)
        self.assertEqual(result["status"], "compiled")

    def test_r014_family_targets_only_where_the_toolkit_has_them(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n"
                                      "  - match: {toolkit: \"<12.9\"}\n    set: {targets: [a]}\n"
                                      "  - match: {toolkit: \">=12.9\"}\n    set: {targets: [f]}\n")
        for toolkit, target in (("12.8", "sm_100a"), ("12.9", "sm_100f"), ("13", "sm_100f")):
            for more in ((), ("--policy", policy)):
                plan = self.ok("explain", "vector_add", "--arch", "10.0", "--toolkit", toolkit,
                               "--json", *more).json
                self.assertEqual(plan["target"], target)
        always = self.ok("explain", "vector_add", "--arch", "10.0f", "--toolkit", "12.8",
                         "--json").json
        self.assertEqual(always["verdict"], "unsupported")
        self.assertIn("12.9", always["reason"])

    def test_r016_a_gate_says_its_own_reason_and_line(self):
        text = ("policy: 1\nrules:\n  - name: sm12-gate\n"
                "    match: {{major: 12, toolkit: \"<{}\"}}\n    deny: 12.x needs CUDA {}\n")
        for least in ("12.9", "13.3"):
            policy = self.write("p.yaml", text.format(least, least))
            plan = self.ok("explain", "vector_add", "--arch", "12.0", "--toolkit", "12.8",
                           "--policy", policy, "--json").json
            self.assertEqual(plan["verdict"], "deny")
            self.assertIn(f"12.x needs CUDA {least}", plan["reason"])
            self.assertTrue(plan["origin"].endswith("p.yaml:3"), plan["origin"])
        outcome = self.ok("explain", "vector_add", "--arch", "12.0", "--toolkit", "13.4", "--policy",
                          policy, "--json")
        self.assertEqual(outcome.json["verdict"], "allow")

    def test_r017_a_removed_target_leaves_the_others(self):
        results = self.build(self.k_cu(), "7.0,7.5,9.0", "--toolkit", "13", code=4)
        self.assertEqual([r["status"] for r in results], ["skipped", "compiled", "compiled"])
        message = results[0]["error"]["message"]
        self.assertIn("removed in CUDA 13.0", message)
        self.assertIn("12.9", message)

    def test_r019_ptx_of_a_target_that_the_toolkit_lacks_is_refused_before_a_compile(self):
        [result] = self.build(self.k_cu(), "compute_70", "--toolkit", "13", code=3)
        self.assertEqual(result["error"]["code"], "unsupported_target")
        self.assertIn("12.9", result["error"]["message"])

    def test_r020_too_new_and_removed_are_two_answers(self):
        removed, unknown = self.build(self.k_cu(), "sm_70,sm_130", "--toolkit", "13", code=3)
        self.assertIn("removed", removed["error"]["message"])
        self.assertNotIn("removed", unknown["error"]["message"])
        self.assertIn("no toolkit known to Kiln has sm_130", unknown["error"]["message"])
        for result in (removed, unknown):
            self.assertIn("the toolkit in use is CUDA 13", result["error"]["message"])

    # D: devices, drivers, detection

    def test_r029_r032_native_without_a_device_names_what_to_set(self):
        tool = self.write("bin/nvidia-smi", "#!/bin/sh\ntouch \"$0.ran\"\necho no devices\nexit 9\n")
        tool.chmod(0o755)
        for arguments in (("--arch", "native"), ()):
            outcome = self.kiln("compile", self.k_cu(), *arguments, CUDA_VISIBLE_DEVICES="",
                                PATH=f"{tool.parent}:{os.environ['PATH']}")
            self.assertEqual(outcome.code, 2, outcome)
            for override in ("--arch", "KILN_ARCH", "arch:"):
                self.assertIn(override, outcome.err)
        self.assertFalse((tool.parent / "nvidia-smi.ran").exists())
        self.nothing_is_cached()

    def test_r030_whatever_the_visible_devices_variable_holds(self):
        for value in ("", "-1", "0,0", "7", "GPU-00000000-1111-2222-3333-444444444444",
                      "MIG-00000000-1111-2222-3333-444444444444", "banana"):
            self.ok("devices", CUDA_VISIBLE_DEVICES=value)
            [result] = self.build(self.k_cu(), "9.0", CUDA_VISIBLE_DEVICES=value)
            self.assertEqual(result["target"], "sm_90a")
        self.ok("doctor", CUDA_VISIBLE_DEVICES="MIG-00000000-1111-2222-3333-444444444444")

    def test_r031_r033_what_needs_no_device_asks_no_driver(self):
        # A driver that cannot even be opened without a trace.
        library = self.write("driver/libcuda.so.1", "not a library")
        os.utime(library, ns=(1, 1))
        variables = {"LD_LIBRARY_PATH": library.parent, "LD_DEBUG": "files",
                     "LD_DEBUG_OUTPUT": self.directory / "opened"}
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - set: {backends: [nvcc]}\n")
        for arguments in (("explain", "vector_add", "--arch", "9.0"),
                          ("compile", self.k_cu(), "--arch", "9.0"),
                          ("compile", self.k_cu(), "--arch", "9.0", "--policy", policy),
                          ("compile", self.k_cu(), "--arch", "9.0"),
                          ("warm", "vector_add", "--arch", "9.0")):
            self.ok(*arguments, **variables)
        logs = [path.read_text(errors="replace") for path in self.directory.glob("opened.*")]
        self.assertTrue(any("libc.so" in log for log in logs))
        self.assertFalse(any("libcuda.so" in log for log in logs))
        self.ok("devices", **variables)
        logs = [path.read_text(errors="replace") for path in self.directory.glob("opened.*")]
        self.assertTrue(any("libcuda.so.1" in log for log in logs))

    # A3: wrong flags, gates or guards for one arch

    def test_r021_arch_flags_in_options_are_refused_alike_by_both_compilers(self):
        for backend in ("nvrtc", "nvcc"):
            policy = self.write("p.yaml", f"policy: 1\nrules:\n  - set: {{backends: [{backend}]}}\n")
            outcome = self.kiln("compile", self.k_cu(), "--arch", "8.6,8.9", "--policy", policy,
                                "--option=-gencode=arch=compute_89,code=sm_89")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("targets belong in", outcome.err)
        self.nothing_is_cached()

    def test_r022_a_range_or_a_family_covers_a_neighbour_and_a_list_is_named(self):
        self.k_cu()
        catalog = self.write("catalog.yaml", "catalog: 1\nmodules:\n" + "".join(
            f"  - {{name: {name}, source: k.cu, kernels: [k], needs: [{{capability: {need}, "
            f"reason: it says so}}]}}\n" for name, need in (
                ("listed", "[10.0, 10.1]"), ("ranged", "\">=10.0 <11\""), ("family", "10.0f"))))
        catalog.write_text(catalog.read_text().replace("<11", "<11.0"))
        gates = self.ok("policy", "gates", "--catalog", catalog, "--arch", "10.3", "--json").json
        self.assertEqual([gate["module"] for gate in gates["gates"]], ["listed"])
        self.assertIn("needs:listed", gates["gates"][0]["reason"])

    def test_r027_a_promised_target_that_is_missing_is_named(self):
        self.k_cu()
        catalog = self.write("catalog.yaml", "catalog: 1\nmodules:\n"
                                             "  - {name: one, source: k.cu, kernels: [k]}\n"
                                             "  - {name: two, source: k.cu, kernels: [k], "
                                             "defines: {N: 2}}\n")
        promise = ("warm", "--catalog", catalog, "--arch", "9.0a,11.0a", "--json")
        results = self.ok(*promise).json["results"]
        gone = next(r for r in results if (r["module"], r["target"]) == ("two", "sm_110a"))
        pathlib.Path(gone["entry"]).unlink()
        outcome = self.kiln(*promise, "--sealed")
        self.assertEqual(outcome.code, 5, outcome)
        missing = [(r["module"], r["target"]) for r in outcome.json["results"] if r["error"]]
        self.assertEqual(missing, [("two", "sm_110a")])

    # L: driver and load

    def test_r036_r038_a_cubin_is_the_default_and_a_target_is_always_in_the_key(self):
        results = self.build(self.k_cu(), "9.0,12.0")
        self.assertEqual(len({r["key"] for r in results}), 2)
        for result in results:
            self.assertTrue(pathlib.Path(result["entry"]).read_bytes().startswith(b"\x7fELF"))
        outcome = self.kiln("compile", self.k_cu())
        if outcome.code != 0:  # no device here: nothing is guessed
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("--arch", outcome.err)


if __name__ == "__main__":
    main()

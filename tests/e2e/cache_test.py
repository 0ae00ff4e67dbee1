# SPDX-License-Identifier: Apache-2.0
"""What is a hit and what is a miss, as a user sees it."""
import os
import pathlib
import shutil
import unittest

from program import K_CU, KILN, Case, cuda_home, main


class Cache(Case):
    def setUp(self):
        super().setUp()
        self.write("inc/h.h", "#define STEP 1\n")
        self.write("x.cu", '#include "h.h"\nextern "C" __global__ void k(int* p) { *p += STEP; }\n')

    def once(self, *more, arch="9.0", **variables):
        return self.compile("x.cu", arch, "-I", "inc", *more, **variables)

    def test_second_time_is_a_hit_without_a_compiler(self):
        first = self.once()
        self.assertEqual((first["status"], first["tier"]), ("compiled", None))
        second = self.once()
        self.assertEqual((second["status"], second["tier"]), ("hit", "disk"))
        self.assertEqual(first["key"], second["key"])

    def test_what_matters_is_a_miss_that_says_why(self):
        self.once()
        self.write("inc/h.h", "#define STEP 2\n")
        header = self.once()
        self.assertEqual(header["status"], "compiled")
        self.assertIn("h.h", header["miss_reason"])
        (self.work / "x.cu").write_text((self.work / "x.cu").read_text() + "// edited\n")
        source = self.once()
        self.assertEqual(source["status"], "compiled")
        self.assertIn("source", source["miss_reason"])
        flag = self.once("-D", "X=1")
        self.assertEqual(flag["status"], "compiled")
        self.assertIn("X=1", flag["miss_reason"])
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - set: {options: [--use_fast_math]}\n")
        self.assertEqual(self.once("--policy", policy)["status"], "compiled")

    def test_old_contents_with_new_times_hit_the_old_entry(self):
        first = self.once()
        self.write("inc/h.h", "#define STEP 2\n")
        os.utime(self.work / "inc/h.h", (0, 0))
        changed = self.once()
        self.assertEqual(changed["status"], "compiled")
        self.write("inc/h.h", "#define STEP 1\n")
        again = self.once()
        self.assertEqual((again["status"], again["key"]), ("hit", first["key"]))

    def test_what_does_not_matter_is_a_hit(self):
        policy = self.write("p.yaml", "policy: 1\nrules:\n  - set: {options: [--use_fast_math]}\n")
        first = self.once("--policy", policy)
        os.utime(self.work / "inc/h.h")
        os.utime(self.work / "x.cu")
        self.assertEqual(self.once("--policy", policy)["status"], "hit")
        policy.write_text("# a comment\n" + policy.read_text())
        self.assertEqual(self.once("--policy", policy)["status"], "hit")
        other_home = self.directory / "other-home"
        other_home.mkdir()
        cache = self.home / ".cache/kiln"
        moved = self.directory / "moved"
        shutil.copytree(self.work, moved)
        result = self.kiln("compile", "x.cu", "--arch", "9.0", "-I", "inc", "--json", "--policy",
                           "p.yaml", "--jobs", "1", cwd=moved, HOME=other_home,
                           KILN_CACHE_DIR=cache).json["results"][0]
        self.assertEqual((result["status"], result["key"]), ("hit", first["key"]))

    def test_a_new_file_that_would_be_found_first_is_a_miss(self):
        self.write("first/other.h", "")
        arguments = ("compile", "x.cu", "--arch", "9.0", "--json", "-I", "first", "-I", "inc")
        self.ok(*arguments)
        self.assertEqual(self.ok(*arguments).json["results"][0]["status"], "hit")
        self.write("first/h.h", "#define STEP 7\n")
        result = self.ok(*arguments).json["results"][0]
        self.assertEqual(result["status"], "compiled")
        self.assertIn("h.h", result["miss_reason"])

    def test_a_file_that_has_include_now_finds_is_a_miss(self):
        self.write("x.cu", '#if __has_include("extra.h")\n#define STEP 3\n#else\n#define STEP 1\n'
                           '#endif\nextern "C" __global__ void k(int* p) { *p += STEP; }\n')
        self.once()
        self.assertEqual(self.once()["status"], "hit")
        self.write("inc/extra.h", "")
        self.assertEqual(self.once()["status"], "compiled")

    def test_another_toolkit_is_another_entry_and_the_first_still_hits(self):
        first = self.once()
        # The same toolkit at another place is the same toolkit.
        elsewhere = self.directory / "cuda"
        elsewhere.symlink_to(cuda_home())
        self.assertEqual(self.once("--toolkit", elsewhere)["key"], first["key"])

    def test_each_target_has_an_entry_of_its_own(self):
        targets = ("sm_80", "sm_90", "sm_90a", "sm_120f")
        for arch in targets:
            self.assertEqual(self.once(arch=arch)["status"], "compiled")
        stats = self.ok("cache", "stats", "--json").json
        self.assertEqual(stats["by_target"], {target: 1 for target in targets})
        self.assertEqual(stats["entries"], 4)
        self.assertEqual((stats["compiles"], stats["misses"]), (4, 4))
        rows = self.ok("cache", "list", "--json").json["entries"]
        self.assertEqual(sorted(row["target"] for row in rows), sorted(targets))
        self.assertTrue(all(f"/v1/{row['target']}/" in row["path"] for row in rows))

    def test_clear_removes_kilns_files_and_nothing_else(self):
        self.once()
        foreign = self.home / ".cache/kiln/mine.txt"
        foreign.write_text("mine")
        self.ok("cache", "clear")
        self.assertEqual(self.ok("cache", "stats", "--json").json["entries"], 0)
        self.assertEqual(foreign.read_text(), "mine")
        self.assertEqual(self.once()["status"], "compiled")

    def test_damage_heals(self):
        first = self.once()
        entry = pathlib.Path(first["entry"])
        whole = entry.read_bytes()
        for damaged in (b"", whole[: len(whole) // 2], whole[:100] + b"\xff" + whole[101:]):
            entry.write_bytes(damaged)
            self.assertEqual(self.once()["status"], "compiled")
            self.assertEqual(self.once()["status"], "hit")
        self.assertEqual(self.ok("cache", "stats", "--json").json["quarantined"], 3)

    def test_cache_that_cannot_be_written_changes_nothing_but_a_warning(self):
        blocked = self.write("blocked", "a file, not a directory")
        result = self.kiln("compile", "x.cu", "--arch", "9.0", "-I", "inc", "--json",
                           "--cache-dir", blocked / "below")
        self.assertEqual(result.code, 0, result)
        self.assertEqual(result.json["results"][0]["status"], "compiled")
        self.assertIn("cache", result.err)
        strict = self.kiln("compile", "x.cu", "--arch", "9.0", "-I", "inc", "--strict",
                           "--cache-dir", blocked / "below")
        self.assertEqual(strict.code, 6, strict)

    def test_without_a_home_the_kernel_is_still_made(self):
        result = self.kiln("compile", "x.cu", "--arch", "9.0", "-I", "inc", "-o", "x.cubin",
                           HOME=None)
        self.assertEqual(result.code, 0, result)
        self.assertTrue((self.work / "x.cubin").stat().st_size > 0)

    def test_sealed_mode_serves_hits_and_refuses_misses(self):
        self.once()
        self.assertEqual(self.once("--sealed")["status"], "hit")
        miss = self.kiln("compile", "x.cu", "--arch", "8.0", "-I", "inc", "--sealed", "--json")
        self.assertEqual(miss.code, 5, miss)
        self.assertEqual(miss.json["results"][0]["error"]["code"], "sealed_miss")

    def test_started_from_anywhere_the_key_is_the_same(self):
        first = self.once()
        link = self.directory / "linked-kiln"
        link.symlink_to(KILN)
        result = self.kiln("compile", "../work/x.cu", "--arch", "9.0", "-I", "../work/inc",
                           "--json", cwd=self.home, program=link).json["results"][0]
        self.assertEqual((result["status"], result["key"]), ("hit", first["key"]))

    def test_line_info_belongs_to_its_place(self):
        self.once("--option", "-lineinfo")
        self.assertEqual(self.once("--option", "-lineinfo")["status"], "hit")
        moved = self.directory / "moved"
        shutil.copytree(self.work, moved)
        result = self.kiln("compile", "x.cu", "--arch", "9.0", "-I", "inc", "--json", "--option",
                           "-lineinfo", cwd=moved).json["results"][0]
        self.assertEqual(result["status"], "compiled")


if __name__ == "__main__":
    main()

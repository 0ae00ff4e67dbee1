#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import tempfile
import unittest

import devices_page


def report(date="2030-01-02", **changes):
    made = {
        "commit": "0123abc",
        "date": date,
        "kiln": "0.1.0",
        "device": {"name": "Device X", "capability": "9.0", "memory_bytes": 2**31, "mig": False},
        "driver": "13.0",
        "toolkit": "13.0.88",
        "sanitizer": None,
        "cases": [
            {"name": "adds", "status": "passed", "skipped": [], "seconds": 0.5},
            {"name": "breaks", "status": "failed", "skipped": [], "seconds": 0.1},
            {"name": "fp4", "status": "skipped", "skipped": ["needs 10.0"], "seconds": 0},
        ],
        "cubins": [{"kernel": "f<a|b>", "target": "sm_90a", "sha256": "ab" * 32, "bytes": 4096}],
        "times": [{"name": "cold", "value": 1234.5, "unit": "ms"}],
    }
    made.update(changes)
    return made


class DevicesPage(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.output = self.directory / "devices.md"

    def make(self, *reports, check=False):
        for at, one in enumerate(reports):
            (self.directory / f"{at}.json").write_text(json.dumps(one), encoding="utf-8")
        arguments = ["--reports", str(self.directory), "--output", str(self.output)]
        return devices_page.main(arguments + (["--check"] if check else []))

    def test_says_what_passed_failed_and_was_skipped_and_why(self):
        self.assertEqual(self.make(report()), 0)
        text = self.output.read_text(encoding="utf-8")
        self.assertIn("## Device X, 2030-01-02\n", text)
        self.assertIn("Compute capability 9.0, 2.0 GiB, driver for CUDA 13.0", text)
        self.assertIn("commit 0123abc", text)
        self.assertIn("3 cases: 1 passed, 1 failed, 1 skipped", text)
        self.assertIn("- failed: breaks\n", text)
        self.assertIn("- skipped: fp4: needs 10.0\n", text)
        self.assertIn("| cold | 1,234 ms |", text)
        self.assertIn("| `f<a\\|b>` | sm_90a | 4096 | `abababababababab` |", text)

    def test_newest_first_and_a_sanitizer_run_says_so(self):
        self.make(report(), report(date="2030-02-01", sanitizer="memcheck", times=[]))
        text = self.output.read_text(encoding="utf-8")
        newest = text.index("## Device X, 2030-02-01, under compute-sanitizer (memcheck)")
        self.assertLess(newest, text.index("## Device X, 2030-01-02"))

    def test_check_tells_a_stale_page(self):
        self.make(report())
        self.assertEqual(self.make(report(), check=True), 0)
        self.assertEqual(self.make(report(commit="fedcba9"), check=True), 1)

    def test_a_file_that_is_no_report_is_named(self):
        with self.assertRaisesRegex(SystemExit, "0.json: no `cases`"):
            self.make({"date": "", "device": {}, "driver": ""})

    def test_no_reports_make_a_page_without_sections(self):
        self.make()
        self.assertNotIn("\n## ", self.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()

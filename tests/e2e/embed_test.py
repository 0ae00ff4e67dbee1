# SPDX-License-Identifier: Apache-2.0
"""The installed package: find_package, pkg-config, what is visible, and the example."""
import os
import re
import shutil
import subprocess
import unittest

from program import BUILD, SOURCE, Case, main


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, text=True,
                          capture_output=True, **more).stdout


class Embed(Case):
    @property
    def prefixes(self):
        more = os.environ.get("CMAKE_PREFIX_PATH", "")
        return ";".join(filter(None, [str(self.prefix), *more.split(":")]))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = BUILD / "tests" / "prefix"
        shutil.rmtree(cls.prefix, ignore_errors=True)
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.library = next(cls.prefix.rglob("libkiln.so"))

    def test_example_finds_the_package_and_gets_its_kernel(self):
        build = self.directory / "build"
        run("cmake", "-S", SOURCE / "examples/embed", "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefixes}")
        run("cmake", "--build", build)
        outcome = self.ok(program=build / "embed")
        self.assertRegex(outcome.out, r"nothing was launched|sums are right")
        again = self.ok(program=build / "embed")
        self.assertEqual(outcome.out, again.out)

    def test_pkg_config_is_enough(self):
        environment = dict(self.environment, PKG_CONFIG_PATH=str(self.library.parent / "pkgconfig"))
        flags = run("pkg-config", "--cflags", "--libs", "--define-prefix", "kiln",
                    env=environment).split()
        program = self.directory / "embed"
        run("g++", "-std=c++20", SOURCE / "examples/embed/main.cpp", "-o", program, *flags,
            f"-Wl,-rpath,{self.library.parent}")
        self.ok(program=program)

    def test_static_library_links(self):
        lists = self.write("CMakeLists.txt",
                           "cmake_minimum_required(VERSION 3.25)\nproject(s LANGUAGES CXX)\n"
                           "find_package(kiln REQUIRED)\n"
                           f"add_executable(s {SOURCE}/examples/embed/main.cpp)\n"
                           "target_link_libraries(s PRIVATE kiln::kiln-static)\n")
        build = self.directory / "static"
        run("cmake", "-S", lists.parent, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefixes}")
        run("cmake", "--build", build)
        self.assertTrue((build / "s").exists())

    def test_only_kiln_is_visible(self):
        names = run("nm", "-DC", "--defined-only", self.library).splitlines()
        self.assertGreater(len(names), 50)
        foreign = [name for name in names
                   if not re.search(r" (typeinfo (name )?for |vtable for )?kiln::", name)]
        self.assertEqual(foreign, [])
        self.assertFalse([name for name in names if re.search(r"kiln::(base|cache|policy|service)::|State::", name)])
        self.assertTrue([name for name in names if "typeinfo for kiln::Error" in name])

    def test_no_cuda_library_is_linked(self):
        for file in (self.library, self.prefix / "bin/kiln"):
            needed = run("ldd", file)
            self.assertNotRegex(needed, r"libcuda|nvrtc|libcudart")

    def test_public_headers_stand_alone_and_name_no_dependency(self):
        for header in sorted((self.prefix / "include/kiln").glob("*.h")):
            user = self.write("user.cpp", f"#include <kiln/{header.name}>\n")
            run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                f"-I{self.prefix}/include", user)
            self.assertNotRegex(header.read_text(), r"spdlog|yaml_|yaml\.h|nlohmann|fmt::")


if __name__ == "__main__":
    main()

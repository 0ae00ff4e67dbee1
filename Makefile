# SPDX-License-Identifier: Apache-2.0
# make        builds build/release/kiln
# make demo   installs what is missing, builds, warms the shipped catalog, shows the result
# make bench  builds and runs the benchmarks; make fuzz runs each fuzzer for 30 s
# make faults breaks the cache on purpose, at length (about half an hour)
# make test   the same set-up, then the quick tests; make test-full runs everything
.PHONY: all setup build tests demo test test-full bench fuzz faults check clean

all: build

setup:
	@scripts/setup.sh

build: setup
	@scripts/build.sh

tests: setup
	@scripts/build.sh --tests

demo: build
	@scripts/demo.sh

test: tests
	@scripts/test.sh quick

test-full: tests
	@scripts/test.sh full

bench:
	@KILN_BENCH=1 scripts/setup.sh
	@scripts/bench.sh

fuzz:
	@KILN_CHECKS=1 scripts/setup.sh
	@scripts/fuzz.sh

faults: tests
	@scripts/faults.sh --long

check:
	@scripts/check.sh

clean:
	rm -rf build

# SPDX-License-Identifier: Apache-2.0
# make        builds build/release/kiln
# make demo   installs what is missing, builds, warms the shipped catalog, shows the result
# make test   the same set-up, then the quick tests; make test-full runs everything
.PHONY: all setup build tests demo test test-full check clean

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

check:
	@scripts/check.sh

clean:
	rm -rf build

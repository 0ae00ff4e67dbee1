#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds with sanitizers and runs what they can judge: scripts/sanitize.sh asan|tsan [CTEST-ARGUMENT...]
#   asan  addresses, leaks and undefined behaviour: the rooms' tests and the program, end to end
#   tsan  data races: the tests with threads. It sees one process: not what a compile does in a
#         worker, which is a process of its own.
# A finding fails the test in which it is made. KILN_BUILD_JOBS bounds the compiles at once.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-}
targets=(kiln kiln-worker service_test cache_test worker_test worker_pool_test worker_host_death_test
    policy_test faults_crowd_test faults_replaced_test)
tests='service|cache|worker|worker_pool|worker_host_death|policy|faults_crowd|faults_replaced'
case $preset in
    asan)
        targets+=(catalog_test source_test compile_test device_test base_test
            faults_seam_test faults_damage_test faults_kill_test faults_limits_test faults_golden_test)
        tests="^($tests|catalog|source|compile|device|base|faults_(seam|damage|kill|limits|golden)|e2e\\..*)\$"
        excluded='^e2e\.toolkits'
        ;;
    tsan)
        tests="^($tests)\$"
        excluded='^$'
        ;;
    *)
        echo "usage: scripts/sanitize.sh asan|tsan [CTEST-ARGUMENT...]" >&2
        exit 2
        ;;
esac
shift

CUDA_HOME=$(scripts/cuda_home.sh)
export CUDA_HOME
# The programs of the tests lie below the worker's place: without this they would compile in their
# own process, where NVRTC's uninstrumented threads are seen too.
export KILN_WORKER=$PWD/build/$preset/kiln-worker
cmake --preset "$preset" -DKILN_BUILD_TESTS=ON
cmake --build --preset "$preset" -j "${KILN_BUILD_JOBS:-$(nproc)}" --target "${targets[@]}"

# Exit codes that no program of Kiln's and no test uses, so that a test that expects a failure does
# not take a finding for it.
export ASAN_OPTIONS=exitcode=99:detect_leaks=1:abort_on_error=0:detect_stack_use_after_return=1
export LSAN_OPTIONS=suppressions=$PWD/tests/sanitizers/leaks.supp:print_suppressions=0
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99:halt_on_error=0:second_deadlock_stack=1:die_after_fork=0
# Instrumented programs are several times slower than the limits of the tests allow for.
ctest --test-dir "build/$preset" --output-on-failure -R "$tests" -E "$excluded" \
    --timeout 1200 -j 2 "$@"

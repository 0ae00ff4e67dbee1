#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that a build needs, as root on Debian or Ubuntu; otherwise prints the one
# command that does. Finds a CUDA toolkit, or says how to get one.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
    g++ cmake ninja-build pkg-config python3 python3-pip python3-venv
    libspdlog-dev libfmt-dev doctest-dev libcli11-dev nlohmann-json3-dev
    libxxhash-dev nettle-dev libelf-dev libyaml-dev
)
if [[ ${KILN_CHECKS:-0} == 1 ]]; then
    # clang and its runtime: for the fuzzers.
    packages+=(clang-format clang-tidy clang libclang-rt-dev python3-jsonschema python3-yaml)
fi
if [[ ${KILN_BENCH:-0} == 1 ]]; then
    packages+=(libbenchmark-dev)
fi

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        if [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) != "install ok installed" ]]; then
            printf '%s\n' "$package"
        fi
    done
}

# A host without dpkg, or one that gets its packages as a prefix, looks after itself.
if command -v dpkg-query >/dev/null && [[ -z ${KILN_SKIP_PACKAGES:-} ]]; then
    mapfile -t missing < <(missing_packages)
    # A compiler or cmake of one's own on PATH will do.
    wanted=()
    for package in "${missing[@]}"; do
        case $package in
            g++ | cmake | python3 | clang-format | clang-tidy) command -v "$package" >/dev/null && continue ;;
            clang) command -v clang++ >/dev/null && continue ;;
            ninja-build) command -v ninja >/dev/null && continue ;;
            python3-pip) python3 -m pip --version >/dev/null 2>&1 && continue ;;
            python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && continue ;;
        esac
        wanted+=("$package")
    done
    if ((${#wanted[@]} > 0)); then
        if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
            echo "installing packages: ${wanted[*]}"
            apt-get update -qq
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                "${wanted[@]}" >/dev/null
        else
            echo "some packages are missing; this installs them:"
            echo "    sudo apt-get install ${wanted[*]}"
            exit 1
        fi
    fi
fi

scripts/cuda_home.sh >/dev/null || {
    status=$?
    if [[ $status != 3 ]]; then
        exit "$status"
    fi
    cat <<'END'
no CUDA toolkit was found (CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, build/cuda).
NVIDIA's Python wheels make one (about 400 MB, in build/cuda, nothing else is touched):
    scripts/fetch_cuda_wheels.sh
END
    if [[ ${KILN_FETCH_CUDA:-0} == 1 ]]; then
        scripts/fetch_cuda_wheels.sh
    else
        echo "run it, or say KILN_FETCH_CUDA=1 make demo"
        exit 3
    fi
}

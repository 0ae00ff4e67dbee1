# SPDX-License-Identifier: Apache-2.0
# Everything comes from packages; a prefix in CMAKE_PREFIX_PATH stands in for one that a host lacks.

find_package(Threads REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 REQUIRED)
if(KILN_BUILD_TESTS)
  find_package(doctest REQUIRED)
endif()
find_package(PkgConfig REQUIRED)

# A library without a CMake package of its own.
function(kiln_find_library name header library)
  find_path(KILN_${name}_INCLUDE_DIR ${header} REQUIRED)
  find_library(KILN_${name}_LIBRARY ${library} REQUIRED)
  add_library(kiln_${name} INTERFACE)
  target_include_directories(kiln_${name} SYSTEM INTERFACE ${KILN_${name}_INCLUDE_DIR})
  target_link_libraries(kiln_${name} INTERFACE ${KILN_${name}_LIBRARY})
endfunction()
kiln_find_library(xxhash xxhash.h xxhash)
kiln_find_library(nettle nettle/sha2.h nettle)
kiln_find_library(elf gelf.h elf)
kiln_find_library(yaml yaml.h yaml)

# Only CUDA's headers are needed to build: its libraries are opened at run time.
find_path(
  KILN_CUDA_INCLUDE_DIR nvrtc.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda
  PATH_SUFFIXES include targets/x86_64-linux/include
  REQUIRED)
find_path(
  KILN_CUDA_DRIVER_INCLUDE_DIR cuda.h
  HINTS ${KILN_CUDA_INCLUDE_DIR} ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda
  PATH_SUFFIXES include targets/x86_64-linux/include
  REQUIRED)

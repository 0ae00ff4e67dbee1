# SPDX-License-Identifier: Apache-2.0

add_library(kiln_build INTERFACE)
target_compile_options(kiln_build INTERFACE -Wall -Wextra -Werror)
# What the optimiser of GCC 12 and 13 believes of std::string and std::vector (overlaps and bounds
# that are not there) is no reason to stop: the sanitizers watch those.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(kiln_build INTERFACE -Wno-restrict -Wno-array-bounds
                                              -Wno-stringop-overflow -Wno-stringop-overread)
endif()
target_include_directories(
  kiln_build INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
                       ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_include_directories(kiln_build SYSTEM INTERFACE ${KILN_CUDA_INCLUDE_DIR}
                                                       ${KILN_CUDA_DRIVER_INCLUDE_DIR})
target_link_libraries(
  kiln_build
  INTERFACE Threads::Threads
            spdlog::spdlog
            fmt::fmt
            nlohmann_json::nlohmann_json
            kiln_xxhash
            kiln_nettle
            kiln_elf
            kiln_yaml
            ${CMAKE_DL_LIBS})
if(KILN_SANITIZE)
  target_compile_options(kiln_build INTERFACE -fsanitize=${KILN_SANITIZE}
                                              -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(kiln_build INTERFACE -fsanitize=${KILN_SANITIZE})
endif()

set_property(GLOBAL PROPERTY KILN_ROOMS "")

# kiln_room(NAME FILE...): the objects of one folder below src/.
function(kiln_room name)
  add_library(kiln_room_${name} OBJECT ${ARGN})
  target_link_libraries(kiln_room_${name} PRIVATE kiln_build)
  set_property(GLOBAL APPEND PROPERTY KILN_ROOMS kiln_room_${name})
endfunction()

# kiln_embed(NAME FILE SYMBOL): a file as `extern const std::string_view kiln::embedded::SYMBOL` in
# a source of its own, which it returns in NAME.
function(kiln_embed name file symbol)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded/${symbol}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol} -P
            ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    VERBATIM)
  set(${name} ${output} PARENT_SCOPE)
endfunction()

# kiln_test(NAME LABELS label... SOURCES file...): one doctest program, run as one ctest test.
function(kiln_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;SOURCES" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name}_test PRIVATE kiln_static doctest::doctest)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(NOT KILN_SANITIZE)
    # Optimising the tests themselves costs more than it gives: the library is optimised.
    target_compile_options(${name}_test PRIVATE -O0)
  endif()
  add_test(NAME ${name} COMMAND ${name}_test)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  # 77: the test skipped itself and said why.
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
                                          SKIP_RETURN_CODE 77)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DSYMBOL=NAME -P Embed.cmake
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(
  WRITE ${OUTPUT}
  "// Generated from ${SYMBOL}; do not edit.
#include <string_view>
namespace kiln::embedded {
namespace {
const char bytes[] = {${bytes}'\\0'};
}
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL}{bytes, sizeof bytes - 1};
} // namespace kiln::embedded
")

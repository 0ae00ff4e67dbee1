# SPDX-License-Identifier: Apache-2.0
# The rooms as one static library for Kiln's own programs and tests.

get_property(rooms GLOBAL PROPERTY KILN_ROOMS)
set(objects)
foreach(room ${rooms})
  list(APPEND objects $<TARGET_OBJECTS:${room}>)
endforeach()

add_library(kiln_internal STATIC ${objects})
target_link_libraries(kiln_internal PUBLIC kiln_build)

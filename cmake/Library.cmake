# SPDX-License-Identifier: Apache-2.0
# libkiln from the objects of all rooms: static (also for Kiln's own programs and tests, which see
# its internals) and shared (only what carries KILN_API), with a CMake package and pkg-config.

get_property(rooms GLOBAL PROPERTY KILN_ROOMS)
set(objects)
foreach(room ${rooms})
  list(APPEND objects $<TARGET_OBJECTS:${room}>)
endforeach()

add_library(kiln_static STATIC ${objects})
add_library(kiln_shared SHARED ${objects})
set_target_properties(kiln_static PROPERTIES OUTPUT_NAME kiln EXPORT_NAME kiln-static)
set_target_properties(
  kiln_shared
  PROPERTIES OUTPUT_NAME kiln
             EXPORT_NAME kiln
             VERSION ${PROJECT_VERSION}
             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
             LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/kiln.map)
target_link_options(kiln_shared PRIVATE
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/kiln.map -Wl,--as-needed)
if(NOT KILN_SANITIZE)
  target_link_options(kiln_shared PRIVATE -Wl,--no-undefined)
endif()
target_link_libraries(kiln_shared PRIVATE $<BUILD_INTERFACE:kiln_build>)
# Users of the archive link what it is made with; users of the shared library nothing more.
target_link_libraries(
  kiln_static
  PUBLIC $<BUILD_INTERFACE:kiln_build>
         $<INSTALL_INTERFACE:Threads::Threads>
         $<INSTALL_INTERFACE:spdlog::spdlog>
         $<INSTALL_INTERFACE:fmt::fmt>
         $<INSTALL_INTERFACE:kiln::xxhash>
         $<INSTALL_INTERFACE:kiln::nettle>
         $<INSTALL_INTERFACE:kiln::elf>
         $<INSTALL_INTERFACE:kiln::yaml>
         $<INSTALL_INTERFACE:${CMAKE_DL_LIBS}>)
foreach(library kiln_static kiln_shared)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} INTERFACE cxx_std_20)
endforeach()

# What ships beside the programs, found relative to them in the build tree and when installed.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/kiln)
foreach(folder kernels configs)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/kiln/${folder}
       SYMBOLIC)
endforeach()

install(TARGETS kiln_static kiln_shared EXPORT kilnTargets LIBRARY ARCHIVE)
install(TARGETS kiln RUNTIME)
install(TARGETS kiln-worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/kiln)
install(DIRECTORY include/kiln DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/kiln/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kiln)
install(DIRECTORY kernels configs DESTINATION ${CMAKE_INSTALL_DATADIR}/kiln)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})

include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/kiln)
install(EXPORT kilnTargets NAMESPACE kiln:: DESTINATION ${package})
configure_package_config_file(cmake/kilnConfig.cmake.in kilnConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(kilnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kilnConfig.cmake ${PROJECT_BINARY_DIR}/kilnConfigVersion.cmake
        DESTINATION ${package})
configure_file(cmake/kiln.pc.in kiln.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kiln.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

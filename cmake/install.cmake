# SPDX-License-Identifier: MIT
# What make install puts in place.  The tree may be moved: every file is found relative to another.
include(CMakePackageConfigHelpers)

install(TARGETS acre_static acre_shared ARCHIVE LIBRARY)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/acre TYPE INCLUDE)
if(ACRE_BUILD_COMPILER)
  foreach(version ${ACRE_LLVM_FOUND})
    install(TARGETS AcrePlugin-${version} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/acre)
  endforeach()
  foreach(name AcrePlugin.so verify.o collected.o quarantine.o waits.o)
    install(FILES ${acre_library_directory}/acre/${name}
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/acre)
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compiler/notes ${PROJECT_SOURCE_DIR}/compiler/pools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/acre)
  install(TARGETS acre_collected acre_wrapped ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/acre)
endif()

# From where acre.pc will be, up to the prefix.
string(REGEX REPLACE "[^/]+" ".." pc_to_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(${CMAKE_CURRENT_LIST_DIR}/acre.pc.in ${CMAKE_BINARY_DIR}/acre.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/acre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Acre)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/AcreConfigVersion.cmake COMPATIBILITY
  SameMinorVersion)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/AcreConfig.cmake.in
  ${CMAKE_BINARY_DIR}/AcreConfig.cmake
                              INSTALL_DESTINATION ${package}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
install(FILES ${CMAKE_BINARY_DIR}/AcreConfig.cmake ${CMAKE_BINARY_DIR}/AcreConfigVersion.cmake
  DESTINATION ${package})

install(FILES ${PROJECT_SOURCE_DIR}/docs/man/acre-cc.1 ${PROJECT_SOURCE_DIR}/docs/man/acre.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# gdb loads a script that stands beside the library it belongs to.
set(gdb_script ${PROJECT_SOURCE_DIR}/scripts/gdb/acre-gdb.py)
if(EXISTS ${gdb_script})
  install(FILES ${gdb_script} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME
    libacre.so.${PROJECT_VERSION}-gdb.py)
endif()

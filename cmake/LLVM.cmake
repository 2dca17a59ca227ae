# SPDX-License-Identifier: MIT
# Which LLVMs the plugin is built for.  A plugin serves the one major version whose headers it was
# compiled with, so there is one for each version in ACRE_LLVM_VERSIONS that is installed, found by
# its llvm-config.
#
# Sets ACRE_LLVM_FOUND to these versions, newest first, and for each version V of them
# ACRE_LLVM_V_INCLUDE_DIR, ACRE_LLVM_V_TOOLS_DIR, ACRE_LLVM_V_CLANG and the shared libraries
# ACRE_LLVM_V_LLVM_LIBRARY and ACRE_LLVM_V_CLANG_LIBRARY.  LLVM_VERSION_MAJOR is the newest, which
# acre-cc runs if it is not told another, LLVM_TOOLS_BINARY_DIR has its tools, LLVM_INCLUDE_DIRS its
# headers.  ACRE_LLVM_TOOLS has the directories of all of them.
set(ACRE_LLVM_VERSIONS "22;19" CACHE STRING
  "The versions of LLVM to build the plugin for, of those that are installed; 19 is the oldest")

# Whether the program at the path is of the version that the loop below is at.
function(acre_has_version result path)
  execute_process(COMMAND ${path} --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(NOT said MATCHES "(^|version )${version}[.]")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

set(ACRE_LLVM_FOUND)
set(versions ${ACRE_LLVM_VERSIONS})
list(SORT versions COMPARE NATURAL ORDER DESCENDING)
foreach(version ${versions})
  # Debian has llvm-config-22, others llvm-config-22-64 or just llvm-config.
  find_program(ACRE_LLVM_CONFIG_${version}
    NAMES llvm-config-${version} llvm-config-${version}-64 llvm-config
    HINTS /usr/lib/llvm-${version}/bin /usr/lib64/llvm${version}/bin
    VALIDATOR acre_has_version DOC "llvm-config of LLVM ${version}")
  mark_as_advanced(ACRE_LLVM_CONFIG_${version})
  if(NOT ACRE_LLVM_CONFIG_${version})
    continue()
  endif()
  foreach(name include lib bin)
    execute_process(COMMAND ${ACRE_LLVM_CONFIG_${version}} --${name}dir
      OUTPUT_VARIABLE ${name} OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB llvm_library ${lib}/libLLVM.so.${version}*)
  file(GLOB clang_library ${lib}/libclang-cpp.so.${version}*)
  # llvm-config belongs to LLVM's development files; Clang's are another package.
  if(NOT EXISTS ${include}/clang/AST/ASTContext.h OR NOT llvm_library OR NOT clang_library)
    message(STATUS "LLVM ${version} is without Clang's development files: no plugin for it")
    continue()
  endif()
  find_program(ACRE_LLVM_${version}_CLANG NAMES clang-${version} clang HINTS ${bin}
    VALIDATOR acre_has_version DOC "The clang of version ${version} that acre-cc runs")
  list(APPEND ACRE_LLVM_FOUND ${version})
  set(ACRE_LLVM_${version}_INCLUDE_DIR ${include})
  list(GET llvm_library 0 llvm_library)
  list(GET clang_library 0 clang_library)
  set(ACRE_LLVM_${version}_LLVM_LIBRARY ${llvm_library})
  set(ACRE_LLVM_${version}_CLANG_LIBRARY ${clang_library})
  set(ACRE_LLVM_${version}_TOOLS_DIR ${bin})
endforeach()
if(NOT ACRE_LLVM_FOUND)
  message(FATAL_ERROR "none of the LLVM versions ${ACRE_LLVM_VERSIONS} is installed with Clang's "
    "development files (on Debian: apt-get install llvm-22-dev libclang-22-dev clang-22)")
endif()
message(STATUS "The plugin is built for LLVM: ${ACRE_LLVM_FOUND}")
list(GET ACRE_LLVM_FOUND 0 LLVM_VERSION_MAJOR)
set(ACRE_LLVM_TOOLS)
foreach(version ${ACRE_LLVM_FOUND})
  list(APPEND ACRE_LLVM_TOOLS ${ACRE_LLVM_${version}_TOOLS_DIR})
endforeach()
set(LLVM_TOOLS_BINARY_DIR ${ACRE_LLVM_${LLVM_VERSION_MAJOR}_TOOLS_DIR})
set(LLVM_INCLUDE_DIRS ${ACRE_LLVM_${LLVM_VERSION_MAJOR}_INCLUDE_DIR})

# SPDX-License-Identifier: MIT
# Runtimes for other machines than the one that Acre is built on: one for each triple of
# ACRE_TARGETS, compiled by the clang that acre-cc runs, in lib/acre/<triple>, where acre-cc looks
# with --target=.  The plugin needs no second one: it runs in the clang of this machine.
#
# A triple is written as acre-cc looks for it: machine-linux-environment, as aarch64-linux-gnu.
set(ACRE_TARGETS "" CACHE STRING
  "Triples to build the runtime for besides this machine's, as aarch64-linux-gnu")

# Needs sources to be C files of the runtime.  Compiles them to objects in result.
function(acre_compile_for triple result sources)
  set(objects)
  foreach(source ${sources})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/runtime ${source})
    string(REPLACE "/" "-" name ${name})
    set(object ${CMAKE_BINARY_DIR}/targets/${triple}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${ACRE_LLVM_${LLVM_VERSION_MAJOR}_CLANG}
        --target=${triple} -std=gnu17 -fPIC ${ACRE_RUNTIME_FLAGS} -DACRE_NO_SHORT_NAMES
        $<$<CONFIG:Debug>:-DACRE_ASSERTIONS> -Wall -Wextra
        $<$<BOOL:${ACRE_WERROR}>:-Werror>
        -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/runtime
        -I${PROJECT_SOURCE_DIR}/compiler
        -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Compiling runtime/${name} for ${triple}")
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# An archive for a foreign machine needs an index, which not every ar can make.
function(acre_archive_for file objects)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${file}
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-ar qcs ${file} ${objects}
    DEPENDS ${objects} VERBATIM)
endfunction()

function(acre_add_target triple)
  set(folder ${acre_library_directory}/acre/${triple})
  file(MAKE_DIRECTORY ${folder} ${CMAKE_BINARY_DIR}/targets/${triple})
  set(link ${ACRE_LLVM_${LLVM_VERSION_MAJOR}_CLANG} --target=${triple})
  acre_compile_for(${triple} objects "${ACRE_RUNTIME_SOURCES}")
  acre_archive_for(${folder}/libacre.a "${objects}")
  set(shared libacre.so.${PROJECT_VERSION})
  add_custom_command(OUTPUT ${folder}/${shared}
    COMMAND ${link} -shared -Wl,-soname,libacre.so.0 ${objects} -lpthread -o ${folder}/${shared}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${shared} ${folder}/libacre.so.0
    COMMAND ${CMAKE_COMMAND} -E create_symlink libacre.so.0 ${folder}/libacre.so
    DEPENDS ${objects} VERBATIM)
  set(files ${folder}/libacre.a ${folder}/${shared})
  foreach(name verify waits collected quarantine)
    acre_compile_for(${triple} ${name}_objects "${ACRE_${name}_SOURCES}")
    add_custom_command(OUTPUT ${folder}/${name}.o
      COMMAND ${link} -r -o ${folder}/${name}.o ${${name}_objects}
      DEPENDS ${${name}_objects} VERBATIM)
    list(APPEND files ${folder}/${name}.o)
  endforeach()
  acre_archive_for(${folder}/libcollected.a "${collected_objects};${quarantine_objects}")
  acre_compile_for(${triple} wrapped_objects "${ACRE_wrapped_SOURCES}")
  acre_archive_for(${folder}/libwrapped.a "${wrapped_objects}")
  add_custom_target(acre_runtime_${triple} ALL DEPENDS ${files} ${folder}/libcollected.a
    ${folder}/libwrapped.a)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_LIBDIR}/acre)
endfunction()

foreach(triple ${ACRE_TARGETS})
  acre_add_target(${triple})
endforeach()

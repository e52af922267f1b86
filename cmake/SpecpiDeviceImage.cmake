# Device images for tests, benches and examples, compiled by this project's own specpi-cc.

# specpi_device_image(TARGET NAME SOURCE [FLAGS...])
#
# Compiles SOURCE (.cl, .clcpp, .cpp, .ll, .bc or .spv) with specpi-cc to the object
# ${CMAKE_CURRENT_BINARY_DIR}/NAME.o, which is linked into TARGET: an executable or a shared
# library. FLAGS go to specpi-cc. Without any the images register themselves, so that TARGET needs
# a library with __sycl_register_lib; with --emit=image they are the symbol specpi_images, or that
# of --symbol. Headers that a source includes are dependencies.
function(specpi_device_image target name source)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(dependencies)
  set(depfile)
  if(source MATCHES "\\.(cl|clcpp|cpp)$")
    foreach(option -MD -MQ "${object}" -MF "${object}.d")
      list(APPEND dependencies "--clang-option=${option}")
    endforeach()
    set(depfile DEPFILE "${object}.d")
  endif()
  add_custom_command(OUTPUT "${object}"
    COMMAND specpi-cc ${dependencies} ${ARGN} -o "${object}" "${source}"
    DEPENDS specpi-cc "${source}" ${depfile} VERBATIM COMMENT "Compiling the device image ${name}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE "${object}")
endfunction()

# specpi_ptx(TARGET MODULE SOURCE [FLAGS...])
#
# Makes ${CMAKE_CURRENT_BINARY_DIR}/MODULE.ptx from SOURCE with specpi-cc, as specpi_spirv does
# MODULE.spv, for SPECPI_EMBED of test/support/embed.h. FLAGS go to specpi-cc.
function(specpi_ptx target module source)
  set(ptx "${CMAKE_CURRENT_BINARY_DIR}/${module}.ptx")
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(dependencies)
  foreach(option -MD -MQ "${ptx}" -MF "${ptx}.d")
    list(APPEND dependencies "--clang-option=${option}")
  endforeach()
  add_custom_command(OUTPUT "${ptx}"
    COMMAND specpi-cc --emit=ptx ${dependencies} ${ARGN} -o "${ptx}" "${source}"
    DEPENDS specpi-cc "${source}" DEPFILE "${ptx}.d" VERBATIM COMMENT "Compiling ${module}.ptx")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(c|cpp)$")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${ptx}")
  target_sources(${target} PRIVATE "${ptx}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

# Device images for tests, benches and examples, compiled by this project's own specpi-cc.
include("${CMAKE_CURRENT_LIST_DIR}/SpecpiKernels.cmake")

# specpi_device_image(TARGET NAME SOURCE [FLAGS...])
#
# Compiles SOURCE (.cl, .clcpp, .cpp, .ll, .bc or .spv) with specpi-cc to the object
# ${CMAKE_CURRENT_BINARY_DIR}/NAME.o, and links that into TARGET: an executable or a shared library.
# FLAGS are passed to specpi-cc. By default the images register themselves, so that TARGET needs a
# library with __sycl_register_lib. With --emit=image they do not, and are the symbol specpi_images,
# or the one of --symbol. The headers that the source includes are dependencies.
function(specpi_device_image target name source)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  specpi_add_image(${target} "${CMAKE_CURRENT_BINARY_DIR}/${name}.o" "${source}"
    "Compiling the device image ${name}" ${ARGN})
endfunction()

# specpi_ptx(TARGET MODULE SOURCE [FLAGS...])
#
# Makes ${CMAKE_CURRENT_BINARY_DIR}/MODULE.ptx from SOURCE with specpi-cc, for SPECPI_EMBED of
# test/support/embed.h, as specpi_spirv makes MODULE.spv. FLAGS are passed to specpi-cc.
function(specpi_ptx target module source)
  set(ptx "${CMAKE_CURRENT_BINARY_DIR}/${module}.ptx")
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_custom_command(OUTPUT "${ptx}"
    COMMAND specpi-cc --emit=ptx -MD -MF "${ptx}.d" ${ARGN} -o "${ptx}" "${source}"
    DEPENDS specpi-cc "${source}" DEPFILE "${ptx}.d" VERBATIM COMMENT "Compiling ${module}.ptx")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(c|cpp)$")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${ptx}")
  target_sources(${target} PRIVATE "${ptx}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

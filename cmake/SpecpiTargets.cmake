# Options and functions with which all our targets are compiled.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Libraries find others in their own directory (a plugin the OpenCL loader), wherever that is.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN")

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# specpi_warnings(TARGET): the warnings for all our files.
function(specpi_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${SPECPI_WERROR}>:-Werror>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
  # With a sanitizer, -O1 or -O0 GCC does not see that variables are initialised and texts fit, and warns wrongly.
  if(SPECPI_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-format-truncation)
  endif()
endfunction()

# specpi_target(TARGET): adds warnings, sanitizers and include/ to one of our targets.
function(specpi_target target)
  specpi_warnings(${target})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  if(SPECPI_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${SPECPI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${SPECPI_SANITIZE})
  endif()
endfunction()

# specpi_module(TARGET FILE MAP OBJECTS...): makes FILE, a library that is loaded at run time, from
# the objects of these libraries. MAP lists the symbols that it exports.
function(specpi_module target file map)
  add_library(${target} MODULE)
  specpi_target(${target})
  target_link_libraries(${target} PRIVATE ${ARGN} plugin_common)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}" "LINKER:--enable-new-dtags")
  # A sanitizer's runtime is linked to the program only, so its symbols are undefined in the module.
  if(NOT SPECPI_SANITIZE)
    target_link_options(${target} PRIVATE "LINKER:--no-undefined")
  endif()
  cmake_path(GET file STEM stem)
  string(REPLACE "${stem}" "" suffix "${file}")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${stem}" SUFFIX "${suffix}" BUILD_RPATH "$ORIGIN" LINK_DEPENDS "${map}")
endfunction()

# specpi_plugin(NAME SOURCES...): makes libpi_NAME.so from the object library pi_NAME_objects, which
# tests link if they need the plugin inside their own program.
function(specpi_plugin name)
  add_library(pi_${name}_objects OBJECT ${ARGN})
  specpi_target(pi_${name}_objects)
  specpi_module(pi_${name} libpi_${name}.so "${PROJECT_SOURCE_DIR}/pi/plugin.map" pi_${name}_objects)
endfunction()

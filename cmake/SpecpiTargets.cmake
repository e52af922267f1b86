# The one way in which our own targets are compiled.

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
# Libraries find their neighbours (and a plugin the OpenCL loader beside it) wherever they lie.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN")

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# specpi_warnings(TARGET): what every file of ours is compiled with.
function(specpi_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${SPECPI_WERROR}>:-Werror>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
  # The optimiser sees what is initialised; beside a sanitizer's code, and with -O1, it does not.
  if(SPECPI_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# specpi_target(TARGET): warnings, sanitizers, include/ for one of our targets.
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

# specpi_module(TARGET FILE MAP OBJECTS...): FILE, a library that is loaded at run time, of the objects of
# these libraries; MAP lists what it exports.
function(specpi_module target file map)
  add_library(${target} MODULE)
  specpi_target(${target})
  target_link_libraries(${target} PRIVATE ${ARGN} plugin_common)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}" "LINKER:--enable-new-dtags")
  # A sanitizer's runtime is in the program, not in the plugin, so its symbols stay open there.
  if(NOT SPECPI_SANITIZE)
    target_link_options(${target} PRIVATE "LINKER:--no-undefined")
  endif()
  cmake_path(GET file STEM stem)
  string(REPLACE "${stem}" "" suffix "${file}")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${stem}" SUFFIX "${suffix}" BUILD_RPATH "$ORIGIN" LINK_DEPENDS "${map}")
endfunction()

# specpi_plugin(NAME SOURCES...): libpi_NAME.so, and the object library pi_NAME_objects after
# it, which tests link when they need the plugin inside their own program.
function(specpi_plugin name)
  add_library(pi_${name}_objects OBJECT ${ARGN})
  specpi_target(pi_${name}_objects)
  specpi_module(pi_${name} libpi_${name}.so "${PROJECT_SOURCE_DIR}/pi/plugin.map" pi_${name}_objects)
endfunction()

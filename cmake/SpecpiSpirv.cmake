# SPIR-V modules for tests, benches and the demo, from OpenCL C or from assembly.

find_program(SPECPI_CLANG NAMES clang-15 REQUIRED)
find_program(SPECPI_LLVM_SPIRV NAMES llvm-spirv-15 REQUIRED)
find_program(SPECPI_SPIRV_AS NAMES spirv-as REQUIRED)

# specpi_spirv(TARGET MODULE SOURCE [FLAGS...])
#
# Makes ${CMAKE_CURRENT_BINARY_DIR}/MODULE.spv from SOURCE before TARGET is built: from .cl with
# clang and llvm-spirv, from .spvasm with spirv-as. FLAGS are passed to clang. The directory is
# added to TARGET's include path, so that SPECPI_EMBED of test/support/embed.h finds the file.
# TARGET's sources depend on the module explicitly, because compilers do not report .incbin as a
# dependency.
function(specpi_spirv target module source)
  set(spv "${CMAKE_CURRENT_BINARY_DIR}/${module}.spv")
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  if(source MATCHES "\\.spvasm$")
    add_custom_command(OUTPUT "${spv}"
      COMMAND "${SPECPI_SPIRV_AS}" --target-env spv1.2 -o "${spv}" "${source}"
      DEPENDS "${source}" VERBATIM COMMENT "Assembling ${module}.spv")
  else()
    set(bc "${CMAKE_CURRENT_BINARY_DIR}/${module}.bc")
    add_custom_command(OUTPUT "${spv}"
      COMMAND "${SPECPI_CLANG}" -x cl -cl-std=CL2.0 -target spir64-unknown-unknown
              -Xclang -finclude-default-header -Xclang -no-opaque-pointers -O2 ${ARGN}
              -MD -MQ "${spv}" -MF "${bc}.d" -emit-llvm -c "${source}" -o "${bc}"
      COMMAND "${SPECPI_LLVM_SPIRV}" --spirv-max-version=1.3 --spirv-ext=+SPV_INTEL_subgroups "${bc}" -o "${spv}"
      DEPENDS "${source}" DEPFILE "${bc}.d" VERBATIM COMMENT "Compiling ${module}.spv")
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(c|cpp)$")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${spv}")
  target_sources(${target} PRIVATE "${spv}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

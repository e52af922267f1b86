# Libraries of functions that kernels call; specpi-codegen and specpi-cc link them. Sets _bitcode to their files.

# wrap.sh makes libclc's integers wrap around on overflow.
find_program(SPECPI_OPT NAMES opt-15 REQUIRED DOC "LLVM 15's opt")
set(_libclc "${CMAKE_CURRENT_BINARY_DIR}/libclc.bc")
add_custom_command(OUTPUT "${_libclc}"
  COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/wrap.sh" "${SPECPI_OPT}" "${SPECPI_LIBCLC}" "${_libclc}"
  DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/wrap.sh" "${SPECPI_LIBCLC}" VERBATIM COMMENT "Making the library libclc.bc")

# device_library(NAME FILES PART...): makes NAME.bc from parts in OpenCL C and from other files.
function(device_library name files)
  set(parts)
  foreach(part ${ARGN})
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/library/${part}.cl")
    set(made "${CMAKE_CURRENT_BINARY_DIR}/${part}.bc")
    # The default header declares the built-in functions, because clang's own declarations leave out
    # functions that the source overloads.
    add_custom_command(OUTPUT "${made}"
      COMMAND "${SPECPI_CC_CLANG}" -x cl -cl-std=CL2.0 -target spir64-unknown-unknown -cl-no-stdinc
              -Xclang -finclude-default-header -fwrapv -O1 -Wall -Werror -emit-llvm -c "${source}" -o "${made}"
      DEPENDS "${source}" "${CMAKE_CURRENT_SOURCE_DIR}/library/device.h"
              "${CMAKE_CURRENT_SOURCE_DIR}/library/lanes.h"
              "${CMAKE_CURRENT_SOURCE_DIR}/library/vectors.h"
              "${PROJECT_SOURCE_DIR}/plugins/code/image_argument.h" VERBATIM)
    list(APPEND parts "${made}")
  endforeach()
  set(library "${CMAKE_CURRENT_BINARY_DIR}/${name}.bc")
  add_custom_command(OUTPUT "${library}"
    COMMAND specpi-codegen-library "${library}" "${_libclc}" ${parts} ${files}
    DEPENDS specpi-codegen-library "${_libclc}" ${parts} ${files} VERBATIM COMMENT "Making the library ${name}.bc")
  set(_${name} "${library}" PARENT_SCOPE)
endfunction()
# device.bc works only in modules that specpi-codegen has prepared; specpi-cc links numbers.bc into PTX, too.
device_library(device "${CMAKE_CURRENT_SOURCE_DIR}/library/system.ll" active atomics groups images)
device_library(numbers "" conversions integers math missing special work_items)
set(_common "${CMAKE_CURRENT_BINARY_DIR}/common.bc")
add_custom_command(OUTPUT "${_common}"
  COMMAND specpi-codegen-library --common "${_common}" "${_device}" "${_numbers}" "${_libclc}"
  DEPENDS specpi-codegen-library "${_device}" "${_numbers}" "${_libclc}" VERBATIM COMMENT "Making the library of what most kernels call")
set(_bitcode "${_libclc}" "${_device}" "${_numbers}" "${_common}")

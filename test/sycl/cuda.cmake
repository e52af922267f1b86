# Tests of the CUDA plugin below the real libsycl, on the fake driver. Values of constants reach PTX as immediates,
# which the plugin writes, or in a buffer from libsycl.
set(plugin_of_cuda "$<TARGET_FILE:pi_cuda>")
set(cuda_path "LD_LIBRARY_PATH=${SPECPI_RT_DIR}:${PROJECT_BINARY_DIR}/fakes/cuda")

# sycl_cuda_test(NAME BACKEND COMMAND... [ENVIRONMENT VARIABLE=VALUE...]): adds sycl.cuda.NAME.BACKEND, in
# which the plugin reports that backend.
function(sycl_cuda_test name backend)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ENVIRONMENT")
  specpi_test(sycl.cuda.${name}.${backend}
    COMMAND "${specpi}" run --cuda --sycl-rt "${SPECPI_RT_DIR}" -- ${arg_UNPARSED_ARGUMENTS}
    ENVIRONMENT ${environment} "${cuda_path}" "SPECPI_CUDA_BACKEND=${backend}"
      "ONEAPI_DEVICE_SELECTOR=${backend}:*" "SPECPI_TEST_BACKEND=${backend}"
      "SPECPI_TEST_PLUGIN=${plugin_of_cuda}" "SPECPI_TEST_PLUGIN_KIND=ours" ${arg_ENVIRONMENT}
    LABELS sycl cuda)
endfunction()

# The code generator compiles SPIR-V, which all devices share, to PTX with the values in it.
if(TARGET specpi-codegen)
  add_dependencies(specpi_sycl_harness specpi-codegen)
  foreach(backend level_zero opencl)
    foreach(client O2 both)
      sycl_cuda_test(compiled.${client} ${backend} "$<TARGET_FILE:sycl-compiled-${client}>")
    endforeach()
  endforeach()
endif()
# Without a code generator the plugin writes the values into the image's PTX.
foreach(backend level_zero opencl)
  sycl_cuda_test(compiled.both-ptx ${backend} "$<TARGET_FILE:sycl-compiled-both>"
    ENVIRONMENT SPECPI_CODEGEN=none)
endforeach()

# For PTX under its own name libsycl fills a buffer with the values and passes it as an argument.
compiled_client(cuda --target=nvptx64 --spec-const=emulate)
sycl_cuda_test(compiled cuda "$<TARGET_FILE:sycl-compiled-cuda>")
add_dependencies(specpi_sycl_harness pi_cuda fake_cuda)

# ptx_module(TARGET NAME): compiles kernels/ptx/NAME.cl, which assigns its own ids to constants, to NAME.ptx.
function(ptx_module target name)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/kernels/ptx/${name}.cl")
  set(trailer "${PROJECT_SOURCE_DIR}/test/conformance/trailer.py")
  set(ptx "${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx")
  add_custom_command(OUTPUT "${ptx}"
    COMMAND specpi-cc --emit=ptx -o "${ptx}.named" "${source}"
    COMMAND "${SPECPI_PYTHON}" "${trailer}" "${ptx}.named" "${ptx}"
    DEPENDS specpi-cc "${source}" "${trailer}"
      "${PROJECT_SOURCE_DIR}/test/conformance/kernels/ptx/numbered.h"
    VERBATIM COMMENT "Compiling ${name}.ptx")
  set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS "${ptx}")
  target_sources(${target} PRIVATE "${ptx}")
endfunction()

# ptx_client(NAME MODULE...): adds sycl-NAME-ptx, the client NAME with PTX in place of SPIR-V.
function(ptx_client name)
  add_executable(sycl-${name}-ptx ${name}.cpp)
  specpi_target(sycl-${name}-ptx)
  target_link_libraries(sycl-${name}-ptx PRIVATE specpi_sycl_harness)
  target_compile_definitions(sycl-${name}-ptx PRIVATE SPECPI_TEST_PTX)
  target_include_directories(sycl-${name}-ptx PRIVATE
    "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/kernels/ptx")
  foreach(module IN LISTS ARGN)
    ptx_module(sycl-${name}-ptx ${module} ${name}.cpp)
  endforeach()
  foreach(backend level_zero opencl)
    sycl_cuda_test(${name} ${backend} "$<TARGET_FILE:sycl-${name}-ptx>")
  endforeach()
endfunction()
ptx_client(bundles pair)
ptx_client(errors refused)
if(SPECPI_SANITIZE)
  set_property(TEST sycl.cuda.errors.opencl sycl.cuda.errors.level_zero APPEND PROPERTY ENVIRONMENT
    "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/refused.supp:print_suppressions=0")
endif()

# The first run stores cubins, with the values in them, in libsycl's disk cache.
sycl_cuda_test(disk_cache level_zero "${SPECPI_PYTHON}"
  "${CMAKE_CURRENT_SOURCE_DIR}/run_twice.py" "$<TARGET_FILE:sycl-bundles-ptx>")

# Runs some of dpctl's own tests. Python cannot load a library with a sanitizer.
if(NOT SPECPI_SANITIZE)
  specpi_test(sycl.cuda.dpctl
    COMMAND "${SPECPI_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/dpctl_cuda.py" "${specpi}"
            "${SPECPI_RT_DIR}" "${plugin_of_cuda}"
    ENVIRONMENT "${cuda_path}" "ONEAPI_DEVICE_SELECTOR=level_zero:*"
      "SPECPI_DPCTL_PLUGIN=libpi_cuda.so" LABELS sycl cuda TIMEOUT 420)
endif()

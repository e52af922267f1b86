# The same programs over the CUDA plugin and the fake driver, which runs their PTX.
foreach(name queue event buffer usm kernel launch launch-threads bundle cache cache-directory)
  add_dependencies(runtime-${name} pi_cuda fake_cuda)
  specpi_test(runtime.cuda.${name} COMMAND runtime-${name}
    ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/cuda"
      "ONEAPI_DEVICE_SELECTOR=cuda:*" "SPECPI_PLUGIN_PATH=${PROJECT_BINARY_DIR}/lib"
    LABELS runtime cuda TIMEOUT 300)
endforeach()
# Images with SPIR-V and PTX: SPIR-V is used if there is a code generator, and PTX otherwise.
function(runtime_cuda_compiled name code)
  add_dependencies(runtime-compiled pi_cuda fake_cuda)
  specpi_test(runtime.cuda.${name} COMMAND runtime-compiled
    ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/cuda"
      "ONEAPI_DEVICE_SELECTOR=cuda:*" "SPECPI_PLUGIN_PATH=${PROJECT_BINARY_DIR}/lib"
      "SPECPI_TEST_CODE=${code}" ${ARGN}
    LABELS runtime cuda TIMEOUT 300)
endfunction()
runtime_cuda_compiled(compiled-ptx PTX SPECPI_CODEGEN=none)
if(TARGET specpi-codegen)
  add_dependencies(runtime-compiled specpi-codegen)
  runtime_cuda_compiled(compiled SPIR-V)
  runtime_program(bundle-kernels bundle_kernels.c)
  target_compile_definitions(runtime-bundle-kernels PRIVATE "CODEGEN_MODULES=\"${PROJECT_BINARY_DIR}/test/codegen\"")
  add_dependencies(runtime-bundle-kernels pi_cuda fake_cuda specpi-codegen codegen-modules)
  specpi_test(runtime.cuda.bundle-kernels COMMAND runtime-bundle-kernels
    ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/cuda" "ONEAPI_DEVICE_SELECTOR=cuda:*"
      "SPECPI_PLUGIN_PATH=${PROJECT_BINARY_DIR}/lib" "SPECPI_CACHE_DIR="
    LABELS runtime cuda threads)
endif()

# The tests of images and bundles.
runtime_test(bundle bundle.c)
runtime_test(several several.c)
runtime_test(needed needed.c)
runtime_test(interop interop.c)
target_include_directories(runtime-interop PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
specpi_spirv(runtime-several link_main kernels/link_main.cl)
specpi_spirv(runtime-several link_part kernels/link_part.cl)
specpi_spirv(runtime-needed link_main kernels/link_main.cl)
specpi_spirv(runtime-needed link_part kernels/link_part.cl)

# A library with images, as a compiler makes it, and a second runtime that counts registrations.
add_library(runtime-library MODULE registered.c)
specpi_target(runtime-library)
specpi_spirv(runtime-library library_report kernels/library_report.cl)
add_library(runtime-second-runtime MODULE second_runtime.c)
specpi_target(runtime-second-runtime)
set_target_properties(runtime-second-runtime PROPERTIES C_VISIBILITY_PRESET default)
runtime_test(registry registry.c)
target_compile_definitions(runtime-registry PRIVATE
  "LIBRARY=\"$<TARGET_FILE:runtime-library>\"" "RUNTIME=\"$<TARGET_FILE:runtime-second-runtime>\"")
# The library finds __sycl_register_lib in the program.
target_link_options(runtime-registry PRIVATE
  "LINKER:--export-dynamic-symbol=__sycl_register_lib,--export-dynamic-symbol=__sycl_unregister_lib")
add_dependencies(runtime-registry runtime-library runtime-second-runtime)
# Not with a sanitizer, because Intel's libraries were built without one.
if(NOT SPECPI_SANITIZE)
  add_executable(runtime-real real.c)
  specpi_target(runtime-real)
  target_link_libraries(runtime-real PRIVATE specpi specpi_tests)
  set_target_properties(runtime-real PROPERTIES ENABLE_EXPORTS ON)
  specpi_test(runtime.real COMMAND runtime-real
    ENVIRONMENT ${SPECPI_OPENCL_ENVIRONMENT} ${runtime_environment} LABELS runtime)
endif()

# Failing driver calls, and many threads, over the fake OpenCL.
runtime_program(failures failures.c ../unit/memory.c)
target_link_libraries(runtime-failures PRIVATE fake_opencl)
target_link_options(runtime-failures PRIVATE
  "LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free")
specpi_test(runtime.failures COMMAND runtime-failures
  ENVIRONMENT ${fake_environment} ${runtime_environment} LABELS runtime)
runtime_program(threads threads.c)
target_link_libraries(runtime-threads PRIVATE fake_opencl)
specpi_test(runtime.threads COMMAND runtime-threads
  ENVIRONMENT ${fake_environment} ${runtime_environment} LABELS runtime threads TIMEOUT 300)
runtime_program(parts parts.c)
add_dependencies(runtime-parts fake_opencl)
specpi_test(runtime.parts COMMAND runtime-parts
  ENVIRONMENT ${fake_environment} ${runtime_environment} FAKE_OPENCL_DOMAINS=1 LABELS runtime)
# With SPECPI_TRACE a message says why an image was left out.
if(NOT SPECPI_SANITIZE MATCHES "thread")
  specpi_test(runtime.registry.traced COMMAND runtime-registry
    ENVIRONMENT SPECPI_TRACE=errors ${SPECPI_OPENCL_ENVIRONMENT} ${runtime_environment} LABELS runtime)
  set_tests_properties(runtime.registry.traced PROPERTIES
    PASS_REGULAR_EXPRESSION "specpi: SPECPI_ERROR_INVALID_IMAGE: the image has version 7, not 1 to 2")
endif()

# Images from specpi-cc for both targets, with constants in the code and in a buffer.
runtime_test(compiled compiled.c)
specpi_device_image(runtime-compiled shapes_native kernels/shapes.cl --target=spir64,nvptx64 -O2
  --emit=image --symbol=native_images)
specpi_device_image(runtime-compiled shapes_emulate kernels/shapes.cl --target=spir64,nvptx64 -O2
  --spec-const=emulate --emit=image --symbol=emulate_images)

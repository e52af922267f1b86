# The program cache.
runtime_test(cache cache.c)
runtime_test(cache-directory cache_directory.c)

# Over the fake OpenCL, so that ThreadSanitizer can check the test.
runtime_program(cache-threads cache_threads.c)
add_dependencies(runtime-cache-threads fake_opencl)
specpi_test(runtime.cache-threads COMMAND runtime-cache-threads
  ENVIRONMENT ${fake_environment} ${runtime_environment} LABELS runtime threads TIMEOUT 300)
if(NOT SPECPI_SANITIZE MATCHES "thread")
  specpi_test(runtime.cache-threads.real COMMAND runtime-cache-threads
    ENVIRONMENT ${SPECPI_OPENCL_ENVIRONMENT} ${runtime_environment} LABELS runtime threads)
endif()

runtime_program(cache-memory cache_memory.c ../unit/memory.c)
add_dependencies(runtime-cache-memory fake_opencl)
target_link_options(runtime-cache-memory PRIVATE
  "LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup")
specpi_test(runtime.cache-memory COMMAND runtime-cache-memory
  ENVIRONMENT ${fake_environment} ${runtime_environment} LABELS runtime)

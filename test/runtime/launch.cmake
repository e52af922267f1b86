# The runtime of libspecpi: queues, memory, events, kernels and launches, on the real CPU runtime.

set(launch_environment ${SPECPI_OPENCL_ENVIRONMENT}
  "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/support/lsan.supp:print_suppressions=0")

# The fixture of these tests: a device, and kernels for it.
add_library(runtime_launch_world OBJECT launch_world.c)
specpi_target(runtime_launch_world)
target_link_libraries(runtime_launch_world PRIVATE specpi_tests)
specpi_spirv(runtime_launch_world launch kernels/launch.cl)
specpi_spirv(runtime_launch_world launch_arguments ../conformance/kernels/arguments.cl)
specpi_ptx(runtime_launch_world launch kernels/launch.cl)
specpi_ptx(runtime_launch_world launch_arguments ../conformance/kernels/arguments.cl)

# runtime_launch_program(NAME SOURCES...): builds the program runtime-NAME.
function(runtime_launch_program name)
  add_executable(runtime-${name} ${ARGN} $<TARGET_OBJECTS:runtime_launch_world>)
  specpi_target(runtime-${name})
  target_link_libraries(runtime-${name} PRIVATE specpi_tests)
  add_dependencies(runtime-${name} pi_opencl)
endfunction()

# runtime_launch_test(NAME SOURCES...): builds runtime-NAME with libspecpi and adds it as the test runtime.NAME. Not
# with ThreadSanitizer, because Intel's runtime was not built for it.
function(runtime_launch_test name)
  runtime_launch_program(${name} ${ARGN})
  target_link_libraries(runtime-${name} PRIVATE specpi)
  if(NOT SPECPI_SANITIZE MATCHES "thread")
    specpi_test(runtime.${name} COMMAND runtime-${name}
      ENVIRONMENT ${launch_environment} LABELS runtime)
  endif()
endfunction()

runtime_launch_test(handles handles.cpp)
foreach(object queue event buffer usm kernel launch)
  runtime_launch_test(${object} ${object}.c)
endforeach()

# Every allocation of libspecpi fails once. libspecpi is linked in, so that only its allocations count.
runtime_launch_program(launch-memory launch_memory.c ../unit/memory.c)
target_link_libraries(runtime-launch-memory PRIVATE specpi_objects plugin_common)
target_link_options(runtime-launch-memory PRIVATE
  "LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup")
if(NOT SPECPI_SANITIZE MATCHES "thread")
  specpi_test(runtime.launch-memory COMMAND runtime-launch-memory
    ENVIRONMENT ${launch_environment} "SPECPI_PLUGIN_PATH=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}"
    LABELS runtime)
endif()

# Many threads: on the real driver for their results, on the fake one for ThreadSanitizer.
runtime_launch_test(launch-threads launch_threads.c)
specpi_test(runtime.launch-threads.fake COMMAND runtime-launch-threads fake
  ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/opencl"
  LABELS runtime threads TIMEOUT 300)
add_dependencies(runtime-launch-threads fake_opencl)

# A driver whose calls fail, and several devices.
runtime_launch_program(launch-failures launch_failures.c)
target_link_libraries(runtime-launch-failures PRIVATE specpi fake_opencl)
specpi_test(runtime.launch-failures COMMAND runtime-launch-failures
  ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/opencl" FAKE_OPENCL_PLATFORMS=3
  LABELS runtime)

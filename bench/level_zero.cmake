# Compares the Level Zero plugin with bare Level Zero calls, on the fake driver. If that only
# completes commands, the times are the plugin's; if it executes them, the results are checked.
add_library(bench_level_zero STATIC level_zero/direct.c)
specpi_target(bench_level_zero)
target_include_directories(bench_level_zero SYSTEM PUBLIC "${SPECPI_LEVEL_ZERO_INCLUDE}")
target_link_libraries(bench_level_zero PRIVATE specpi_bench)
specpi_spirv(bench_level_zero level_zero_launch kernels/launch.cl)

set(level_zero_environment ${SPECPI_OPENCL_ENVIRONMENT} "ONEAPI_DEVICE_SELECTOR=level_zero:*"
  "ZE_ENABLE_ALT_DRIVERS=$<TARGET_FILE:fake_ze_driver>")

bench_program(level_zero-calls level_zero/calls.c level_zero/driver_calls.c)
target_link_libraries(bench-level_zero-calls PRIVATE bench_level_zero)
bench_run(level_zero_calls ENVIRONMENT ${level_zero_environment} "FAKE_ZE_NULL=1"
  COMMAND "$<TARGET_FILE:bench-level_zero-calls>")
bench_run(level_zero_calls_executed ENVIRONMENT ${level_zero_environment}
  COMMAND "$<TARGET_FILE:bench-level_zero-calls>")

if(TARGET dpctl::sycl_interface)
  bench_program(level_zero-client level_zero/client.c)
  target_link_libraries(bench-level_zero-client PRIVATE bench_level_zero)
  bench_program(level_zero-launch level_zero/launch.c)
  set(compare "$<TARGET_FILE:bench-level_zero-launch>" --client "$<TARGET_FILE:bench-launch-client>"
    --direct "$<TARGET_FILE:bench-level_zero-client>" --specpi "$<TARGET_FILE:specpi-tool>"
    --sycl-rt "${SPECPI_RT_DIR}" --plugin "$<TARGET_FILE:pi_level_zero>")
  bench_run(level_zero_launch ENVIRONMENT ${level_zero_environment} COMMAND ${compare})
  bench_run(level_zero_launch_null ENVIRONMENT ${level_zero_environment} "FAKE_ZE_NULL=1"
    COMMAND ${compare})
endif()

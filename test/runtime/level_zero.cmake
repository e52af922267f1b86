# The same programs over the Level Zero plugin and its fake driver, but not with ThreadSanitizer: Intel's OpenCL,
# which executes the kernels there, was not built for it.
if(SPECPI_SANITIZE MATCHES "thread")
  return()
endif()

# runtime_level_zero(NAME PROGRAM VARIABLE=VALUE...): adds the test runtime.level_zero.NAME.
function(runtime_level_zero name program)
  add_dependencies(runtime-${program} pi_level_zero fake_ze_driver)
  specpi_test(runtime.level_zero.${name} COMMAND runtime-${program}
    ENVIRONMENT ${SPECPI_LEVEL_ZERO_ENVIRONMENT} ${runtime_environment}
      "ONEAPI_DEVICE_SELECTOR=level_zero:*" ${ARGN}
    LABELS runtime level_zero TIMEOUT 300)
endfunction()

foreach(name queue event buffer usm kernel launch launch-threads)
  foreach(lists immediate batch)
    runtime_level_zero(${name}.${lists} ${name} "SPECPI_LEVEL_ZERO_COMMAND_LISTS=${lists}")
  endforeach()
endforeach()
foreach(name bundle several needed registry compiled cache cache-directory)
  runtime_level_zero(${name} ${name})
endforeach()
# The same with devices whose memory the host may access, and with devices without copy engines.
foreach(name buffer usm launch)
  runtime_level_zero(${name}.integrated ${name} FAKE_ZE_INTEGRATED=1 FAKE_ZE_COPY_ENGINES=0)
endforeach()

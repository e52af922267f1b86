# Tests of the Level Zero plugin below the real libsycl, on the fake driver, with the real loader and its
# validation layer. Intel's plugin of 2024.2 cannot be compared, because it needs a later loader than Debian's.
set(plugin_of_level_zero "$<TARGET_FILE:pi_level_zero>")
add_dependencies(specpi_sycl_harness pi_level_zero fake_ze_driver)
set(level_zero_environment ${SPECPI_LEVEL_ZERO_ENVIRONMENT} ${environment}
  "ONEAPI_DEVICE_SELECTOR=level_zero:*" "SPECPI_TEST_BACKEND=level_zero"
  "SPECPI_TEST_PLUGIN=${plugin_of_level_zero}" "SPECPI_TEST_PLUGIN_KIND=ours")

# sycl_level_zero_test(NAME COMMAND... [ENVIRONMENT VARIABLE=VALUE...]): adds sycl.level_zero.NAME.
function(sycl_level_zero_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;ENVIRONMENT")
  specpi_test(sycl.level_zero.${name} COMMAND ${run_ours} ${arg_COMMAND}
    ENVIRONMENT ${level_zero_environment} ${arg_ENVIRONMENT} LABELS sycl level_zero)
endfunction()

# Every client, with both kinds of command lists.
foreach(client scalars composites images bundles constants errors wrapped compiled-O0 compiled-O2)
  string(REPLACE "-" "." name ${client})
  foreach(lists immediate batch)
    sycl_level_zero_test(${name}.${lists} COMMAND "$<TARGET_FILE:sycl-${client}>"
      ENVIRONMENT "SPECPI_LEVEL_ZERO_COMMAND_LISTS=${lists}")
  endforeach()
endforeach()
if(SPECPI_SANITIZE)
  set_property(TEST sycl.level_zero.errors.immediate sycl.level_zero.errors.batch APPEND PROPERTY
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/refused.supp:print_suppressions=0")
endif()

# The image also has PTX under SPIR-V's name; this device must choose the SPIR-V.
sycl_level_zero_test(compiled.both COMMAND "$<TARGET_FILE:sycl-compiled-both>")
# libsycl's disk cache stores native binaries, with the values in them.
sycl_level_zero_test(disk_cache COMMAND "${SPECPI_PYTHON}"
  "${CMAKE_CURRENT_SOURCE_DIR}/run_twice.py" "$<TARGET_FILE:sycl-images>")
# With this variable libsycl sets a constant that no module has.
sycl_level_zero_test(annotations COMMAND "$<TARGET_FILE:sycl-images>"
  ENVIRONMENT "INTEL_ENABLE_OFFLOAD_ANNOTATIONS=1")
# Two devices with sub-devices, in one context of libsycl.
sycl_level_zero_test(two_devices COMMAND "$<TARGET_FILE:sycl-bundles>"
  ENVIRONMENT FAKE_ZE_DEVICES=2 FAKE_ZE_PARTS=2)

# Compares dpctl's own tests with their run on OpenCL. Python cannot load a library with a sanitizer.
if(NOT SPECPI_SANITIZE)
  specpi_test(sycl.level_zero.dpctl
    COMMAND "${SPECPI_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/dpctl_level_zero.py" "${specpi}"
            "${SPECPI_RT_DIR}" "${dpctl_reference}"
            "${CMAKE_CURRENT_SOURCE_DIR}/dpctl_level_zero.known"
            "${plugin_of_level_zero}" "${plugin_of_ours}"
    ENVIRONMENT ${SPECPI_LEVEL_ZERO_ENVIRONMENT} LABELS sycl level_zero TIMEOUT 1250 COST 60)
endif()

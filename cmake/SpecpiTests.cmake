# Finds the runtimes in the private environment, for tests.

file(GLOB _sycl "${SPECPI_DEPS}/venv/lib/libsycl.so.7")
set(SPECPI_RT_DIR "${SPECPI_DEPS}/venv/lib")
set(SPECPI_PYTHON "${SPECPI_DEPS}/venv/bin/python")
if(NOT _sycl)
  message(FATAL_ERROR "No SYCL runtime in ${SPECPI_RT_DIR}, which tests need: run scripts/deps.sh first, "
    "or make test. What is installed is built without tests: cmake --preset user, or "
    "-DSPECPI_TESTS=OFF -DSPECPI_BENCH=OFF")
endif()

# A directory without OpenCL drivers, so that no test uses a driver of the machine. Intel's driver
# for GPUs, which is installed for Level Zero, is opened in a way that AddressSanitizer does not
# allow.
set(_no_drivers "${PROJECT_BINARY_DIR}/test")

# A list for a test's ENVIRONMENT property: the real OpenCL CPU runtime and no other.
# ThreadSanitizer sees only some of the synchronisation in a library that is not compiled with it,
# and would report false races; the option makes it ignore such libraries.
set(SPECPI_OPENCL_ENVIRONMENT
  "LD_LIBRARY_PATH=${SPECPI_RT_DIR}" "OCL_ICD_FILENAMES=${SPECPI_RT_DIR}/libintelocl.so"
  "OCL_ICD_VENDORS=${_no_drivers}" "TSAN_OPTIONS=ignore_noninstrumented_modules=1")

# Level Zero: the real loader and the fake driver, which executes on that OpenCL and ends the
# program after calls that only a defect can cause. The plugin's records about drivers go into a
# directory of the build.
set(SPECPI_LEVEL_ZERO_DRIVER ${SPECPI_OPENCL_ENVIRONMENT}
  "ZE_ENABLE_ALT_DRIVERS=${PROJECT_BINARY_DIR}/fakes/libze_specpi_cpu.so" "FAKE_ZE_STRICT=1"
  "XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/test/cache")
# The same with the loader's validation layer. ONEAPI_DEVICE_SELECTOR excludes other backends.
set(SPECPI_LEVEL_ZERO_ENVIRONMENT ${SPECPI_LEVEL_ZERO_DRIVER}
  "ZE_ENABLE_VALIDATION_LAYER=1" "ZE_ENABLE_PARAMETER_VALIDATION=1"
  "ZE_ENABLE_THREADING_VALIDATION=1" "ZE_ENABLE_HANDLE_LIFETIME=1" "ZE_ENABLE_MEMORY_TRACKER=1")

# Another such list, which suppresses leaks of that runtime, for tests whose own process loads it.
# The suppressions of ThreadSanitizer are for every test.
set(_support "${PROJECT_SOURCE_DIR}/test/support")
set(SPECPI_OPENCL_SUPPRESSIONS
  "LSAN_OPTIONS=suppressions=${_support}/lsan.supp:print_suppressions=0")

# The exit status of a skipped test, which CTest reports as skipped, not as passed.
set(SPECPI_SKIP 77)

# specpi_test(NAME COMMAND... [ENVIRONMENT VARIABLE=VALUE...] [LABELS LABEL...] [TIMEOUT SECONDS]
# [COST SECONDS])
#
# Tests with the highest COST start first, so that no long test runs alone at the end. Every test
# also gets OCL_ICD_VENDORS, and no directory of built programs, so that it finds no programs of
# another run; a test that starts programs with an empty environment must pass both on. Intel's
# OpenCL runtime is set to compile for one kind of processor, because on processors newer than
# itself its compiler crashes on some kernels.
function(specpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;COST" "COMMAND;ENVIRONMENT;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(NOT arg_COST)
    set(arg_COST 0)
  endif()
  set(modification "OCL_ICD_VENDORS=set:${_no_drivers}" "CL_CONFIG_CPU_TARGET_ARCH=set:core-avx2"
    "SPECPI_CACHE_DIR=set:" "TSAN_OPTIONS=path_list_append:suppressions=${_support}/tsan.supp:print_suppressions=0")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE ${SPECPI_SKIP} TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "${arg_ENVIRONMENT}" ENVIRONMENT_MODIFICATION "${modification}"
    LABELS "${arg_LABELS}" COST ${arg_COST})
endfunction()

# Intel's own Level Zero driver, which may be installed (intel-opencl-icd).
find_library(SPECPI_LEVEL_ZERO_INTEL NAMES libze_intel_gpu.so.1
  DOC "Intel's Level Zero driver, libze_intel_gpu.so.1")

# level_zero_capture(TEST VARIABLE): sets VARIABLE to an environment in which Intel's driver builds
# for a GPU that the machine does not have: it computes nothing, and writes *.aub files into the
# working directory. Without that driver VARIABLE is empty, and TEST is defined as skipped.
function(level_zero_capture test variable)
  if(SPECPI_LEVEL_ZERO_INTEL)
    set(${variable} "ZE_ENABLE_ALT_DRIVERS=${SPECPI_LEVEL_ZERO_INTEL}" NEOReadDebugKeys=1
      SetCommandStreamReceiver=1 ProductFamilyOverride=tgllp HardwareInfoOverride=default UseAubStream=0
      "XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/test/cache" PARENT_SCOPE)
  else()
    set(${variable} PARENT_SCOPE)
    specpi_test(${test} COMMAND sh -c
      "echo 'skipped: libze_intel_gpu.so.1 (intel-opencl-icd) is not installed'; exit ${SPECPI_SKIP}")
  endif()
endfunction()

/* What belongs to no object. */
#include "checks.h"

#include "../base/backend_option.h"
#include "../base/names.h"
#include "../objects/driver.h"

const char driver_name[] = "OpenCL";
const char driver_file[] = "libpi_opencl.so";

pi_result cl_error(cl_int code, const char *call) {
  const char *name = code == CL_INVALID_SPEC_ID ? "CL_INVALID_SPEC_ID" : pi_name("pi_result", code);
  const bool known = *name != '?';
  return pi_error(known ? (pi_result)code : PI_ERROR_UNKNOWN, "%s failed: %s (%d)", call, name,
                  code);
}

pi_result cl_answered(const pi_answer *answer, cl_int code, const char *call, size_t size,
                      size_t needed) {
  if (code == CL_INVALID_VALUE && answer->value)
    PI_REQUIRE(answer->size >= needed, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, the answer has %zu bytes", answer->size, needed);
  PI_TRY(cl_result(code, call));
  if (answer->size_ret)
    *answer->size_ret = size;
  return PI_SUCCESS;
}

pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  static const pi_backend_option options[] = {
      {"", ""},
      {"-O0", "-cl-opt-disable"},
      {"-O1", ""},
      {"-O2", ""},
      {"-O3", ""},
      {"-ftarget-compile-fast", "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"},
  };
  REQUIRE_PLATFORM(platform);
  return pi_backend_option_find(options, sizeof options / sizeof options[0], "OpenCL",
                                frontend_option, backend_option);
}

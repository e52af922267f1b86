/* Functions that belong to no object. */
#include "checks.h"

#include "../base/backend_option.h"
#include "../base/names.h"
#include "../objects/driver.h"

const char driver_name[] = "OpenCL";
const char driver_file[] = "libpi_opencl.so";

pi_result cl_error(cl_int code, const char *call) {
  const char *name =
      code == CL_INVALID_SPEC_ID ? "CL_INVALID_SPEC_ID" : enumerator_name("pi_result", code);
  const bool known = *name != '?';
  return plugin_error(known ? (pi_result)code : PI_ERROR_UNKNOWN, "%s failed: %s (%d)", call, name,
                      code);
}

pi_result cl_answered(const info_answer *answer, cl_int code, const char *call, size_t size,
                      size_t needed) {
  if (code == CL_INVALID_VALUE)
    TRY(answer_check_room(answer, needed));
  TRY(cl_result(code, call));
  if (answer->size_ret)
    *answer->size_ret = size;
  return PI_SUCCESS;
}

pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  static const compiler_option options[] = {
      {"", ""},    {"-O0", "-cl-opt-disable"},
      {"-O1", ""}, {"-O2", ""},
      {"-O3", ""}, {"-ftarget-compile-fast", INTEL_FAST_COMPILE},
  };
  REQUIRE_PLATFORM(platform);
  return compiler_option_find(options, sizeof options / sizeof options[0], "OpenCL",
                              frontend_option, backend_option);
}

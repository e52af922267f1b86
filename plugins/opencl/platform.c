/* Platforms, which the driver listed when it was loaded. */
#include "../base/load.h"
#include "../objects/driver.h"
#include "checks.h"

#include <stdlib.h>

pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms) {
  TRY(check_platforms_get(num_entries, platforms, num_platforms));
  if (!driver_load())
    load_report();
  if (platforms)
    for (cl_uint i = 0; i < opencl_platform_count && i < num_entries; i++)
      platforms[i] = pi_from_cl_platform(opencl_platforms[i]);
  if (num_platforms)
    *num_platforms = opencl_platform_count;
  return PI_SUCCESS;
}

static pi_result answer_platform_text(cl_platform_id platform, pi_platform_info param_name,
                                      const info_answer *answer) {
  size_t size;
  TRY(CL_CALL(GetPlatformInfo, platform, param_name, 0, NULL, &size));
  char *text = malloc(size ? size : 1);
  REQUIRE_MEMORY(text, "a text of %zu bytes", size);
  pi_result result = CL_CALL(GetPlatformInfo, platform, param_name, size, text, NULL);
  if (result == PI_SUCCESS)
    result = answer_bytes(answer, text, size);
  free(text);
  return result;
}

pi_result piPlatformGetInfo(pi_platform platform, pi_platform_info param_name,
                            size_t param_value_size, void *param_value,
                            size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PLATFORM(platform);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_PLATFORM_INFO_PROFILE:
  case PI_PLATFORM_INFO_VERSION:
  case PI_PLATFORM_INFO_NAME:
  case PI_PLATFORM_INFO_VENDOR:
  case PI_PLATFORM_INFO_EXTENSIONS:
    return answer_platform_text(cl_from_platform(platform), param_name, &answer);
  case PI_EXT_PLATFORM_INFO_BACKEND:
    return answer_uint32(&answer, PI_EXT_PLATFORM_BACKEND_OPENCL);
  }
  return answer_unknown("pi_platform_info", param_name);
}

pi_result piextPlatformCreateWithNativeHandle(pi_native_handle native_handle,
                                              pi_platform *platform) {
  REQUIRE_POINTER(platform);
  driver_load();
  for (cl_uint i = 0; i < opencl_platform_count; i++) {
    if ((pi_native_handle)opencl_platforms[i] != native_handle)
      continue;
    *platform = pi_from_cl_platform(opencl_platforms[i]);
    return PI_SUCCESS;
  }
  return plugin_error(PI_ERROR_INVALID_PLATFORM,
                      "native_handle 0x%zx is none of the %u OpenCL platforms",
                      (size_t)native_handle, opencl_platform_count);
}

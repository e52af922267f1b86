/* PI's entries for platforms. */
#include "../plugins/objects/platform.h"

#include "../plugins/base/info.h"
#include "../plugins/checks/arguments.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"

pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms) {
  TRY(check_platforms_get(num_entries, platforms, num_platforms));
  TRY(platforms_open());
  const pi_platform *all = NULL;
  const pi_uint32 count = platforms_get(&all);
  driver_note(count);
  if (platforms)
    for (pi_uint32 i = 0; i < count && i < num_entries; i++)
      platforms[i] = all[i];
  if (num_platforms)
    *num_platforms = count;
  return PI_SUCCESS;
}

pi_result piPlatformGetInfo(pi_platform platform, pi_platform_info param_name,
                            size_t param_value_size, void *param_value,
                            size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PLATFORM(platform);
  TRY(answer_check(&answer));
  platform_facts facts;
  driver_platform_facts(platform, &facts);
  switch (param_name) {
  case PI_PLATFORM_INFO_PROFILE:
    return answer_text(&answer, "FULL_PROFILE");
  case PI_PLATFORM_INFO_VERSION:
    return answer_text(&answer, facts.version);
  case PI_PLATFORM_INFO_NAME:
    return answer_text(&answer, facts.name);
  case PI_PLATFORM_INFO_VENDOR:
    return answer_text(&answer, facts.vendor);
  case PI_PLATFORM_INFO_EXTENSIONS:
    return answer_text(&answer, facts.extensions);
  case PI_EXT_PLATFORM_INFO_BACKEND:
    return answer_uint32(&answer, facts.backend);
  }
  return answer_unknown("pi_platform_info", param_name);
}

pi_result piextPlatformGetNativeHandle(pi_platform platform, pi_native_handle *native_handle) {
  REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(native_handle);
  return platform_native(platform, native_handle);
}

pi_result piextPlatformCreateWithNativeHandle(pi_native_handle native_handle,
                                              pi_platform *platform) {
  REQUIRE_POINTER(platform);
  return platform_adopt(native_handle, platform);
}

pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  REQUIRE_PLATFORM(platform);
  return compiler_option_find(driver_options, driver_option_count, driver_name, frontend_option,
                              backend_option);
}

/* PI's entries for platforms. */
#include "../plugins/objects/platform.h"

#include "../plugins/base/info.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"

pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms) {
  PI_REQUIRE(platforms || num_platforms, PI_ERROR_INVALID_VALUE,
             "platforms and num_platforms are both NULL");
  PI_REQUIRE(!platforms || num_entries != 0, PI_ERROR_INVALID_VALUE,
             "num_entries is 0 although platforms is not NULL");
  PI_TRY(platforms_open());
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
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_answer_check(&answer));
  platform_facts facts;
  driver_platform_facts(platform, &facts);
  switch (param_name) {
  case PI_PLATFORM_INFO_PROFILE:
    return pi_answer_text(&answer, "FULL_PROFILE");
  case PI_PLATFORM_INFO_VERSION:
    return pi_answer_text(&answer, facts.version);
  case PI_PLATFORM_INFO_NAME:
    return pi_answer_text(&answer, facts.name);
  case PI_PLATFORM_INFO_VENDOR:
    return pi_answer_text(&answer, facts.vendor);
  case PI_PLATFORM_INFO_EXTENSIONS:
    return pi_answer_text(&answer, facts.extensions);
  case PI_EXT_PLATFORM_INFO_BACKEND:
    return pi_answer_uint32(&answer, facts.backend);
  }
  return pi_answer_unknown("pi_platform_info", param_name);
}

pi_result piextPlatformGetNativeHandle(pi_platform platform, pi_native_handle *native_handle) {
  REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(native_handle);
  PI_REQUIRE(platform->native, PI_ERROR_UNSUPPORTED_FEATURE, "%s has no object for a platform",
             driver_name);
  *native_handle = platform->native;
  return PI_SUCCESS;
}

pi_result piextPlatformCreateWithNativeHandle(pi_native_handle native_handle,
                                              pi_platform *platform) {
  REQUIRE_POINTER(platform);
  PI_TRY(platforms_open());
  const pi_platform *all = NULL;
  const pi_uint32 count = platforms_get(&all);
  for (pi_uint32 i = 0; i < count; i++) {
    PI_REQUIRE(all[i]->native, PI_ERROR_UNSUPPORTED_FEATURE, "%s has no object for a platform",
               driver_name);
    if (all[i]->native != native_handle)
      continue;
    *platform = all[i];
    return PI_SUCCESS;
  }
  return pi_error(PI_ERROR_INVALID_PLATFORM,
                  "native_handle 0x%zx is no platform of %s with a device", (size_t)native_handle,
                  driver_name);
}

pi_result piPluginGetBackendOption(pi_platform platform, const char *frontend_option,
                                   const char **backend_option) {
  REQUIRE_PLATFORM(platform);
  return pi_backend_option_find(driver_options, driver_option_count, driver_name, frontend_option,
                                backend_option);
}

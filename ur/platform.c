/* UR's entries for platforms. */
#include "../plugins/objects/platform.h"

#include "../plugins/base/backend_option.h"
#include "../plugins/objects/driver.h"
#include "adapter.h"
#include "handles.h"
#include "reply.h"
#include "table.h"

/* Lists platforms for both forms of urPlatformGet. */
static ur_result_t get_platforms(uint32_t NumEntries, ur_platform_handle_t *phPlatforms,
                                 uint32_t *pNumPlatforms) {
  UR_REQUIRE_ROOM(NumEntries, phPlatforms, pNumPlatforms);
  UR_TRY(platforms_open());
  const pi_platform *all = NULL;
  const uint32_t count = platforms_get(&all);
  driver_note(count);
  if (phPlatforms)
    for (uint32_t i = 0; i < count && i < NumEntries; i++)
      phPlatforms[i] = platform_handle(all[i]);
  if (pNumPlatforms)
    *pNumPlatforms = count;
  return UR_RESULT_SUCCESS;
}

ur_result_t urPlatformGet(ur_adapter_handle_t hAdapter, uint32_t NumEntries,
                          ur_platform_handle_t *phPlatforms, uint32_t *pNumPlatforms) {
  UR_REQUIRE_ADAPTER(hAdapter);
  return get_platforms(NumEntries, phPlatforms, pNumPlatforms);
}

/*
 * Does not check that the handles in phAdapters are the adapter's. A loader that intercepts calls
 * passes its own wrapper objects there; it converts all other handles.
 */
ur_result_t urPlatformGet_2025_0(ur_adapter_handle_t *phAdapters, uint32_t NumAdapters,
                                 uint32_t NumEntries, ur_platform_handle_t *phPlatforms,
                                 uint32_t *pNumPlatforms) {
  UR_REQUIRE_POINTER(phAdapters);
  UR_REQUIRE(NumAdapters != 0, UR_RESULT_ERROR_INVALID_SIZE, "NumAdapters is 0");
  for (uint32_t i = 0; i < NumAdapters; i++)
    UR_REQUIRE(phAdapters[i], UR_RESULT_ERROR_INVALID_NULL_HANDLE, "phAdapters[%u] is NULL", i);
  return get_platforms(NumEntries, phPlatforms, pNumPlatforms);
}

/* UR and PI use the same numbers for all backends that drivers here report. */
ur_result_t urPlatformGetInfo(ur_platform_handle_t hPlatform, ur_platform_info_t propName,
                              size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_PLATFORM(hPlatform);
  UR_PASS(reply_check(&answer));
  platform_facts facts;
  driver_platform_facts(platform_of(hPlatform), &facts);
  switch ((int)propName) {
  case UR_PLATFORM_INFO_NAME:
    return reply_text(&answer, facts.name);
  case UR_PLATFORM_INFO_VENDOR_NAME:
    return reply_text(&answer, facts.vendor);
  case UR_PLATFORM_INFO_VERSION:
    return reply_text(&answer, facts.version);
  case UR_PLATFORM_INFO_EXTENSIONS:
    return reply_text(&answer, facts.extensions);
  case UR_PLATFORM_INFO_PROFILE:
    return reply_text(&answer, "FULL_PROFILE");
  case UR_PLATFORM_INFO_BACKEND:
    return reply_uint32(&answer, facts.backend);
  case UR_PLATFORM_INFO_ADAPTER:
    return reply_handle(&answer, adapter_handle());
  }
  return reply_unknown("ur_platform_info_t", propName);
}

ur_result_t urPlatformGetNativeHandle(ur_platform_handle_t hPlatform,
                                      ur_native_handle_t *phNativePlatform) {
  UR_REQUIRE_PLATFORM(hPlatform);
  UR_REQUIRE_POINTER(phNativePlatform);
  return face_result(platform_native(platform_of(hPlatform), phNativePlatform));
}

/* pProperties are ignored: they only say who owns the platform, and platforms are never freed. */
ur_result_t urPlatformCreateWithNativeHandle(ur_native_handle_t hNativePlatform,
                                             ur_adapter_handle_t hAdapter,
                                             const ur_platform_native_properties_t *pProperties,
                                             ur_platform_handle_t *phPlatform) {
  (void)pProperties;
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_REQUIRE_POINTER(phPlatform);
  pi_platform found;
  UR_TRY(platform_adopt(hNativePlatform, &found));
  *phPlatform = platform_handle(found);
  return UR_RESULT_SUCCESS;
}

/* The API version of the release whose loader asked for tables; by now one has. */
static ur_api_version_t api_version(void) {
  static const uint32_t minor[] = {
#define UR_RELEASE(name, text, version, words, mark) version,
#include <ur/ur_releases.def>
  };
  return (ur_api_version_t)UR_MAKE_VERSION(0u, minor[table_release()]);
}

ur_result_t urPlatformGetApiVersion(ur_platform_handle_t hPlatform, ur_api_version_t *pVersion) {
  UR_REQUIRE_PLATFORM(hPlatform);
  UR_REQUIRE_POINTER(pVersion);
  *pVersion = api_version();
  return UR_RESULT_SUCCESS;
}

ur_result_t urPlatformGetBackendOption(ur_platform_handle_t hPlatform, const char *pFrontendOption,
                                       const char **ppPlatformOption) {
  UR_REQUIRE_PLATFORM(hPlatform);
  UR_REQUIRE_POINTER(pFrontendOption);
  UR_REQUIRE_POINTER(ppPlatformOption);
  return face_result(compiler_option_find(driver_options, driver_option_count, driver_name,
                                          pFrontendOption, ppPlatformOption));
}

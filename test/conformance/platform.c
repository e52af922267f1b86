/* Platforms. */
#include "fixture.h"

#include <stdlib.h>

INFO_CALL(platform_info, pi_platform, pi_platform_info, piPlatformGetInfo)

TEST(platform, get) {
  pi_uint32 count = 0;
  expect_success(pi.piPlatformsGet(0, NULL, &count));
  if (count == 0)
    skip_test("the plugin has no platform");
  /* The call must leave the extra entry unchanged. */
  pi_platform *platforms = calloc(count + 1, sizeof *platforms);
  expect(platforms, "no memory");
  pi_uint32 again = 0;
  expect_success(pi.piPlatformsGet(count + 1, platforms, &again));
  expect_equal(count, again);
  for (pi_uint32 i = 0; i < count; i++)
    expect(platforms[i], "platform %u is NULL", i);
  expect(!platforms[count], "more platforms were written than there are");
  pi_platform first = NULL;
  expect_success(pi.piPlatformsGet(1, &first, NULL));
  expect_same(platforms[0], first);
  free(platforms);
}

TEST(platform, get_refuses_nothing_wanted) {
  expect_error(PI_ERROR_INVALID_VALUE, pi.piPlatformsGet(0, NULL, NULL));
}

TEST(platform, get_refuses_no_room) {
  pi_platform platform;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, platform, pi.piPlatformsGet(0, &platform, NULL));
}

static bool required(pi_uint32 query) {
  (void)query;
  return false;
}

QUERY_TESTS(platform, query, pi_platform_info, platform_info, the_platform(), required,
            PI_ERROR_INVALID_PLATFORM)

TEST(platform, backend) {
  pi_uint32 backend = 0;
  expect_success(pi.piPlatformGetInfo(the_platform(), PI_EXT_PLATFORM_INFO_BACKEND, sizeof backend,
                                      &backend, NULL));
  expect(backend >= PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO &&
             backend <= PI_EXT_PLATFORM_BACKEND_NATIVE_CPU,
         "backend %u makes a runtime drop the platform", backend);
}

TEST(platform, native_handle_round_trip) {
  pi_native_handle native = 0;
  pi_platform back = NULL;
  if (!is_supported(pi.piextPlatformGetNativeHandle(the_platform(), &native))) {
    cannot_show(PI_INDEX_piextPlatformCreateWithNativeHandle, true,
                "the platform has no native handle");
    return;
  }
  expect(native, "the native handle is 0");
  expect_success(pi.piextPlatformCreateWithNativeHandle(native, &back));
  expect_same(the_platform(), back);
}

TEST(platform, native_handle_refuses_null) {
  pi_native_handle native;
  pi_platform back;
  expect_error_keeps(PI_ERROR_INVALID_PLATFORM, native,
                     pi.piextPlatformGetNativeHandle(NULL, &native));
  expect_refused_keeps(back, pi.piextPlatformCreateWithNativeHandle(0, &back));
}

TEST(platform, native_handle_refuses_null_output) {
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextPlatformGetNativeHandle(the_platform(), NULL));
  if (is_supported(pi.piextPlatformGetNativeHandle(the_platform(), &native)))
    expect_error(PI_ERROR_INVALID_VALUE, pi.piextPlatformCreateWithNativeHandle(native, NULL));
}

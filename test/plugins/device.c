/* The platform, its devices, their answers, and access between two of them. */
#include "device.h"

void ask_of(pi_device device, pi_device_info query, size_t size, void *value) {
  size_t got = 0;
  must(piDeviceGetInfo(device, query, size, value, &got));
  assert_int_equal(got, size);
}

void ask(pi_device_info query, size_t size, void *value) {
  ask_of(w.device, query, size, value);
}

pi_uint32 ask4(pi_device_info query) {
  pi_uint32 value = 0;
  ask(query, sizeof value, &value);
  return value;
}

pi_uint64 ask8(pi_device_info query) {
  pi_uint64 value = 0;
  ask(query, sizeof value, &value);
  return value;
}

void ask_text(pi_device_info query, char *text, size_t size) {
  must(piDeviceGetInfo(w.device, query, size, text, NULL));
}

bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

/* Every query of PI has an answer, or is refused with a message that says why. */
WORLD_TEST(every_query_is_answered_or_refused) {
  static const struct {
    const char *type;
    pi_uint32 query;
  } queries[] = {
#define PI_ENUM(type)
#define PI_QUERY(type, name, value, kind) {#type, (pi_uint32)name},
#include <pi/pi_enums.def>
  };
  int refused = 0;
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    if (strcmp(queries[i].type, "pi_device_info") != 0)
      continue;
    const pi_device_info query = (pi_device_info)queries[i].query;
    unsigned char value[2048];
    size_t size = 0;
    const pi_result result = piDeviceGetInfo(w.device, query, 0, NULL, &size);
    if (result != PI_SUCCESS) {
      refused++;
      char *message = NULL;
      assert_int_equal(result, PI_ERROR_INVALID_VALUE);
      assert_int_equal(piPluginGetLastError(&message), PI_ERROR_INVALID_VALUE);
      assert_non_null(strstr(message, " is not answered here: "));
      continue;
    }
    assert_true(size <= sizeof value);
    must(piDeviceGetInfo(w.device, query, size, value, NULL));
    if (size != 0)
      fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, query, size - 1, value, NULL));
  }
  assert_in_range(refused, backend.refused_queries[0], backend.refused_queries[1]);
  size_t size = 0;
  fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, (pi_device_info)0x4711, 0, NULL, &size));
}

/* The query reports a failure of the driver; later answers do not change. */
WORLD_TEST(a_failing_driver_is_reported) {
  for (size_t i = 0; i < backend.driver_query_count; i++) {
    unsigned long nth = 1;
    for (;; nth++) {
      unsigned char value[1024];
      memset(value, 0x5a, sizeof value);
      size_t size = 4711;
      driver_fail(NULL, nth);
      const pi_result result =
          piDeviceGetInfo(w.device, backend.driver_queries[i], sizeof value, value, &size);
      if (!driver_unfail()) {
        must(result);
        break;
      }
      if (result == PI_SUCCESS && backend.tries_calls)
        continue;
      assert_int_equal(result, PI_ERROR_OUT_OF_RESOURCES);
      assert_int_equal(size, 4711);
      assert_int_equal(value[0], 0x5a);
    }
    assert_true(nth > 1);
  }
}

/* The backend that the platform reports: CUDA's user may choose it, and its name goes with it. */
static pi_uint32 reported_backend(void) {
  pi_uint32 reported = 0;
  must(piPlatformGetInfo(w.platform, PI_EXT_PLATFORM_INFO_BACKEND, sizeof reported, &reported,
                         NULL));
  return reported;
}

/* libsycl asks this where the platform reports Level Zero. */
WORLD_TEST(there_are_no_components) {
  size_t size = 77;
  must(piDeviceGetInfo(w.device, PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, 0, NULL, &size));
  assert_int_equal(size, 0);
  const pi_result nothing =
      piDeviceGetInfo(w.device, PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, 0, NULL, NULL);
  assert_int_equal(nothing, reported_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO
                                ? PI_SUCCESS
                                : PI_ERROR_INVALID_VALUE);
  fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, PI_DEVICE_INFO_TYPE, 0, NULL, NULL));
}

WORLD_TEST(devices_are_listed_by_type) {
  pi_uint32 count = 0;
  pi_device devices[3] = {NULL, NULL, NULL};
  assert_int_equal(get_devices(3, devices), 2);
  assert_null(devices[2]);
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_DEFAULT, 0, NULL, &count));
  assert_int_equal(count, 1);
  const pi_uint64 others =
      (PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU | PI_DEVICE_TYPE_ACC) & ~ask8(PI_DEVICE_INFO_TYPE);
  must(piDevicesGet(w.platform, (pi_device_type)others, 0, NULL, &count));
  assert_int_equal(count, 0);
  pi_native_handle first = 77;
  must(piextDeviceGetNativeHandle(devices[0], &first));
  for (pi_uint32 i = 0; i < 2; i++) {
    pi_native_handle native = 77;
    must(piextDeviceGetNativeHandle(devices[i], &native));
    if (backend.numbers_devices)
      assert_int_equal(native, i);
    pi_platform platform = NULL;
    must(piDeviceGetInfo(devices[i], PI_DEVICE_INFO_PLATFORM, sizeof platform, &platform, NULL));
    for (int k = 0; k < 2; k++) {
      pi_device back = NULL;
      must(piextDeviceCreateWithNativeHandle(native, k ? platform : NULL, &back));
      assert_ptr_equal(back, devices[i]);
    }
    /* Root devices have no reference count. */
    for (int k = 0; k < 3; k++)
      must(piDeviceRelease(devices[i]));
    must(piDeviceRetain(devices[i]));
  }
  pi_device none = NULL;
  const pi_native_handle wrong[] = {backend.numbers_devices ? 2 : 0, 4711, UINTPTR_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    fails(PI_ERROR_INVALID_DEVICE, piextDeviceCreateWithNativeHandle(wrong[i], NULL, &none));
  const pi_native_handle handles[] = {first, 1};
  for (size_t i = 0; i < 2; i++)
    fails(PI_ERROR_INVALID_PLATFORM,
          piextDeviceCreateWithNativeHandle(handles[i], (pi_platform)(void *)w.device, &none));
  fails(PI_ERROR_INVALID_PLATFORM,
        piDevicesGet((pi_platform)(void *)w.device, PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  fails(PI_ERROR_INVALID_DEVICE, piDeviceRetain(NULL));
  fails(PI_ERROR_INVALID_DEVICE, piDeviceRelease((pi_device)(void *)w.platform));
  assert_null(none);
}

WORLD_TEST(the_platform_reports_its_backend) {
  char text[64] = "";
  assert_int_equal(reported_backend(), backend_to_report());
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_NAME, sizeof text, text, NULL));
  assert_int_equal(strstr(text, backend.platform_name) != NULL,
                   reported_backend() == backend.platform);
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_PROFILE, sizeof text, text, NULL));
  assert_string_equal(text, "FULL_PROFILE");
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_EXTENSIONS, sizeof text, text, NULL));
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_VENDOR, sizeof text, text, NULL));
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_VERSION, sizeof text, text, NULL));
  fails(PI_ERROR_INVALID_VALUE,
        piPlatformGetInfo(w.platform, (pi_platform_info)0x4711, sizeof text, text, NULL));
}

WORLD_TEST(a_native_handle_is_its_platform) {
  pi_native_handle native = 77;
  pi_platform back = NULL;
  if (!backend.native_platforms) {
    fails(PI_ERROR_UNSUPPORTED_FEATURE, piextPlatformGetNativeHandle(w.platform, &native));
    assert_int_equal(native, 77);
    return;
  }
  must(piextPlatformGetNativeHandle(w.platform, &native));
  must(piextPlatformCreateWithNativeHandle(native, &back));
  assert_ptr_equal(back, w.platform);
  back = NULL;
  fails(PI_ERROR_INVALID_PLATFORM, piextPlatformCreateWithNativeHandle(0, &back));
  fails(PI_ERROR_INVALID_PLATFORM, piextPlatformCreateWithNativeHandle(4711, &back));
  assert_null(back);
}

static pi_uint32 peer_info(pi_device command, pi_device peer, pi_peer_attr attr) {
  pi_uint32 value = 77;
  must(piextPeerAccessGetInfo(command, peer, attr, sizeof value, &value, NULL));
  return value;
}

WORLD_TEST(peer_access_is_enabled_in_one_direction) {
  pi_device both[2];
  get_two_devices(both);
  const size_t contexts = driver_live(DRIVER_CONTEXT);
  assert_int_equal(peer_info(both[0], both[1], PI_PEER_ACCESS_SUPPORTED), 1);
  assert_int_equal(peer_info(both[0], both[0], PI_PEER_ACCESS_SUPPORTED), 0);
  assert_in_range(peer_info(both[0], both[1], PI_PEER_ATOMICS_SUPPORTED), 0, 1);
  assert_int_equal(peer_info(both[0], both[0], PI_PEER_ATOMICS_SUPPORTED), 0);
  fails(PI_ERROR_INVALID_OPERATION, piextEnablePeerAccess(both[0], both[0]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[0]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[1]));
  must(piextEnablePeerAccess(both[0], both[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextEnablePeerAccess(both[0], both[1]));
  /* Access in one direction does not enable the other. */
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[1], both[0]));
  /* The application has no context of the second device; CUDA opens the device nevertheless. */
  must(piextDisablePeerAccess(both[0], both[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[1]));
  assert_int_equal(driver_live(DRIVER_CONTEXT), contexts);
  pi_uint32 value = 77;
  fails(PI_ERROR_INVALID_DEVICE, piextEnablePeerAccess(NULL, both[1]));
  fails(PI_ERROR_INVALID_DEVICE, piextEnablePeerAccess(both[0], (pi_device)(void *)w.platform));
  fails(PI_ERROR_INVALID_VALUE,
        piextPeerAccessGetInfo(both[0], both[1], (pi_peer_attr)7, sizeof value, &value, NULL));
  assert_int_equal(value, 77);
}

WORLD_TEST(failed_peer_access_can_be_tried_again) {
  pi_device both[2];
  get_two_devices(both);
  const size_t contexts = driver_live(DRIVER_CONTEXT);
  for (unsigned long nth = 1;; nth++) {
    driver_fail(NULL, nth);
    const pi_result enabled = piextEnablePeerAccess(both[0], both[1]);
    const char *failed = driver_unfail();
    if (enabled == PI_SUCCESS)
      must(piextDisablePeerAccess(both[0], both[1]));
    assert_int_equal(driver_live(DRIVER_CONTEXT), contexts);
    if (!failed)
      break;
  }
  for (unsigned long nth = 1;; nth++) {
    must(piextEnablePeerAccess(both[0], both[1]));
    driver_fail(NULL, nth);
    const pi_result disabled = piextDisablePeerAccess(both[0], both[1]);
    const char *failed = driver_unfail();
    if (disabled != PI_SUCCESS)
      must(piextDisablePeerAccess(both[0], both[1]));
    assert_int_equal(driver_live(DRIVER_CONTEXT), contexts);
    if (!failed)
      break;
  }
}

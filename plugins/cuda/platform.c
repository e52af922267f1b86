/* The platform: there is one, with all devices of the driver. */
#include "backend.h"
#include "checks.h"
#include "device.h"

/* Room for them is static, so that listing devices needs no memory. */
static struct pi_platform_object platform_object;
static struct pi_device_object devices[CUDA_MOST_DEVICES];
static int device_count;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open;

pi_platform cuda_platform(void) {
  return atomic_load_explicit(&is_open, memory_order_acquire) ? &platform_object : NULL;
}

int cuda_devices(void) {
  return cuda_platform() ? device_count : 0;
}

pi_device cuda_device(int ordinal) {
  return ordinal >= 0 && ordinal < cuda_devices() ? &devices[ordinal] : NULL;
}

pi_platform_backend cuda_backend(void) {
  return cuda_backend_chosen()->backend;
}

/* Fills in what the driver knows; the handle is made when all devices are there. */
static pi_result open_device(int index, struct pi_device_object *device) {
  device->platform = &platform_object;
  CU_TRY(DeviceGet, &device->ordinal, index);
#define CUDA_LIMIT(name, attribute)                                                                \
  CU_TRY(DeviceGetAttribute, &device->name, CU_DEVICE_ATTRIBUTE_##attribute, device->ordinal);
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
  return PI_SUCCESS;
}

static pi_result open_devices(void) {
  const int count = cuda_device_count < CUDA_MOST_DEVICES ? cuda_device_count : CUDA_MOST_DEVICES;
  for (int i = 0; i < count; i++)
    PI_TRY(open_device(i, &devices[i]));
  for (int i = 0; i < count; i++) {
    pthread_mutex_init(&devices[i].clock_lock, NULL);
    pi_handle_init(&devices[i].handle, PI_HANDLE_DEVICE);
  }
  pi_handle_init(&platform_object.handle, PI_HANDLE_PLATFORM);
  device_count = count;
  return PI_SUCCESS;
}

/* Makes the platform, once. After a failure the next call tries again. */
static pi_result open_platform(void) {
  if (cuda_platform())
    return PI_SUCCESS;
  pthread_mutex_lock(&open_lock);
  pi_result result = PI_SUCCESS;
  if (!cuda_platform()) {
    result = open_devices();
    if (result == PI_SUCCESS)
      atomic_store_explicit(&is_open, true, memory_order_release);
  }
  pthread_mutex_unlock(&open_lock);
  return result;
}

/* What a person should know of an answer that is a success all the same. */
static void note(void) {
  if (!cuda_load())
    pi_note("%s", cuda_load_error());
  else if (cuda_backend_refused())
    pi_note("SPECPI_CUDA_BACKEND is \"%s\", expected is cuda, opencl or level_zero; the platform "
            "reports cuda",
            cuda_backend_refused());
  else if (cuda_device_count > CUDA_MOST_DEVICES)
    pi_note("the driver has %d devices, the first %d are listed", cuda_device_count,
            CUDA_MOST_DEVICES);
}

pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms, pi_uint32 *num_platforms) {
  PI_REQUIRE(platforms || num_platforms, PI_ERROR_INVALID_VALUE,
             "platforms and num_platforms are both NULL");
  PI_REQUIRE(!platforms || num_entries != 0, PI_ERROR_INVALID_VALUE,
             "num_entries is 0 although platforms is not NULL");
  const bool has_devices = cuda_load();
  if (has_devices)
    PI_TRY(open_platform());
  note();
  if (platforms && has_devices)
    platforms[0] = &platform_object;
  if (num_platforms)
    *num_platforms = has_devices ? 1 : 0;
  return PI_SUCCESS;
}

pi_result piPlatformGetInfo(pi_platform platform, pi_platform_info param_name,
                            size_t param_value_size, void *param_value,
                            size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_answer_check(&answer));
  const cuda_backend_entry *backend = cuda_backend_chosen();
  switch (param_name) {
  case PI_PLATFORM_INFO_PROFILE:
    return pi_answer_text(&answer, "FULL_PROFILE");
  case PI_PLATFORM_INFO_VERSION: {
    char text[64];
    cuda_backend_version(backend, cuda_driver_version, text, sizeof text);
    return pi_answer_text(&answer, text);
  }
  case PI_PLATFORM_INFO_NAME:
    return pi_answer_text(&answer, backend->name);
  case PI_PLATFORM_INFO_VENDOR:
    return pi_answer_text(&answer, "NVIDIA Corporation");
  case PI_PLATFORM_INFO_EXTENSIONS:
    return pi_answer_text(&answer, backend->extensions);
  case PI_EXT_PLATFORM_INFO_BACKEND:
    return pi_answer_uint32(&answer, backend->backend);
  }
  return pi_answer_unknown("pi_platform_info", param_name);
}

pi_result piextPlatformGetNativeHandle(pi_platform platform, pi_native_handle *native_handle) {
  REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(native_handle);
  return CUDA_UNSUPPORTED("CUDA has no object for a platform");
}

pi_result piextPlatformCreateWithNativeHandle(pi_native_handle native_handle,
                                              pi_platform *platform) {
  (void)native_handle;
  REQUIRE_POINTER(platform);
  return CUDA_UNSUPPORTED("CUDA has no object for a platform");
}

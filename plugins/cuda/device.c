/* The one platform and its devices. */
#include "device.h"
#include "../base/load.h"
#include "../code/generated_form.h"
#include "../code/select_image.h"
#include "../objects/driver.h"
#include "backend.h"
#include "checks.h"
#include "memory_pool.h"

void driver_note(pi_uint32 platform_count) {
  if (platform_count == 0)
    load_report();
  else if (cuda_backend_refused())
    plugin_note("SPECPI_CUDA_BACKEND is \"%s\", not cuda, opencl or level_zero; the platform "
                "reports cuda",
                cuda_backend_refused());
}

/* Lists one platform, unless there is no device. Its handle is 0: CUDA has no platform objects. */
pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret) {
  *count = cuda_device_count != 0;
  if (ret && *count)
    ret[0] = 0;
  return PI_SUCCESS;
}

pi_result driver_platform_open(pi_platform platform) {
  platform->driver.backend = cuda_backend_chosen();
  return PI_SUCCESS;
}

void driver_platform_facts(pi_platform platform, platform_facts *ret) {
  const cuda_backend_entry *backend = platform->driver.backend;
  *ret = (platform_facts){.name = backend->name,
                          .vendor = "NVIDIA Corporation",
                          .extensions = backend->extensions,
                          .backend = driver_backend()};
  cuda_backend_version(backend, cuda_driver_version, ret->version, sizeof ret->version);
}

/* Lists the devices; a native handle is the CUdevice, an index. A device has no sub-devices. */
pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret) {
  (void)platform;
  const int devices = parent ? 0 : cuda_device_count;
  for (int i = 0; ret && i < devices; i++) {
    CUdevice ordinal;
    CU_TRY(DeviceGet, &ordinal, i);
    ret[i] = (pi_native_handle)ordinal;
  }
  *count = (pi_uint32)devices;
  return PI_SUCCESS;
}

pi_result driver_device_open(pi_device device) {
  struct driver_device *own = &device->driver;
  device->type = PI_DEVICE_TYPE_GPU;
  own->ordinal = (CUdevice)device->native;
#define CUDA_LIMIT(name, attribute)                                                                \
  CU_TRY(DeviceGetAttribute, &own->name, CU_DEVICE_ATTRIBUTE_##attribute, own->ordinal);
  CUDA_DEVICE_LIMITS(CUDA_LIMIT)
#undef CUDA_LIMIT
  pthread_mutex_init(&own->clock_lock, NULL);
  return PI_SUCCESS;
}

void driver_device_close(pi_device device) {
  memory_pools_destroy(device);
  pthread_mutex_destroy(&device->driver.clock_lock);
}

ptx_target device_ptx_target(pi_device device) {
  return (ptx_target){.capability = 10 * device->driver.major + device->driver.minor,
                      .ptx_version = ptx_version_of_cuda(cuda_driver_version),
                      .no_spirv = generated_obstacle()};
}

const char *const *driver_device_targets(pi_device device) {
  (void)device;
  return ptx_image_targets;
}

pi_result driver_device_select(pi_device device, pi_device_binary *images, pi_uint32 count,
                               pi_uint32 *ret) {
  ptx_target target = device_ptx_target(device);
  if (cuda_backend_refuses_spirv())
    target.no_spirv = "is for a platform of another backend than cuda, which SPECPI_CUDA_BACKEND "
                      "names: leave that unset, or start the program with specpi run --cuda";
  target.sets_spir64_only = cuda_backend_chosen()->backend != PI_EXT_PLATFORM_BACKEND_CUDA;
  return select_ptx_image(images, count, &target, ret);
}

int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback) {
  int value = 0;
  return cu.DeviceGetAttribute(&value, attribute, device->driver.ordinal) == CUDA_SUCCESS
             ? value
             : fallback;
}

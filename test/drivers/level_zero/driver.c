/* Drivers, which are made once and stay. */
#include "fake.h"

static fake_driver *drivers[FAKE_DRIVERS_MAX];
static bool made;

static fake_device *make_device(fake_driver *driver, fake_device *root, uint32_t index) {
  fake_device *device = fake_new(FAKE_DEVICE, sizeof *device, NULL, false);
  device->driver = driver;
  device->root = root ? root : device;
  device->index = index;
  if (root)
    return device;
  device->part_count = fake_environment.parts;
  for (uint32_t i = 0; i < device->part_count; i++)
    device->parts[i] = make_device(driver, device, i);
  return device;
}

void fake_make_drivers(void) {
  if (made)
    return;
  made = true;
  for (uint32_t i = 0; i < fake_environment.drivers; i++) {
    drivers[i] = fake_new(FAKE_DRIVER, sizeof *drivers[i], NULL, false);
    drivers[i]->index = i;
    drivers[i]->device_count = fake_environment.devices;
    for (uint32_t k = 0; k < fake_environment.devices; k++)
      drivers[i]->devices[k] = make_device(drivers[i], NULL, k);
  }
}

ze_result_t zeInit(ze_init_flags_t flags) {
  FAKE_ENTER(zeInit);
  FAKE_REQUIRE(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY), INVALID_ENUMERATION,
               "zeInit: unknown flags in 0x%x", flags);
  return ZE_RESULT_SUCCESS;
}

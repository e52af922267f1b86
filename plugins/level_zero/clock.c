#include "checks.h"
#include "device.h"

/* What zeDeviceGetGlobalTimestamps gives: the host's time in nanoseconds, the device's in ticks. */
static pi_result read_clocks(pi_device device, clock_reading *ret) {
  PI_REQUIRE(ze.DeviceGetGlobalTimestamps, PI_ERROR_INVALID_OPERATION,
             "libze_loader.so.1 has no zeDeviceGetGlobalTimestamps");
  uint64_t host = 0;
  uint64_t ticks = 0;
  const ze_result_t code = ze.DeviceGetGlobalTimestamps(device->device, &host, &ticks);
  PI_REQUIRE(code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, PI_ERROR_INVALID_OPERATION,
             "the driver cannot read the clock of \"%s\"", device->properties.name);
  PI_TRY(ze_result(code, "zeDeviceGetGlobalTimestamps"));
  ret->host = host;
  ret->ticks = ticks;
  return PI_SUCCESS;
}

pi_result clock_read(pi_device device, clock_reading *ret) {
  clock_reading now;
  pthread_mutex_lock(&device->clock_lock);
  const pi_result result = read_clocks(device, &now);
  if (result == PI_SUCCESS) {
    if (!device->has_clock_origin) {
      now.ticks = clock_elapsed(0, now.ticks, device->clock.bits);
      device->clock_origin = now;
      device->has_clock_origin = true;
    } else {
      now.ticks = clock_unwrap(&device->clock, device->clock_origin, now);
    }
    *ret = now;
  }
  pthread_mutex_unlock(&device->clock_lock);
  return result;
}

pi_result piGetDeviceAndHostTimer(pi_device device, uint64_t *device_time, uint64_t *host_time) {
  REQUIRE_DEVICE(device);
  clock_reading now;
  PI_TRY(clock_read(device, &now));
  if (device_time)
    *device_time = clock_nanoseconds(&device->clock, now.ticks);
  if (host_time)
    *host_time = now.host;
  return PI_SUCCESS;
}

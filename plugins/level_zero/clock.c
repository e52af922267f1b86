#include "../objects/driver.h"
#include "checks.h"
#include "device.h"

/* Calls zeDeviceGetGlobalTimestamps: host time in nanoseconds, device time in ticks. */
static pi_result read_clocks(pi_device device, clock_reading *ret) {
  REQUIRE(ze.DeviceGetGlobalTimestamps, PI_ERROR_INVALID_OPERATION,
          "libze_loader.so.1 has no zeDeviceGetGlobalTimestamps");
  uint64_t host = 0;
  uint64_t ticks = 0;
  const ze_result_t code = ze.DeviceGetGlobalTimestamps(device->driver.device, &host, &ticks);
  REQUIRE(code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, PI_ERROR_INVALID_OPERATION,
          "the driver cannot read the clock of \"%s\"", device->driver.properties.name);
  TRY(ze_result(code, "zeDeviceGetGlobalTimestamps"));
  ret->host = host;
  ret->ticks = ticks;
  return PI_SUCCESS;
}

pi_result clock_read(pi_device device, clock_reading *ret) {
  clock_reading now;
  pthread_mutex_lock(&device->driver.clock_lock);
  const pi_result result = read_clocks(device, &now);
  if (result == PI_SUCCESS) {
    if (!device->driver.has_clock_origin) {
      now.ticks = clock_elapsed(0, now.ticks, device->driver.clock.bits);
      device->driver.clock_origin = now;
      device->driver.has_clock_origin = true;
    } else {
      now.ticks = clock_unwrap(&device->driver.clock, device->driver.clock_origin, now);
    }
    *ret = now;
  }
  pthread_mutex_unlock(&device->driver.clock_lock);
  return result;
}

pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time) {
  clock_reading now;
  TRY(clock_read(device, &now));
  *device_time = clock_nanoseconds(&device->driver.clock, now.ticks);
  *host_time = now.host;
  return PI_SUCCESS;
}

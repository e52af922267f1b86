/* The context of each device. All of this library's objects for the device are in it. */
#include "device.h"
#include "driver_error.h"

#include "../plugins/base/cancellation.h"

#include <pthread.h>

static specpi_result make_context(specpi_device device, pi_context *ret) {
  const pi_device handle = device->handle;
  pi_context context = NULL;
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  DRIVER_TRY(pi, pi->piContextCreate(NULL, 1, &handle, NULL, NULL, &context), "piContextCreate");
  *ret = context;
  return SPECPI_SUCCESS;
}

specpi_result specpiDeviceGetContext(specpi_device device, pi_context *context) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(context, "context is NULL");
  pi_context made = atomic_load_explicit(&device->parts->context, memory_order_acquire);
  if (!made) {
    specpi_result result = SPECPI_SUCCESS;
    WITHOUT_CANCELLATION;
    pthread_mutex_lock(&lock);
    made = atomic_load_explicit(&device->parts->context, memory_order_relaxed);
    if (!made)
      result = make_context(device, &made);
    if (result == SPECPI_SUCCESS)
      atomic_store_explicit(&device->parts->context, made, memory_order_release);
    pthread_mutex_unlock(&lock);
    ERROR_TRY(result);
  }
  *context = made;
  return SPECPI_SUCCESS;
}

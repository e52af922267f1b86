/* Contexts of the fake Level Zero driver. */
#include "device.h"

#include <stdlib.h>

static ze_result_t create_context(ze_driver_handle_t handle, const ze_context_desc_t *desc,
                                  uint32_t count, ze_device_handle_t *devices,
                                  ze_context_handle_t *ret) {
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_STRUCT(desc, CONTEXT_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeContextCreate: the place for the context is NULL");
  FAKE_REQUIRE(desc->flags <= ZE_CONTEXT_FLAG_TBD, INVALID_ENUMERATION,
               "zeContextCreate: unknown flags in 0x%x", desc->flags);
  FAKE_REQUIRE(devices || count == 0, INVALID_SIZE, "zeContextCreate: %u devices at NULL", count);
  for (uint32_t i = 0; i < count; i++) {
    FAKE_FIND(fake_device, device, devices[i], DEVICE);
    FAKE_REQUIRE(device->driver == driver, INVALID_ARGUMENT,
                 "zeContextCreate: device %u is of another driver", i);
  }
  fake_context *context = fake_new(FAKE_CONTEXT, sizeof *context, NULL, false);
  context->driver = driver;
  context->device_count = devices ? count : driver->device_count;
  const size_t size = context->device_count * sizeof *context->devices;
  if (!devices) {
    context->devices = fake_copy(driver->devices, size);
  } else {
    context->devices = fake_allocate(size);
    for (uint32_t i = 0; i < count; i++)
      context->devices[i] = fake_find(devices[i], FAKE_DEVICE);
  }
  *ret = FAKE_HANDLE(ze_context_handle_t, context);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                            ze_context_handle_t *ret) {
  FAKE_ENTER(zeContextCreate);
  return create_context(driver, desc, 0, NULL, ret);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                              uint32_t count, ze_device_handle_t *devices,
                              ze_context_handle_t *ret) {
  FAKE_ENTER(zeContextCreateEx);
  return create_context(driver, desc, count, devices, ret);
}

bool fake_context_has(const fake_context *context, const fake_device *device) {
  for (uint32_t i = 0; i < context->device_count; i++)
    if (context->devices[i] == device || context->devices[i] == device->root)
      return true;
  return false;
}

ze_result_t zeContextDestroy(ze_context_handle_t handle) {
  FAKE_ENTER_ALONE(zeContextDestroy, handle);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(context->head.members == 0, HANDLE_OBJECT_IN_USE,
               "zeContextDestroy: %u objects of the context are not destroyed",
               context->head.members);
  free(context->devices);
  fake_delete(context);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextGetStatus(ze_context_handle_t handle) {
  FAKE_ENTER(zeContextGetStatus);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  return context->lost;
}

ze_result_t fake_check_device(const fake_context *context, ze_device_handle_t handle,
                              const char *function, fake_device **ret) {
  FAKE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: the device is NULL", function);
  fake_device *device = fake_find(handle, FAKE_DEVICE);
  FAKE_REQUIRE(device, INVALID_ARGUMENT, "%s: no device is %p", function, (void *)handle);
  FAKE_REQUIRE(fake_context_has(context, device), INVALID_ARGUMENT,
               "%s: the device is not of the context", function);
  if (ret)
    *ret = device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextSystemBarrier(ze_context_handle_t handle, ze_device_handle_t device) {
  FAKE_ENTER(zeContextSystemBarrier);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  return fake_check_device(context, device, "zeContextSystemBarrier", NULL);
}

static ze_result_t check_resident(ze_context_handle_t handle, ze_device_handle_t device,
                                  const void *address, size_t size, const char *function) {
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_TRY(fake_check_device(context, device, function, NULL));
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "%s: the address is NULL", function);
  fake_memory *memory;
  FAKE_TRY(
      fake_memory_check(context, fake_find(device, FAKE_DEVICE), address, size, function, &memory));
  FAKE_REQUIRE(memory, INVALID_ARGUMENT, "%s: nothing is allocated at %p", function, address);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextMakeMemoryResident(ze_context_handle_t context, ze_device_handle_t device,
                                        void *address, size_t size) {
  FAKE_ENTER(zeContextMakeMemoryResident);
  return check_resident(context, device, address, size, "zeContextMakeMemoryResident");
}

ze_result_t zeContextEvictMemory(ze_context_handle_t context, ze_device_handle_t device,
                                 void *address, size_t size) {
  FAKE_ENTER(zeContextEvictMemory);
  return check_resident(context, device, address, size, "zeContextEvictMemory");
}

/*
 * Functions of Level Zero loaders after version 1.8, for libraries that are linked to a newer
 * loader, such as Intel's libpi_level_zero.so, which cannot be loaded without them. Preload this
 * library (LD_PRELOAD). The functions use the loader's older functions or the driver's own, found
 * by zeDriverGetExtensionFunctionAddress, or report that they are not supported.
 */
#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Prototypes that the header of version 1.4 lacks. */
ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout);
ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root);
ze_result_t zeImageViewCreateExt(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *view);

enum { MOST = 16 };

/* Finds an extension function in the first driver that has it; NULL if none has it. */
static void *find_function(const char *name) {
  ze_driver_handle_t drivers[MOST];
  uint32_t count = 0;
  if (zeDriverGet(&count, NULL) != ZE_RESULT_SUCCESS || count == 0)
    return NULL;
  count = count < MOST ? count : MOST;
  if (zeDriverGet(&count, drivers) != ZE_RESULT_SUCCESS)
    return NULL;
  void *found = NULL;
  for (uint32_t i = 0; i < count && !found; i++)
    if (zeDriverGetExtensionFunctionAddress(drivers[i], name, &found) != ZE_RESULT_SUCCESS)
      found = NULL;
  return found;
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  void *found = find_function("zeCommandListHostSynchronize");
  ze_result_t (*function)(ze_command_list_handle_t, uint64_t);
  memcpy(&function, &found, sizeof function);
  return found ? function(list, timeout) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t zeImageViewCreateExt(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *view) {
  return zeImageViewCreateExp(context, device, desc, image, view);
}

/*
 * Gets the devices of a driver or the parts of a device. Returns their number. It asks for the
 * number first, because Intel's driver 22.43 does not set it if the array has space for more.
 */
static uint32_t devices_of(ze_driver_handle_t driver, ze_device_handle_t parent,
                           ze_device_handle_t devices[MOST]) {
  uint32_t count = 0;
  for (int with_room = 0; with_room < 2; with_room++) {
    ze_device_handle_t *room = with_room ? devices : NULL;
    const ze_result_t result =
        parent ? zeDeviceGetSubDevices(parent, &count, room) : zeDeviceGet(driver, &count, room);
    if (result != ZE_RESULT_SUCCESS || count == 0)
      return 0;
    count = count < MOST ? count : MOST;
  }
  return count;
}

static bool has_part(ze_device_handle_t root, ze_device_handle_t device) {
  ze_device_handle_t parts[MOST];
  const uint32_t count = devices_of(NULL, root, parts);
  for (uint32_t i = 0; i < count; i++)
    if (parts[i] == device)
      return true;
  return false;
}

/* For a root device, *root is NULL. */
ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root) {
  ze_driver_handle_t drivers[MOST];
  uint32_t driver_count = 0;
  *root = NULL;
  if (zeDriverGet(&driver_count, NULL) != ZE_RESULT_SUCCESS)
    return ZE_RESULT_ERROR_UNINITIALIZED;
  driver_count = driver_count < MOST ? driver_count : MOST;
  if (driver_count == 0 || zeDriverGet(&driver_count, drivers) != ZE_RESULT_SUCCESS)
    return ZE_RESULT_ERROR_UNINITIALIZED;
  for (uint32_t i = 0; i < driver_count; i++) {
    ze_device_handle_t roots[MOST];
    const uint32_t count = devices_of(drivers[i], NULL, roots);
    for (uint32_t k = 0; k < count; k++)
      if (has_part(roots[k], device))
        *root = roots[k];
  }
  return ZE_RESULT_SUCCESS;
}

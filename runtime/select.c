/* specpiDevicesGet: from a selector to devices. */
#include "error.h"
#include "loader.h"
#include "os.h"
#include "selector.h"

#include <stdlib.h>

/* The devices chosen so far. */
typedef struct choice {
  const selector *selector;
  specpi_device *devices;
  size_t count;
  size_t capacity;
} choice;

/* Adds a device unless it is there already, or is discarded. */
static specpi_result choose_image(choice *choice, specpi_device device) {
  if (selector_discards(choice->selector, &device->place))
    return SPECPI_SUCCESS;
  for (size_t i = 0; i < choice->count; i++)
    if (choice->devices[i] == device)
      return SPECPI_SUCCESS;
  if (choice->count == choice->capacity) {
    const size_t capacity = choice->capacity ? choice->capacity * 2 : 16;
    specpi_device *devices = realloc(choice->devices, capacity * sizeof(specpi_device));
    if (!devices)
      return error_memory();
    choice->devices = devices;
    choice->capacity = capacity;
  }
  choice->devices[choice->count++] = device;
  return SPECPI_SUCCESS;
}

/* What a filter selects of the device and its parts. The depth is at most SELECTOR_LEVELS. */
static specpi_result choose_from(choice *choice, const selector_filter *filter,
                                 specpi_device device) {
  if (!selector_filter_leads_to(filter, &device->place))
    return SPECPI_SUCCESS;
  if (filter->levels == device->place.levels)
    return choose_image(choice, device);
  const device_parts *parts;
  ERROR_TRY(device_parts_get(device, &parts));
  for (size_t i = 0; i < parts->count; i++)
    ERROR_TRY(choose_from(choice, filter, &parts->devices[i]));
  return SPECPI_SUCCESS;
}

static specpi_result choose_from_backend(choice *choice, specpi_backend backend) {
  const loader_result *loaded;
  ERROR_TRY(loader_get(backend, &loaded));
  const plugin *plugin = loaded->used;
  for (size_t p = 0; plugin && p < plugin->platform_count; p++)
    for (size_t d = 0; d < plugin->platforms[p].device_count; d++)
      for (size_t f = 0; f < choice->selector->count; f++)
        if (!choice->selector->filters[f].discards)
          ERROR_TRY(
              choose_from(choice, &choice->selector->filters[f], &plugin->platforms[p].devices[d]));
  return SPECPI_SUCCESS;
}

static specpi_result choose_all(choice *choice) {
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    if (selector_wants_backend(choice->selector, specpiBackendGetName((specpi_backend)b)))
      ERROR_TRY(choose_from_backend(choice, (specpi_backend)b));
  return SPECPI_SUCCESS;
}

specpi_result specpiDevicesGet(const char *selector_text, size_t capacity, specpi_device *devices,
                               size_t *count) {
  ERROR_REQUIRE_LIST(devices, capacity, count);
  selector selector;
  ERROR_TRY(selector_parse(
      selector_text ? selector_text : os_environment_safe("ONEAPI_DEVICE_SELECTOR"), &selector));
  choice choice = {.selector = &selector};
  const specpi_result result = choose_all(&choice);
  if (result == SPECPI_SUCCESS) {
    for (size_t i = 0; i < choice.count && i < capacity; i++)
      devices[i] = choice.devices[i];
    *count = choice.count;
  }
  free(choice.devices);
  selector_clear(&selector);
  return result;
}

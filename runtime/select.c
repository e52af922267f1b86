/* specpiDevicesGet and specpiDevicesGetPreferred: find the devices that a selector selects. */
#include "../plugins/base/vector.h"
#include "error.h"
#include "loader.h"
#include "os.h"
#include "selector.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* The devices chosen so far. */
typedef struct choice {
  const selector *selector;
  const char *alias; /* a backend's name that replaces that of the devices; or NULL */
  specpi_device *devices;
  size_t count;
  size_t capacity;
} choice;

/* The place of a device for the selector: with the alias as its backend if there is one. */
static selector_place place_in(const choice *choice, specpi_device device) {
  selector_place place = device->place;
  if (choice->alias)
    place.backend = choice->alias;
  return place;
}

/* Adds a device unless it is there already, or is discarded. */
static specpi_result choose_image(choice *choice, specpi_device device) {
  const selector_place place = place_in(choice, device);
  if (selector_discards(choice->selector, &place))
    return SPECPI_SUCCESS;
  for (size_t i = 0; i < choice->count; i++)
    if (choice->devices[i] == device)
      return SPECPI_SUCCESS;
  if (!vector_reserve(&choice->devices, &choice->capacity, choice->count, sizeof device))
    return error_memory();
  choice->devices[choice->count++] = device;
  return SPECPI_SUCCESS;
}

/* Adds the parts of the device that a filter selects. The depth is at most SELECTOR_LEVELS. */
static specpi_result choose_from(choice *choice, const selector_filter *filter,
                                 specpi_device device) {
  const selector_place place = place_in(choice, device);
  if (!selector_filter_leads_to(filter, &place))
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

static specpi_result find_level_zero(bool *ret) {
  const loader_result *loaded;
  ERROR_TRY(loader_get(SPECPI_BACKEND_LEVEL_ZERO, &loaded));
  *ret = loaded->used && loaded->used->platform_count != 0;
  return SPECPI_SUCCESS;
}

/*
 * Selects CUDA's devices by the name level_zero, which SYCL programs use for them (docs/cuda.md),
 * so that a selector works in both. Only if there is no device of Level Zero.
 */
static specpi_result choose_by_alias(choice *choice) {
  const char *name = specpiBackendGetName(SPECPI_BACKEND_LEVEL_ZERO);
  bool has_devices;
  if (!selector_names_backend(choice->selector, name))
    return SPECPI_SUCCESS;
  ERROR_TRY(find_level_zero(&has_devices));
  if (has_devices)
    return SPECPI_SUCCESS;
  choice->alias = name;
  const specpi_result result = choose_from_backend(choice, SPECPI_BACKEND_CUDA);
  choice->alias = NULL;
  return result;
}

static specpi_result choose_all(choice *choice) {
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    if (selector_wants_backend(choice->selector, specpiBackendGetName((specpi_backend)b)))
      ERROR_TRY(choose_from_backend(choice, (specpi_backend)b));
  return choose_by_alias(choice);
}

/* ---- Preference ---- */

/* Ranks a device by the code that its plugin takes: SPIR-V, PTX, or neither. */
static int code_score(specpi_device device) {
  char text[256] = "";
  size_t size = 0;
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  if (pi->piDeviceGetInfo(device->handle, PI_DEVICE_INFO_IL_VERSION, 0, NULL, &size) !=
          PI_SUCCESS ||
      size >= sizeof text ||
      pi->piDeviceGetInfo(device->handle, PI_DEVICE_INFO_IL_VERSION, size, text, NULL) !=
          PI_SUCCESS)
    return 0;
  return strstr(text, "SPIR-V") ? 2 : strstr(text, "PTX") ? 1 : 0;
}

static int type_score(pi_device_type type) {
  return type == PI_DEVICE_TYPE_GPU   ? 3
         : type == PI_DEVICE_TYPE_CPU ? 2
                                      : type == PI_DEVICE_TYPE_ACC;
}

static int device_score(specpi_device device) {
  enum { TYPES = 4, BACKENDS = 2 };
  return (code_score(device) * TYPES + type_score(device->place.type)) * BACKENDS +
         (specpiDeviceGetBackend(device) != SPECPI_BACKEND_OPENCL);
}

typedef struct scored_device {
  specpi_device device;
  int score;
  size_t place;
} scored_device;

static int compare_scores(const void *a, const void *b) {
  const scored_device *one = a, *other = b;
  return one->score != other->score ? (one->score < other->score) - (one->score > other->score)
                                    : (one->place > other->place) - (one->place < other->place);
}

static specpi_result sort_devices(specpi_device *devices, size_t count) {
  scored_device *scored = calloc(count + 1, sizeof *scored);
  if (!scored)
    return error_memory();
  for (size_t i = 0; i < count; i++)
    scored[i] = (scored_device){devices[i], device_score(devices[i]), i};
  qsort(scored, count, sizeof *scored, compare_scores);
  for (size_t i = 0; i < count; i++)
    devices[i] = scored[i].device;
  free(scored);
  return SPECPI_SUCCESS;
}

/* The devices that the selector, or ONEAPI_DEVICE_SELECTOR if that is NULL, selects. */
static specpi_result get_devices(const char *selector_text, bool by_preference, size_t capacity,
                                 specpi_device *devices, size_t *count) {
  ERROR_REQUIRE_LIST(devices, capacity, count);
  selector selector;
  ERROR_TRY(selector_parse(
      selector_text ? selector_text : os_environment_safe("ONEAPI_DEVICE_SELECTOR"), &selector));
  choice choice = {.selector = &selector};
  specpi_result result = choose_all(&choice);
  if (result == SPECPI_SUCCESS && by_preference)
    result = sort_devices(choice.devices, choice.count);
  if (result == SPECPI_SUCCESS) {
    for (size_t i = 0; i < choice.count && i < capacity; i++)
      devices[i] = choice.devices[i];
    *count = choice.count;
    if (by_preference && capacity != 0 && choice.count > 1 && trace_enabled(TRACE_LOADER))
      trace_line("loader: of %zu devices %s (%s) is preferred", choice.count,
                 choice.devices[0]->selector, choice.devices[0]->name);
  }
  free(choice.devices);
  selector_clear(&selector);
  return result;
}

specpi_result specpiDevicesGet(const char *selector, size_t capacity, specpi_device *devices,
                               size_t *count) {
  return get_devices(selector, false, capacity, devices, count);
}

specpi_result specpiDevicesGetPreferred(const char *selector, size_t capacity,
                                        specpi_device *devices, size_t *count) {
  return get_devices(selector, true, capacity, devices, count);
}

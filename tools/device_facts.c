#include "device_facts.h"

#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(QUERY, label, JSON member, bytes of a number or 0 for a string, whether it is a list, unit) */
#define DEVICE_FACTS(X)                                                                            \
  X(MAX_COMPUTE_UNITS, "Units", "compute_units", 4, false, "")                                     \
  X(MAX_WORK_GROUP_SIZE, "Work-group", "max_work_group_size", 8, false, "")                        \
  X(MAX_WORK_ITEM_SIZES, "Work-items", "max_work_item_sizes", 8, true, "")                         \
  X(SUB_GROUP_SIZES_INTEL, "Sub-groups", "sub_group_sizes", 8, true, "")                           \
  X(LOCAL_MEM_SIZE, "Local mem.", "local_memory_bytes", 8, false, " bytes")                        \
  X(GLOBAL_MEM_SIZE, "Memory", "memory_bytes", 8, false, " bytes")                                 \
  X(MAX_MEM_ALLOC_SIZE, "Allocation", "max_allocation_bytes", 8, false, " bytes")                  \
  X(EXTENSIONS, "Extensions", "extensions", 0, false, "")

static const struct fact {
  const char *label;
  const char *member;
  size_t width;
  pi_device_info query;
  bool is_list;
  const char *unit;
} facts[] = {
#define DEVICE_FACT(query, label, member, width, list, unit)                                       \
  {label, member, width, PI_DEVICE_INFO_##query, list, unit},
    DEVICE_FACTS(DEVICE_FACT)
#undef DEVICE_FACT
};

/* Returns the device's answer, NUL-terminated, which the caller frees; NULL if it has none. */
static char *ask_device(specpi_device device, pi_device_info query, size_t *size) {
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_device handle = specpiDeviceGetHandle(device);
  if (pi->piDeviceGetInfo(handle, query, 0, NULL, size) != PI_SUCCESS)
    return NULL;
  char *bytes = calloc(*size + 1, 1);
  if (!bytes)
    tool_no_memory();
  if (pi->piDeviceGetInfo(handle, query, *size, bytes, NULL) == PI_SUCCESS)
    return bytes;
  free(bytes);
  return NULL;
}

static uint64_t number_at(const char *bytes, size_t width) {
  uint32_t narrow;
  uint64_t wide;
  memcpy(&narrow, bytes, sizeof narrow);
  if (width == sizeof narrow)
    return narrow;
  memcpy(&wide, bytes, sizeof wide);
  return wide;
}

void device_facts_print(specpi_device device) {
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    size_t size = 0;
    char *bytes = ask_device(device, facts[i].query, &size);
    if (!bytes)
      continue;
    printf("        %-11s:", facts[i].label);
    if (facts[i].width == 0)
      printf(" %s", bytes);
    for (size_t at = 0; facts[i].width && at + facts[i].width <= size; at += facts[i].width)
      printf(" %" PRIu64, number_at(bytes + at, facts[i].width));
    puts(facts[i].unit);
    free(bytes);
  }
}

static json_t *json_fact(const struct fact *fact, const char *bytes, size_t size) {
  if (!bytes)
    return json_null();
  if (fact->width == 0)
    return tool_json_text(bytes);
  if (!fact->is_list)
    return size < fact->width ? json_null()
                              : tool_json_integer((json_int_t)number_at(bytes, fact->width));
  json_t *list = tool_json_array();
  for (size_t at = 0; at + fact->width <= size; at += fact->width)
    tool_json_add(list, tool_json_integer((json_int_t)number_at(bytes + at, fact->width)));
  return list;
}

void device_facts_add(json_t *object, specpi_device device) {
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    size_t size = 0;
    char *bytes = ask_device(device, facts[i].query, &size);
    tool_json_member(object, facts[i].member, json_fact(&facts[i], bytes, size));
    free(bytes);
  }
}

#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

loader world;
ur_adapter_handle_t world_adapter;
void *world_library;
loader_ask_fn *world_ask;
loader_fill_fn *world_fill;

static const struct {
  const char *name;
  ur_table table;
  int places[UR_RELEASE_COUNT];
} entries[] = {
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  {#name, UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#define UR_ALSO(table, function, name, p0, p1, p2, p3, p4, p5, p6)                                 \
  {#name, UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#include <ur/ur_functions.def>
};

static const int tables[][2 * UR_RELEASE_COUNT] = {
#define UR_TABLE(name, ...) {__VA_ARGS__},
#include <ur/ur_tables.def>
};

static void end_world(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void *open_library(const char *path) {
  void *library = dlopen(strcmp(path, "-") == 0 ? NULL : path, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    end_world(path, dlerror());
  return library;
}

static void find_symbol(void *library, const char *name, void *ret) {
  void *const found = dlsym(library, name);
  if (!found)
    end_world(name, dlerror());
  memcpy(ret, &found, sizeof found);
}

void world_open(int argc, char **argv) {
  if (argc < 3)
    end_world(argv[0], "usage: TEST ADAPTER LOADER");
  world_library = open_library(argv[1]);
  void *const library = open_library(argv[2]);
  find_symbol(library, "loader_fill", &world_fill);
  find_symbol(library, "loader_ask", &world_ask);
  if (world_fill(world_library, &world) != UR_RESULT_SUCCESS)
    end_world(argv[2], "the adapter refused it");
  uint32_t count = 0;
  if (UR(urAdapterGet)(1, &world_adapter, &count) != UR_RESULT_SUCCESS || count != 1)
    end_world(argv[1], "urAdapterGet failed");
}

void *world_symbol(const char *name) {
  return dlsym(world_library, name);
}

world_entry_fn *world_entry(const char *name) {
  world_entry_fn *found = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    const int place = entries[i].places[world.release];
    if (place < 0 || strcmp(entries[i].name, name) != 0)
      continue;
    memcpy(&found, &world.record[tables[entries[i].table][2 * world.release] + place],
           sizeof found);
  }
  return found;
}

enum { MOST = 8 };

static uint32_t get_platforms(ur_platform_handle_t platforms[MOST]) {
  uint32_t count = 0;
  if (HAS(urPlatformGet))
    assert_ok(UR(urPlatformGet)(world_adapter, MOST, platforms, &count));
  else
    assert_ok(UR(urPlatformGet_2025_0)(&world_adapter, 1, MOST, platforms, &count));
  assert_in_range(count, 1, MOST);
  return count;
}

ur_platform_handle_t world_platform(void) {
  ur_platform_handle_t platforms[MOST] = {NULL};
  get_platforms(platforms);
  return platforms[0];
}

ur_device_handle_t world_device(uint32_t index) {
  ur_platform_handle_t platforms[MOST] = {NULL};
  const uint32_t platform_count = get_platforms(platforms);
  for (uint32_t i = 0; i < platform_count; i++) {
    ur_device_handle_t devices[MOST] = {NULL};
    uint32_t count = 0;
    assert_ok(UR(urDeviceGet)(platforms[i], UR_DEVICE_TYPE_ALL, MOST, devices, &count));
    if (index < count)
      return devices[index];
    index -= count;
  }
  fail_msg("there is no such device");
  return NULL;
}

ur_context_handle_t world_context(uint32_t device_count) {
  ur_device_handle_t devices[8] = {NULL};
  for (uint32_t i = 0; i < device_count; i++)
    devices[i] = world_device(i);
  ur_context_handle_t context = NULL;
  assert_ok(UR(urContextCreate)(device_count, devices, NULL, &context));
  return context;
}

void assert_sentence(const char *words) {
  const char *message = NULL;
  int32_t number = 0;
  assert_ok(UR(urAdapterGetLastError)(world_adapter, &message, &number));
  if (!strstr(message, words))
    fail_msg("\"%s\" does not say \"%s\"", message, words);
}

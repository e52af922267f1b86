/* A loader with more functions than Debian's. The newer functions call the driver's. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "check.h"

#include <dlfcn.h>

typedef ze_result_t synchronize_function(ze_command_list_handle_t list, uint64_t timeout);
typedef ze_result_t root_function(ze_device_handle_t device, ze_device_handle_t *root);

static void *find(const char *name) {
  void *library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  assert_non_null(dlsym(library, "zeInit"));
  void *found = dlsym(library, name);
  if (!found)
    found = dlsym(RTLD_DEFAULT, name);
  assert_non_null(found);
  return found;
}

CONTEXT_TEST(the_host_waits_for_a_list) {
  const check *test = *state;
  synchronize_function *synchronize;
  void *found = find("zeCommandListHostSynchronize");
  memcpy(&synchronize, &found, sizeof synchronize);
  ze_command_list_handle_t list = new_immediate(test, 0);
  char *memory = new_memory(test, ZE_MEMORY_TYPE_SHARED, 8);
  fake_ze_reset();
  ok(zeCommandListAppendMemoryFill(list, memory, "a", 1, 8, NULL, 0, NULL));
  ok(synchronize(list, UINT64_MAX));
  assert_int_equal(memory[7], 'a');
  assert_int_equal(fake_ze_calls("zeCommandListHostSynchronize"), 1);
  ok(zeCommandListDestroy(list));
  ok(zeMemFree(test->context, memory));
}

CONTEXT_TEST(a_sub_device_reports_its_root_device) {
  const check *test = *state;
  root_function *get_root;
  void *found = find("zeDeviceGetRootDevice");
  memcpy(&get_root, &found, sizeof get_root);
  ze_device_handle_t part;
  ze_device_handle_t root = NULL;
  uint32_t count = 1;
  ok(zeDeviceGetSubDevices(test->device, &count, &part));
  ok(get_root(part, &root));
  assert_ptr_equal(root, test->device);
  ok(get_root(test->device, &root));
  assert_null(root);
}

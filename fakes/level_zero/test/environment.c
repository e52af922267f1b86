/* The settings of the environment, in one process each. The mode is the expected result. */
#define _DEFAULT_SOURCE /* usleep */
#include "check.h"

#include <unistd.h>

static void init_fails_without_a_driver(void) {
  uint32_t count = 0;
  expect(ZE_RESULT_ERROR_UNINITIALIZED, zeInit(0));
  ok(zeDriverGet(&count, NULL));
  assert_int_equal(count, 0);
}

static void a_driver_may_have_no_devices(void) {
  uint32_t count = 7;
  ze_driver_handle_t driver = first_driver();
  count = 0;
  ok(zeDeviceGet(driver, &count, NULL));
  assert_int_equal(count, 0);
}

static check first_context(void) {
  void *state = NULL;
  make_context(&state);
  return *(check *)state;
}

static void devices_of_two_drivers_stay_apart(void) {
  uint32_t count = 8;
  ze_driver_handle_t drivers[8];
  ze_device_handle_t devices[8];
  ok(zeInit(0));
  ok(zeDriverGet(&count, drivers));
  assert_int_equal(count, 2);
  ze_driver_properties_t properties[2];
  ze_bool_t can = true;
  for (int i = 0; i < 2; i++) {
    properties[i] = (ze_driver_properties_t){.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    ok(zeDriverGetProperties(drivers[i], &properties[i]));
    count = 8;
    ok(zeDeviceGet(drivers[i], &count, devices + 3 * i));
    assert_int_equal(count, 3);
  }
  assert_memory_not_equal(&properties[0].uuid, &properties[1].uuid, sizeof properties[0].uuid);
  ok(zeDeviceCanAccessPeer(devices[0], devices[2], &can));
  assert_true(can);
  ok(zeDeviceCanAccessPeer(devices[0], devices[3], &can));
  assert_false(can);
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context = NULL;
  refused(INVALID_ARGUMENT, "another driver",
          zeContextCreateEx(drivers[0], &desc, 1, &devices[3], &context));
}

static void commands_need_peer_access_to_other_memory(void) {
  uint32_t count = 2;
  ze_device_handle_t devices[2];
  const check first = first_context();
  ok(zeDeviceGet(first.driver, &count, devices));
  check second = first;
  second.device = devices[1];
  ze_bool_t can = true;
  ok(zeDeviceCanAccessPeer(devices[0], devices[1], &can));
  assert_false(can);
  void *memory = new_memory(&first, ZE_MEMORY_TYPE_DEVICE, 8);
  ze_command_list_handle_t list = new_immediate(&second, 0);
  refused(INVALID_ARGUMENT, "another one",
          zeCommandListAppendMemoryFill(list, memory, "x", 1, 8, NULL, 0, NULL));
}

static ze_device_properties_t first_properties(void) {
  const check test = first_context();
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ok(zeDeviceGetProperties(test.device, &properties));
  return properties;
}

static void the_device_is_a_cpu(void) {
  assert_int_equal(first_properties().type, ZE_DEVICE_TYPE_CPU);
}

static void the_host_uses_an_integrated_devices_memory(void) {
  assert_true(first_properties().flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED);
  const check test = first_context();
  char *memory = new_memory(&test, ZE_MEMORY_TYPE_DEVICE, 8);
  memory[7] = 'x';
  assert_int_equal(memory[7], 'x');
}

static void a_device_may_have_no_sub_devices(void) {
  const check test = first_context();
  uint32_t count = 5;
  ok(zeDeviceGetSubDevices(test.device, &count, NULL));
  assert_int_equal(count, 0);
  assert_int_equal(first_properties().numSlices, 1);
}

static void a_device_may_have_no_copy_engines(void) {
  const check test = first_context();
  uint32_t count = 0;
  ok(zeDeviceGetCommandQueueGroupProperties(test.device, &count, NULL));
  assert_int_equal(count, 1);
}

static void the_environment_sets_the_api_version(void) {
  ze_api_version_t version;
  ok(zeDriverGetApiVersion(first_driver(), &version));
  assert_int_equal(version, ZE_API_VERSION_1_2);
}

static void excluded_functions_and_extensions_are_missing(void) {
  const check test = first_context();
  ze_driver_extension_properties_t extensions[64];
  uint32_t count = 64;
  ok(zeDriverGetExtensionProperties(test.driver, &count, extensions));
  for (uint32_t i = 0; i < count; i++) {
    assert_string_not_equal(extensions[i].name, ZE_MODULE_PROGRAM_EXP_NAME);
    assert_string_not_equal(extensions[i].name, ZE_PCI_PROPERTIES_EXT_NAME);
  }
  assert_true(count > 5);
  ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  refused(UNSUPPORTED_FEATURE, "FAKE_ZE_WITHOUT", zeDevicePciGetPropertiesExt(test.device, &pci));
  void *function = NULL;
  refused(INVALID_ARGUMENT, "no function",
          zeDriverGetExtensionFunctionAddress(test.driver, "zexDriverImportExternalPointer",
                                              &function));
}

/* The clock has 20 bits, so it wraps around every 55 ms. */
static void a_short_clock_wraps_around(void) {
  const check test = first_context();
  uint64_t host[2];
  uint64_t device[2];
  ok(zeDeviceGetGlobalTimestamps(test.device, &host[0], &device[0]));
  assert_int_equal(first_properties().kernelTimestampValidBits, 20);
  for (int rounds = 0; rounds < 2;) {
    ok(zeDeviceGetGlobalTimestamps(test.device, &host[1], &device[1]));
    assert_true(device[1] < 1 << 20);
    rounds += device[1] < device[0];
    device[0] = device[1];
    usleep(1000);
  }
  assert_in_range(host[1] - host[0], 50000000, UINT64_MAX);
}

static void a_small_memory_runs_out(void) {
  const check test = first_context();
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory = NULL;
  ok(zeMemAllocDevice(test.context, &desc, 32768, 8, test.device, &memory));
  ok(zeMemAllocDevice(test.context, &desc, 32768, 8, test.device, &memory));
  refused(OUT_OF_DEVICE_MEMORY, "any more",
          zeMemAllocDevice(test.context, &desc, 1, 8, test.device, &memory));
}

static void only_the_chosen_call_fails(void) {
  const check test = first_context();
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  ok(zeMemAllocHost(test.context, &desc, 8, 8, &memory));
  expect(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, zeMemAllocHost(test.context, &desc, 8, 8, &memory));
  ok(zeMemAllocHost(test.context, &desc, 8, 8, &memory));
}

/* Commands run in the order in which they were appended, even if they start late. */
static void commands_run_in_the_order_of_submission(void) {
  const check test = first_context();
  ze_command_list_handle_t list = new_immediate(&test, 0);
  ze_event_pool_handle_t pool = new_pool(&test, 2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t events[2] = {new_event(pool, 0), new_event(pool, 1)};
  char *memory = new_memory(&test, ZE_MEMORY_TYPE_SHARED, 8);
  ok(zeCommandListAppendWaitOnEvents(list, 1, &events[0]));
  ok(zeCommandListAppendMemoryFill(list, memory, "a", 1, 8, NULL, 0, NULL));
  ok(zeCommandListAppendMemoryFill(list, memory, "b", 1, 8, NULL, 0, NULL));
  ok(zeCommandListAppendBarrier(list, events[1], 0, NULL));
  ok(zeEventHostSignal(events[0]));
  ok(zeEventHostSynchronize(events[1], UINT64_MAX));
  assert_int_equal(memory[0], 'b');
}

/* The last call ends the process. */
static void a_defect_aborts_in_strict_mode(void) {
  const check test = first_context();
  void *memory = new_memory(&test, ZE_MEMORY_TYPE_HOST, 8);
  ok(zeMemFree(test.context, memory));
  print_error("now the defect\n");
  zeMemFree(test.context, memory);
}

static void the_chosen_call_crashes(void) {
  uint32_t count = 0;
  ok(zeInit(0));
  print_error("now the crash\n");
  zeDriverGet(&count, NULL);
}

static const struct {
  const char *mode;
  void (*run)(void);
} modes[] = {
    {"init_fails_without_a_driver", init_fails_without_a_driver},
    {"a_driver_may_have_no_devices", a_driver_may_have_no_devices},
    {"devices_of_two_drivers_stay_apart", devices_of_two_drivers_stay_apart},
    {"commands_need_peer_access_to_other_memory", commands_need_peer_access_to_other_memory},
    {"the_device_is_a_cpu", the_device_is_a_cpu},
    {"the_host_uses_an_integrated_devices_memory", the_host_uses_an_integrated_devices_memory},
    {"a_device_may_have_no_sub_devices", a_device_may_have_no_sub_devices},
    {"a_device_may_have_no_copy_engines", a_device_may_have_no_copy_engines},
    {"the_environment_sets_the_api_version", the_environment_sets_the_api_version},
    {"excluded_functions_and_extensions_are_missing",
     excluded_functions_and_extensions_are_missing},
    {"a_short_clock_wraps_around", a_short_clock_wraps_around},
    {"a_small_memory_runs_out", a_small_memory_runs_out},
    {"only_the_chosen_call_fails", only_the_chosen_call_fails},
    {"commands_run_in_the_order_of_submission", commands_run_in_the_order_of_submission},
    {"a_defect_aborts_in_strict_mode", a_defect_aborts_in_strict_mode},
    {"the_chosen_call_crashes", the_chosen_call_crashes},
};

static const char *mode;

TEST(the_environment_is_read) {
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
    if (strcmp(modes[i].mode, mode) == 0) {
      modes[i].run();
      return;
    }
  fail_msg("no mode %s", mode);
}

int main(int argc, char **argv) {
  mode = argc > 1 ? argv[1] : "";
  return tests_run(NULL, NULL);
}

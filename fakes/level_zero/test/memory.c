/* Memory of the fake Level Zero driver: allocations, their limits, and accesses by the host. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const ze_device_mem_alloc_desc_t device_desc = {.stype =
                                                           ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
static const ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};

static const ze_memory_type_t types[] = {ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE,
                                         ZE_MEMORY_TYPE_SHARED};

CONTEXT_TEST(allocations_report_their_type_and_range) {
  const check *test = *state;
  uint64_t ids[3];
  for (int i = 0; i < 3; i++) {
    char *memory = new_memory(test, types[i], 100);
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    ok(zeMemGetAllocProperties(test->context, memory + 99, &properties, &device));
    assert_int_equal(properties.type, types[i]);
    assert_ptr_equal(device, types[i] == ZE_MEMORY_TYPE_HOST ? NULL : test->device);
    ids[i] = properties.id;
    void *base = NULL;
    size_t size = 0;
    ok(zeMemGetAddressRange(test->context, memory + 50, &base, &size));
    assert_ptr_equal(base, memory);
    assert_int_equal(size, 100);
    ok(zeMemGetAllocProperties(test->context, memory + 100, &properties, NULL));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
    ok(zeMemFree(test->context, memory));
    ok(zeMemGetAllocProperties(test->context, memory, &properties, NULL));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  }
  assert_int_not_equal(ids[0], ids[1]);
  assert_int_not_equal(ids[1], ids[2]);
}

CONTEXT_TEST(foreign_memory_is_unknown) {
  const check *test = *state;
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ze_device_handle_t device = test->device;
  ok(zeMemGetAllocProperties(test->context, &properties, &properties, &device));
  assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  assert_null(device);
  void *base = &properties;
  expect(ZE_RESULT_ERROR_UNKNOWN, zeMemGetAddressRange(test->context, base, &base, NULL));
  assert_ptr_equal(base, &properties);
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t other;
  ok(zeContextCreate(test->driver, &desc, &other));
  void *memory = new_memory(test, ZE_MEMORY_TYPE_HOST, 8);
  ok(zeMemGetAllocProperties(other, memory, &properties, NULL));
  assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  refused(INVALID_ARGUMENT, "no allocation of the context", zeMemFree(other, memory));
  ok(zeMemFree(test->context, memory));
  ok(zeContextDestroy(other));
}

CONTEXT_TEST(alignments_are_kept) {
  const check *test = *state;
  for (size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
    void *memory[2];
    ok(zeMemAllocDevice(test->context, &device_desc, 10, alignment, test->device, &memory[0]));
    ok(zeMemAllocHost(test->context, &host_desc, 10, alignment, &memory[1]));
    for (int i = 0; i < 2; i++) {
      assert_int_equal((uintptr_t)memory[i] % alignment, 0);
      ok(zeMemFree(test->context, memory[i]));
    }
  }
}

CONTEXT_TEST(wrong_allocations_are_refused) {
  const check *test = *state;
  void *none = &none;
  void *memory = none;
  refused(UNSUPPORTED_SIZE, "0 bytes",
          zeMemAllocDevice(test->context, &device_desc, 0, 8, test->device, &memory));
  refused(UNSUPPORTED_ALIGNMENT, "alignment of 3",
          zeMemAllocDevice(test->context, &device_desc, 8, 3, test->device, &memory));
  refused(
      UNSUPPORTED_SIZE, "maxMemAllocSize",
      zeMemAllocDevice(test->context, &device_desc, (4ULL << 30) + 1, 8, test->device, &memory));
  refused(INVALID_NULL_HANDLE, "NULL",
          zeMemAllocDevice(test->context, &device_desc, 8, 8, NULL, &memory));
  refused(INVALID_NULL_POINTER, "NULL",
          zeMemAllocDevice(test->context, NULL, 8, 8, test->device, &memory));
  refused(INVALID_NULL_POINTER, "NULL", zeMemAllocHost(test->context, &host_desc, 8, 8, NULL));
  refused(INVALID_ARGUMENT, "stype",
          zeMemAllocHost(test->context, (const void *)&device_desc, 8, 8, &memory));
  ze_device_mem_alloc_desc_t desc = device_desc;
  desc.flags = 8;
  refused(INVALID_ENUMERATION, "flags",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  desc.flags = 0;
  desc.ordinal = 1;
  refused(INVALID_ARGUMENT, "ordinal",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  assert_ptr_equal(memory, none);
  assert_int_equal(fake_ze_live(FAKE_MEMORY), 0);
}

CONTEXT_TEST(the_device_runs_out_of_memory) {
  const check *test = *state;
  void *memory[3] = {0};
  for (int i = 0; i < 2; i++)
    ok(zeMemAllocDevice(test->context, &device_desc, 4ULL << 30, 8, test->device, &memory[i]));
  refused(OUT_OF_DEVICE_MEMORY, "no 8 bytes any more",
          zeMemAllocDevice(test->context, &device_desc, 8, 8, test->device, &memory[2]));
  ok(zeMemFree(test->context, memory[0]));
  ok(zeMemAllocDevice(test->context, &device_desc, 8, 8, test->device, &memory[2]));
  ok(zeMemFree(test->context, memory[1]));
  ok(zeMemFree(test->context, memory[2]));
}

CONTEXT_TEST(limits_are_relaxed_on_demand) {
  const check *test = *state;
  ze_relaxed_allocation_limits_exp_desc_t relaxed = {
      .stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
      .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  ze_device_mem_alloc_desc_t desc = device_desc;
  desc.pNext = &relaxed;
  void *memory = NULL;
  ok(zeMemAllocDevice(test->context, &desc, 5ULL << 30, 8, test->device, &memory));
  ok(zeMemFree(test->context, memory));
}

CONTEXT_TEST(memory_is_freed_once_at_its_start) {
  const check *test = *state;
  char *memory = new_memory(test, ZE_MEMORY_TYPE_SHARED, 64);
  refused(INVALID_ARGUMENT, "begins at", zeMemFree(test->context, memory + 1));
  ok(zeMemFree(test->context, memory));
  refused(INVALID_ARGUMENT, "begins at", zeMemFree(test->context, memory));
  refused(INVALID_ARGUMENT, "begins at", zeMemFree(test->context, &memory));
  refused(INVALID_NULL_POINTER, "NULL", zeMemFree(test->context, NULL));
  char *other = new_memory(test, ZE_MEMORY_TYPE_SHARED, 64);
  assert_ptr_not_equal(memory, other);
  ok(zeMemFree(test->context, other));
}

CONTEXT_TEST(new_memory_is_filled_with_a_pattern) {
  const check *test = *state;
  unsigned char *memory = new_memory(test, ZE_MEMORY_TYPE_HOST, 5000);
  assert_int_equal(memory[0], 0xa5);
  assert_int_equal(memory[4999], 0xa5);
  ok(zeMemFree(test->context, memory));
}

/* Reads a byte in a child process. Returns the signal that ended the child, or 0. */
static int signal_of_reading(const volatile char *address) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    (void)*address;
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

CONTEXT_TEST(the_host_cannot_read_device_memory) {
  const check *test = *state;
  char *device = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 64);
  char *host = new_memory(test, ZE_MEMORY_TYPE_HOST, 64);
  assert_int_equal(signal_of_reading(device), SIGSEGV);
  assert_int_equal(signal_of_reading(host), 0);
  ok(zeMemFree(test->context, device));
  ok(zeMemFree(test->context, host));
  assert_int_equal(signal_of_reading(host), SIGSEGV);
}

CONTEXT_TEST(memory_in_use_is_not_freed) {
  const check *test = *state;
  ze_command_list_handle_t list = new_immediate(test, 0);
  ze_event_pool_handle_t pool = new_pool(test, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t event = new_event(pool, 0);
  ze_driver_memory_free_ext_properties_t policies = {
      .stype = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES};
  ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES,
                                       .pNext = &policies};
  ok(zeDriverGetProperties(test->driver, &properties));
  assert_int_equal(policies.freePolicies, 3);
  for (int round = 0; round < 2; round++) {
    char *memory = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 64);
    ok(zeCommandListAppendMemoryFill(list, memory, "x", 1, 64, NULL, 1, &event));
    refused(HANDLE_OBJECT_IN_USE, "1 commands", zeMemFree(test->context, memory));
    ze_memory_free_ext_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
                                      .freePolicy =
                                          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
    if (round == 0) {
      ok(zeMemFreeExt(test->context, &desc, memory));
      refused(INVALID_ARGUMENT, "begins at", zeMemFreeExt(test->context, &desc, memory));
      assert_int_equal(fake_ze_live(FAKE_MEMORY), 1);
      ok(zeEventHostSignal(event));
    } else {
      ok(zeEventHostSignal(event));
      desc.freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
      ok(zeMemFreeExt(test->context, &desc, memory));
      assert_int_equal(fake_ze_live(FAKE_MEMORY), 0);
    }
    while (fake_ze_live(FAKE_MEMORY) != 0)
      usleep(100);
    while (zeEventHostReset(event) != ZE_RESULT_SUCCESS)
      usleep(100);
  }
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
  ok(zeCommandListDestroy(list));
}

CONTEXT_TEST(only_allocated_memory_is_made_resident) {
  const check *test = *state;
  char *memory = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 64);
  ok(zeContextMakeMemoryResident(test->context, test->device, memory, 64));
  ok(zeContextEvictMemory(test->context, test->device, memory, 64));
  refused(INVALID_SIZE, "go beyond the 64",
          zeContextMakeMemoryResident(test->context, test->device, memory, 65));
  refused(INVALID_ARGUMENT, "nothing is allocated",
          zeContextMakeMemoryResident(test->context, test->device, &memory, 8));
  ok(zeMemFree(test->context, memory));
}

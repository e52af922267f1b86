/* Unified shared memory: allocations, pools, copies and fills, and allocating commands. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static ur_device_handle_t device;
static ur_context_handle_t context;
static ur_queue_handle_t queue;

static uint32_t type_of(const void *memory) {
  uint32_t type = 99;
  assert_ok(UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_TYPE, 4, &type, NULL));
  return type;
}

static void *device_memory(size_t size) {
  void *memory = NULL;
  assert_ok(UR(urUSMDeviceAlloc)(context, device, NULL, NULL, size, &memory));
  return memory;
}

static void free_memory(void *memory) {
  assert_ok(UR(urUSMFree)(context, memory));
}

/* ---- Allocations ---- */

TEST(each_kind_has_its_type) {
  ur_usm_host_desc_t host = {UR_STRUCTURE_TYPE_USM_HOST_DESC, NULL,
                             UR_USM_HOST_MEM_FLAG_INITIAL_PLACEMENT};
  const ur_usm_desc_t desc = {UR_STRUCTURE_TYPE_USM_DESC, &host, 0, 64};
  void *memory = NULL;
  assert_ok(UR(urUSMHostAlloc)(context, &desc, NULL, 100, &memory));
  assert_int_equal(type_of(memory), UR_USM_TYPE_HOST);
  assert_int_equal((uintptr_t)memory % 64, 0);
  free_memory(memory);
  assert_ok(UR(urUSMSharedAlloc)(context, NULL, NULL, NULL, 100, &memory));
  assert_int_equal(type_of(memory), UR_USM_TYPE_SHARED);
  free_memory(memory);
  memory = device_memory(100);
  assert_int_equal(type_of((char *)memory + 50), UR_USM_TYPE_DEVICE);
  void *handle = NULL;
  size_t size = 0;
  assert_ok(UR(urUSMGetMemAllocInfo)(context, (char *)memory + 50, UR_USM_ALLOC_INFO_BASE_PTR,
                                     sizeof handle, &handle, NULL));
  assert_ptr_equal(handle, memory);
  assert_ok(
      UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_SIZE, sizeof size, &size, NULL));
  assert_int_equal(size, 100);
  assert_ok(UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_DEVICE, sizeof handle,
                                     &handle, NULL));
  assert_ptr_equal(handle, device);
  assert_ok(UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_POOL, sizeof handle,
                                     &handle, NULL));
  assert_null(handle);
  assert_int_equal(type_of(&size), UR_USM_TYPE_UNKNOWN);
  assert_refused(
      UR(urUSMGetMemAllocInfo)(context, memory, (ur_usm_alloc_info_t)9, 8, &handle, NULL),
      UNSUPPORTED_ENUMERATION, "0x9");
  free_memory(memory);
}

TEST(a_pitch_fits_the_rows) {
  void *memory = NULL;
  size_t pitch = 0;
  assert_ok(UR(urUSMPitchedAllocExp)(context, device, NULL, NULL, 100, 3, 4, &memory, &pitch));
  assert_true(pitch >= 100);
  free_memory(memory);
  memory = NULL;
  assert_refused(UR(urUSMPitchedAllocExp)(context, device, NULL, NULL, 0, 3, 4, &memory, &pitch),
                 INVALID_USM_SIZE, "width");
  assert_refused(
      UR(urUSMPitchedAllocExp)(context, device, NULL, NULL, 8, 3, (size_t)1 << 40, &memory, &pitch),
      INVALID_VALUE, "elementSizeBytes");
  assert_null(memory);
}

TEST(wrong_allocations_are_refused) {
  ur_usm_desc_t desc = {UR_STRUCTURE_TYPE_USM_DESC, NULL, 0, 3};
  void *memory = NULL;
  assert_refused(UR(urUSMDeviceAlloc)(context, device, NULL, NULL, 0, &memory), INVALID_USM_SIZE,
                 "size");
  assert_int_equal(UR(urUSMDeviceAlloc)(context, device, NULL, NULL, SIZE_MAX / 2, &memory),
                   UR_RESULT_ERROR_INVALID_USM_SIZE);
  assert_refused(UR(urUSMDeviceAlloc)(context, device, &desc, NULL, 8, &memory), INVALID_VALUE,
                 "alignment");
  desc.align = 0;
  desc.hints = 1u << 30;
  assert_refused(UR(urUSMHostAlloc)(context, &desc, NULL, 8, &memory), INVALID_ENUMERATION,
                 "hints");
  ur_usm_device_desc_t flags = {UR_STRUCTURE_TYPE_USM_DEVICE_DESC, NULL, 1u << 9};
  desc.hints = 0;
  desc.pNext = &flags;
  assert_refused(UR(urUSMSharedAlloc)(context, device, &desc, NULL, 8, &memory),
                 INVALID_ENUMERATION, "0x200");
  ur_usm_alloc_location_desc_t location = {UR_STRUCTURE_TYPE_USM_ALLOC_LOCATION_DESC, NULL, 3};
  desc.pNext = &location;
  assert_refused(UR(urUSMDeviceAlloc)(context, device, &desc, NULL, 8, &memory),
                 UNSUPPORTED_FEATURE, "location");
  assert_refused(UR(urUSMDeviceAlloc)(context, world_device(1), NULL, NULL, 8, &memory),
                 INVALID_DEVICE, "context");
  assert_refused(
      UR(urUSMDeviceAlloc)(context, device, NULL, (ur_usm_pool_handle_t)(void *)queue, 8, &memory),
      INVALID_ARGUMENT, "live");
  assert_null(memory);
  char own[8];
  assert_refused(UR(urUSMFree)(context, own), INVALID_VALUE, "no USM");
  assert_refused(UR(urUSMFree)(context, NULL), INVALID_NULL_POINTER, "pMem");
}

TEST(memory_is_imported_once) {
  void *const own = aligned_alloc(4096, 4096);
  assert_ok(UR(urUSMImportExp)(context, own, 4096));
  assert_int_equal(UR(urUSMImportExp)(context, own, 4096), UR_RESULT_ERROR_INVALID_VALUE);
  assert_ok(UR(urUSMReleaseExp)(context, own));
  assert_int_equal(UR(urUSMReleaseExp)(context, own), UR_RESULT_ERROR_INVALID_VALUE);
  assert_refused(UR(urUSMImportExp)(context, own, 0), INVALID_VALUE, "size");
  free(own);
}

/* ---- Commands ---- */

TEST(memory_is_filled_and_copied) {
  const uint32_t pattern = 0x01020304;
  uint32_t seen[8] = {0};
  char *const memory = device_memory(64);
  ur_event_handle_t filled = NULL, copied = NULL;
  assert_ok(UR(urEnqueueUSMFill)(queue, memory, sizeof pattern, &pattern, 32, 0, NULL, &filled));
  assert_ok(UR(urEnqueueUSMMemcpy)(queue, true, seen, memory, 32, 1, &filled, &copied));
  for (int i = 0; i < 8; i++)
    assert_int_equal(seen[i], pattern);
  assert_answer(urEventGetInfo, copied, UR_EVENT_INFO_COMMAND_TYPE, uint32_t,
                UR_COMMAND_USM_MEMCPY);
  assert_ok(UR(urEventRelease)(filled));
  assert_ok(UR(urEventRelease)(copied));
  assert_refused(UR(urEnqueueUSMFill)(queue, memory, 3, &pattern, 32, 0, NULL, NULL), INVALID_SIZE,
                 "3");
  assert_refused(UR(urEnqueueUSMFill)(queue, memory, 4, &pattern, 68, 0, NULL, NULL), INVALID_SIZE,
                 "allocation");
  assert_refused(UR(urEnqueueUSMMemcpy)(queue, true, seen, memory, 65, 0, NULL, NULL), INVALID_SIZE,
                 "allocation");
  assert_refused(UR(urEnqueueUSMMemcpy)(queue, true, memory + 4, memory, 8, 0, NULL, NULL),
                 OVERLAPPING_REGIONS, "overlap");
  free_memory(memory);
}

/* Copies every second pair of bytes of three rows. */
TEST(rows_are_filled_and_copied) {
  const unsigned char value = 9;
  unsigned char seen[12] = {0};
  char *const memory = device_memory(12);
  assert_ok(UR(urEnqueueUSMFill)(queue, memory, 1, &value, 12, 0, NULL, NULL));
  const unsigned char other = 5;
  assert_ok(UR(urEnqueueUSMFill2D)(queue, memory, 4, 1, &other, 2, 3, 0, NULL, NULL));
  assert_ok(UR(urEnqueueUSMMemcpy2D)(queue, true, seen, 4, memory, 4, 4, 3, 0, NULL, NULL));
  const unsigned char expected[12] = {5, 5, 9, 9, 5, 5, 9, 9, 5, 5, 9, 9};
  assert_memory_equal(seen, expected, sizeof seen);
  assert_refused(UR(urEnqueueUSMMemcpy2D)(queue, true, seen, 3, memory, 4, 4, 3, 0, NULL, NULL),
                 INVALID_SIZE, "dst_pitch");
  assert_refused(UR(urEnqueueUSMFill2D)(queue, memory, 1, 1, &other, 2, 3, 0, NULL, NULL),
                 INVALID_SIZE, "pitch");
  free_memory(memory);
}

TEST(hints_are_commands) {
  void *memory = NULL;
  assert_ok(UR(urUSMSharedAlloc)(context, device, NULL, NULL, 4096, &memory));
  ur_event_handle_t event = NULL;
  for (ur_usm_migration_flags_t flags = 0; flags < 3; flags++) {
    assert_ok(UR(urEnqueueUSMPrefetch)(queue, memory, 4096, flags, 0, NULL, &event));
    assert_ok(UR(urEventWait)(1, &event));
    assert_ok(UR(urEventRelease)(event));
  }
  assert_refused(UR(urEnqueueUSMPrefetch)(queue, memory, 4096, 3, 0, NULL, NULL), INVALID_VALUE,
                 "to the host");
  assert_refused(UR(urEnqueueUSMPrefetch)(queue, memory, 4096, 4, 0, NULL, NULL),
                 INVALID_ENUMERATION, "0x4");
  assert_refused(UR(urEnqueueUSMPrefetch)(queue, memory, 8192, 0, 0, NULL, NULL), INVALID_SIZE,
                 "allocation");
  static const ur_usm_advice_flags_t advice[] = {
      UR_USM_ADVICE_FLAG_DEFAULT, UR_USM_ADVICE_FLAG_SET_READ_MOSTLY,
      UR_USM_ADVICE_FLAG_CLEAR_READ_MOSTLY, UR_USM_ADVICE_FLAG_BIAS_CACHED};
  for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++)
    assert_ok(UR(urEnqueueUSMAdvise)(queue, memory, 4096, advice[i], NULL));
  assert_refused(UR(urEnqueueUSMAdvise)(queue, memory, 4096,
                                        UR_USM_ADVICE_FLAG_SET_READ_MOSTLY |
                                            UR_USM_ADVICE_FLAG_CLEAR_READ_MOSTLY,
                                        NULL),
                 INVALID_SIZE, "both");
  assert_refused(UR(urEnqueueUSMAdvise)(queue, memory, 4096, 1u << 20, NULL), INVALID_ENUMERATION,
                 "0x100000");
  free_memory(memory);
}

TEST(a_context_copies_without_a_queue) {
  if (!HAS(urUSMContextMemcpyExp))
    return;
  char *const memory = device_memory(8);
  char seen[8] = "";
  assert_ok(UR(urUSMContextMemcpyExp)(context, memory, "1234567", 8));
  assert_ok(UR(urUSMContextMemcpyExp)(context, seen, memory, 8));
  assert_string_equal(seen, "1234567");
  assert_int_equal(UR(urUSMContextMemcpyExp)(context, seen, memory, 9),
                   UR_RESULT_ERROR_INVALID_VALUE);
  free_memory(memory);
}

/* ---- Pools ---- */

static size_t ask_pool(ur_usm_pool_handle_t pool, ur_usm_pool_info_t query) {
  size_t answer = 99;
  assert_ok(UR(urUSMPoolGetInfo)(pool, query, sizeof answer, &answer, NULL));
  return answer;
}

TEST(allocations_of_a_pool_are_counted) {
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, NULL,
                             UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK};
  ur_usm_pool_handle_t pool = NULL, found = NULL;
  assert_ok(UR(urUSMPoolCreate)(context, &desc, &pool));
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_CONTEXT), (uintptr_t)context);
  for (int i = 0; i < 2; i++) {
    void *memory = NULL;
    char seen[64];
    const unsigned char value = 7;
    assert_ok(UR(urUSMDeviceAlloc)(context, device, NULL, pool, sizeof seen, &memory));
    assert_ok(UR(urUSMGetMemAllocInfo)(context, memory, UR_USM_ALLOC_INFO_POOL, sizeof found,
                                       &found, NULL));
    assert_ptr_equal(found, pool);
    assert_ok(UR(urEnqueueUSMMemcpy)(queue, true, seen, memory, sizeof seen, 0, NULL, NULL));
    for (size_t k = 0; k < sizeof seen; k++)
      assert_int_equal(seen[k], 0);
    assert_ok(UR(urEnqueueUSMFill)(queue, memory, 1, &value, sizeof seen, 0, NULL, NULL));
    assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_CURRENT_EXP), sizeof seen);
    free_memory(memory);
  }
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_CURRENT_EXP), 0);
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_HIGH_EXP), 64);
  void *memory = NULL;
  const ur_context_handle_t other = world_context(1);
  assert_refused(UR(urUSMHostAlloc)(other, NULL, pool, 8, &memory), INVALID_CONTEXT, "pool");
  assert_ok(UR(urContextRelease)(other));
  assert_ok(UR(urUSMPoolRetain)(pool));
  assert_answer(urUSMPoolGetInfo, pool, UR_USM_POOL_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_ok(UR(urUSMPoolRelease)(pool));
  /* An allocation from a pool keeps the pool alive. */
  assert_ok(UR(urUSMHostAlloc)(context, NULL, pool, 8, &memory));
  assert_ok(UR(urUSMPoolRelease)(pool));
  assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_CURRENT_EXP), 8);
  free_memory(memory);
  desc.flags = 1u << 9;
  assert_refused(UR(urUSMPoolCreate)(context, &desc, &pool), INVALID_ENUMERATION, "0x200");
}

TEST(each_device_has_pools) {
  if (!HAS(urUSMPoolCreateExp))
    return;
  ur_usm_pool_limits_desc_t limits = {UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC, NULL, 100, 0};
  ur_usm_pool_desc_t desc = {UR_STRUCTURE_TYPE_USM_POOL_DESC, &limits,
                             UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP};
  ur_usm_pool_handle_t own = NULL, pool = NULL, found = NULL;
  assert_ok(UR(urUSMPoolGetDefaultDevicePoolExp)(context, device, &own));
  assert_ok(UR(urUSMPoolGetDevicePoolExp)(context, device, &found));
  assert_ptr_equal(found, own);
  assert_ok(UR(urUSMPoolCreateExp)(context, device, &desc, &pool));
  assert_ok(UR(urUSMPoolSetDevicePoolExp)(context, device, pool));
  assert_ok(UR(urUSMPoolGetDevicePoolExp)(context, device, &found));
  assert_ptr_equal(found, pool);
  size_t most = 0;
  assert_ok(UR(urUSMPoolGetInfoExp)(pool, UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP, &most, NULL));
  assert_int_equal(most, 100);
  void *memory = NULL, *more = NULL;
  assert_ok(UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 60, NULL, 0, NULL, &memory, NULL));
  assert_refused(UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 60, NULL, 0, NULL, &more, NULL),
                 OUT_OF_RESOURCES, "100");
  assert_null(more);
  assert_true(ask_pool(pool, UR_USM_POOL_INFO_RESERVED_CURRENT_EXP) >= 60);
  assert_ok(UR(urUSMPoolTrimToExp)(context, device, pool, 0));
  assert_ok(UR(urEnqueueUSMFreeExp)(queue, NULL, memory, 0, NULL, NULL));
  if (HAS(urUSMPoolSetThresholdExp)) {
    assert_ok(UR(urUSMPoolSetThresholdExp)(context, device, pool, 7));
    assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP), 7);
  }
  if (HAS(urUSMPoolSetInfoExp)) {
    size_t value = 0;
    assert_ok(UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_USED_HIGH_EXP, &value, sizeof value));
    assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_USED_HIGH_EXP), 0);
    value = 5;
    assert_refused(
        UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_USED_HIGH_EXP, &value, sizeof value),
        INVALID_VALUE, "5");
    assert_ok(UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP, &value,
                                      sizeof value));
    assert_int_equal(ask_pool(pool, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP), 5);
    assert_refused(
        UR(urUSMPoolSetInfoExp)(pool, UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP, &value, sizeof value),
        UNSUPPORTED_ENUMERATION, "0x2051");
  }
  assert_ok(UR(urUSMPoolDestroyExp)(context, device, pool));
  assert_ok(UR(urUSMPoolGetDevicePoolExp)(context, device, &found));
  assert_ptr_equal(found, own);
  assert_refused(UR(urUSMPoolDestroyExp)(context, device, own), INVALID_ARGUMENT, "own");
}

/* ---- Allocations that are commands ---- */

TEST(allocations_keep_the_order_of_the_queue) {
  if (!HAS(urEnqueueUSMDeviceAllocExp))
    return;
  ur_event_handle_t events[3] = {NULL};
  void *memory[3] = {NULL};
  const unsigned char value = 3;
  assert_ok(UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 64, NULL, 0, NULL, &memory[0], &events[0]));
  assert_ok(
      UR(urEnqueueUSMSharedAllocExp)(queue, NULL, 64, NULL, 1, events, &memory[1], &events[1]));
  assert_ok(UR(urEnqueueUSMHostAllocExp)(queue, NULL, 64, NULL, 2, events, &memory[2], &events[2]));
  assert_int_equal(type_of(memory[0]), UR_USM_TYPE_DEVICE);
  assert_int_equal(type_of(memory[1]), UR_USM_TYPE_SHARED);
  assert_int_equal(type_of(memory[2]), UR_USM_TYPE_HOST);
  for (int i = 0; i < 3; i++)
    assert_ok(UR(urEnqueueUSMFill)(queue, memory[i], 1, &value, 64, 0, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    assert_answer(urEventGetInfo, events[i], UR_EVENT_INFO_COMMAND_TYPE, uint32_t,
                  UR_COMMAND_ENQUEUE_USM_DEVICE_ALLOC_EXP + i);
    ur_event_handle_t freed = NULL;
    assert_ok(UR(urEnqueueUSMFreeExp)(queue, NULL, memory[i], 1, &events[i], &freed));
    assert_ok(UR(urEventWait)(1, &freed));
    assert_ok(UR(urEventRelease)(freed));
    assert_int_equal(type_of(memory[i]), UR_USM_TYPE_UNKNOWN);
    freed = NULL;
    assert_int_equal(UR(urEnqueueUSMFreeExp)(queue, NULL, memory[i], 0, NULL, &freed),
                     UR_RESULT_ERROR_INVALID_VALUE);
    assert_null(freed);
    assert_ok(UR(urEventRelease)(events[i]));
  }
  memory[0] = NULL;
  assert_refused(UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 0, NULL, 0, NULL, &memory[0], NULL),
                 INVALID_USM_SIZE, "size");
  const ur_exp_async_usm_alloc_properties_t properties = {
      UR_STRUCTURE_TYPE_EXP_ASYNC_USM_ALLOC_PROPERTIES, NULL, 8};
  assert_refused(
      UR(urEnqueueUSMDeviceAllocExp)(queue, NULL, 8, &properties, 0, NULL, &memory[0], NULL),
      INVALID_ENUMERATION, "0x8");
  assert_null(memory[0]);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  device = world_device(0);
  context = world_context(1);
  assert_ok(UR(urQueueCreate)(context, device, NULL, &queue));
  return tests_run(NULL, NULL);
}

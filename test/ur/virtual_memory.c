/*
 * Virtual memory: reserved addresses, physical memory, and mappings, which commands and kernels use
 * like USM. On a device without it the functions report that.
 */
#include "run.h"

#include <pthread.h>
#include <string.h>

static size_t unit; /* the granularity */

static ur_result_t ask_granularity(ur_device_handle_t device, int query, size_t size, void *value,
                                   size_t *size_ret) {
  const ur_virtual_mem_granularity_info_t name = (ur_virtual_mem_granularity_info_t)query;
  if (HAS(urVirtualMemGranularityGetInfo))
    return UR(urVirtualMemGranularityGetInfo)(place.context, device, 1, name, size, value,
                                              size_ret);
  return UR(urVirtualMemGranularityGetInfo_2025_0)(place.context, device, name, size, value,
                                                   size_ret);
}

static ur_physical_mem_handle_t create(size_t units) {
  ur_physical_mem_handle_t memory = NULL;
  assert_ok(UR(urPhysicalMemCreate)(place.context, place.device, units * unit, NULL, &memory));
  return memory;
}

static char *reserve(size_t units) {
  void *start = NULL;
  assert_ok(UR(urVirtualMemReserve)(place.context, NULL, units * unit, &start));
  assert_int_equal((uintptr_t)start % unit, 0);
  return start;
}

static ur_result_t map(char *start, size_t units, ur_physical_mem_handle_t memory,
                       ur_virtual_mem_access_flags_t flags) {
  return UR(urVirtualMemMap)(place.context, start, units * unit, memory, 0, flags);
}

static ur_result_t unmap(const char *start, size_t units) {
  return UR(urVirtualMemUnmap)(place.context, start, units * unit);
}

static ur_result_t set_access(const char *start, size_t units,
                              ur_virtual_mem_access_flags_t flags) {
  return UR(urVirtualMemSetAccess)(place.context, start, units * unit, flags);
}

static ur_result_t get_access(const char *start, size_t units, uint32_t *ret) {
  return UR(urVirtualMemGetInfo)(place.context, start, units * unit,
                                 UR_VIRTUAL_MEM_INFO_ACCESS_MODE, sizeof *ret, ret, NULL);
}

static ur_result_t give_back(const char *start, size_t units) {
  return UR(urVirtualMemFree)(place.context, start, units * unit);
}

/* ---- A device without virtual memory ---- */

static void devices_without_it_refuse_it(void **state) {
  (void)state;
  ur_physical_mem_handle_t memory = NULL;
  void *start = NULL;
  size_t size = 0;
  char *const somewhere = (char *)((uintptr_t)1 << 30);
  unit = 2 << 20;
  assert_int_equal(
      ask_granularity(NULL, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, sizeof size, &size, NULL),
      UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
  assert_refused(UR(urPhysicalMemCreate)(place.context, place.device, unit, NULL, &memory),
                 UNSUPPORTED_FEATURE, " ");
  assert_refused(UR(urVirtualMemReserve)(place.context, NULL, unit, &start), UNSUPPORTED_FEATURE,
                 " ");
  assert_refused(give_back(somewhere, 1), UNSUPPORTED_FEATURE, " ");
  assert_refused(unmap(somewhere, 1), UNSUPPORTED_FEATURE, " ");
  assert_refused(set_access(somewhere, 1, 0), UNSUPPORTED_FEATURE, " ");
  assert_null(memory);
  assert_null(start);
}

/* ---- Granularity, physical memory, addresses ---- */

TEST(the_granularity_is_reported) {
  size_t least = 0, best = 0, size = 0;
  assert_ok(ask_granularity(place.device, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, sizeof least,
                            &least, &size));
  assert_int_equal(size, sizeof least);
  assert_ok(
      ask_granularity(NULL, UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED, sizeof best, &best, NULL));
  assert_int_equal(least, unit);
  assert_true(least > 1 && best % least == 0);
  assert_refused(ask_granularity(place.device, 0x30102, sizeof best, &best, NULL),
                 UNSUPPORTED_ENUMERATION, "0x30102");
  assert_refused(
      ask_granularity(place.device, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, 4, &best, NULL),
      INVALID_SIZE, "propSize is 4");
  assert_refused(ask_granularity(world_device(place.device_count),
                                 UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, sizeof best, &best, NULL),
                 INVALID_DEVICE, "not a device of");
}

static void check_info(ur_physical_mem_handle_t memory, uint32_t flags) {
  void *handle = NULL;
  size_t size = 0;
  uint32_t references = 0;
  ur_physical_mem_properties_t properties = {.flags = 99};
#define GET(query, value)                                                                          \
  UR(urPhysicalMemGetInfo)(memory, UR_PHYSICAL_MEM_INFO_##query, sizeof(value), &(value), NULL)
  assert_ok(GET(CONTEXT, handle));
  assert_ptr_equal(handle, place.context);
  assert_ok(GET(DEVICE, handle));
  assert_ptr_equal(handle, place.device);
  assert_ok(GET(SIZE, size));
  assert_int_equal(size, 3 * unit);
  assert_ok(UR(urPhysicalMemRetain)(memory));
  assert_ok(GET(REFERENCE_COUNT, references));
  assert_int_equal(references, 2);
  assert_ok(UR(urPhysicalMemRelease)(memory));
  assert_ok(GET(PROPERTIES, properties));
  assert_int_equal(properties.stype, SINCE(2025_3) ? 0x25 : 0x1c);
  assert_int_equal(properties.flags, flags);
  assert_null(properties.pNext);
  assert_refused(GET(SIZE, references), INVALID_SIZE, "propSize is 4");
#undef GET
  assert_refused(UR(urPhysicalMemGetInfo)(memory, (ur_physical_mem_info_t)9, 8, &size, NULL),
                 UNSUPPORTED_ENUMERATION, "0x9");
}

TEST(physical_memory_is_checked) {
  ur_physical_mem_properties_t properties = {
      .stype = SINCE(2025_3) ? UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES
                             : UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES_2025_0,
      .flags = UR_PHYSICAL_MEM_FLAG_TBD};
  ur_physical_mem_handle_t memory = NULL;
#define CREATE(device, size, properties)                                                           \
  UR(urPhysicalMemCreate)(place.context, device, size, properties, &memory)
  assert_refused(CREATE(place.device, unit - 1, NULL), INVALID_SIZE, "granularity");
  assert_refused(CREATE(place.device, 0, NULL), INVALID_SIZE, "size is 0");
  assert_refused(CREATE(place.device, (size_t)1 << 45, NULL), OUT_OF_RESOURCES, "cuMemCreate");
  assert_refused(CREATE(world_device(place.device_count), unit, NULL), INVALID_DEVICE,
                 "not a device of");
  properties.flags = 0x10;
  assert_refused(CREATE(place.device, unit, &properties), INVALID_ENUMERATION, "0x10");
  assert_null(memory);
  properties.flags = UR_PHYSICAL_MEM_FLAG_TBD;
  assert_ok(CREATE(place.device, 3 * unit, &properties));
#undef CREATE
  if (HAS(urPhysicalMemGetInfo))
    check_info(memory, UR_PHYSICAL_MEM_FLAG_TBD);
  assert_ok(UR(urPhysicalMemRelease)(memory));
}

TEST(reserved_addresses_are_checked) {
  void *other = NULL;
  char *const start = reserve(2);
#define RESERVE(wish, size) UR(urVirtualMemReserve)(place.context, wish, size, &other)
  assert_refused(RESERVE(NULL, unit + 1), INVALID_SIZE, "granularity");
  assert_refused(RESERVE(NULL, 0), INVALID_SIZE, "size is 0");
  assert_refused(RESERVE(start + 1, unit), INVALID_VALUE, "granularity");
  assert_refused(RESERVE(NULL, (size_t)1 << 52), OUT_OF_RESOURCES, "cuMemAddressReserve");
  assert_null(other);
  assert_ok(RESERVE(start + 2 * unit, unit)); /* at the requested address, or anywhere */
  assert_ok(give_back(other, 1));
  assert_ok(RESERVE(start, unit));
  assert_ptr_not_equal(other, start);
  assert_refused(give_back(start, 1), INVALID_VALUE, "reserved at");
  assert_refused(give_back(start + unit, 1), INVALID_VALUE, "no range");
  assert_ok(give_back(other, 1));
  assert_refused(give_back(other, 1), INVALID_VALUE, "no range");
  assert_ok(give_back(start, 2));
#undef RESERVE
}

/* ---- Mapped memory ---- */

/* Copies bytes from an address and compares them. */
static void check_bytes(const char *from, size_t size, const char *expected) {
  char seen[16] = "";
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, seen, from, size, 0, NULL, NULL));
  assert_memory_equal(seen, expected, size);
}

static ur_result_t fill(char *start, char value, size_t size) {
  return UR(urEnqueueUSMFill)(place.queue, start, 1, &value, size, 0, NULL, NULL);
}

/* One command can use adjacent mappings; two mappings of one memory have the same bytes. */
TEST(commands_cross_mappings) {
  char *const start = reserve(4);
  const ur_physical_mem_handle_t first = create(1), second = create(2);
  assert_ok(map(start, 1, first, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(map(start + unit, 2, second, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(map(start + 3 * unit, 1, first, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(fill(start, 'a', 4 * unit));
  assert_ok(fill(start + unit - 2, 'b', 4));
  check_bytes(start + unit - 4, 8, "aabbbbaa");
  check_bytes(start + 4 * unit - 4, 4, "aabb");
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, start + 3 * unit, "xyz", 3, 0, NULL, NULL));
  check_bytes(start, 4, "xyza");
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, start + 2 * unit, start, 8, 0, NULL, NULL));
  check_bytes(start + 2 * unit, 4, "xyza");
  /* The mappings keep the released memory alive. One call unmaps adjacent mappings. */
  assert_ok(UR(urPhysicalMemRelease)(first));
  assert_ok(UR(urPhysicalMemRelease)(second));
  check_bytes(start, 3, "xyz");
  assert_ok(unmap(start, 3));
  check_bytes(start + 3 * unit, 3, "xyz");
  assert_ok(unmap(start + 3 * unit, 1));
  assert_ok(give_back(start, 4));
}

TEST(mapped_memory_is_described) {
  char *const start = reserve(4);
  const ur_physical_mem_handle_t memory = create(1);
  uint32_t type = 9;
  size_t size = 0;
  void *handle = NULL;
#define GET(query, value)                                                                          \
  UR(urUSMGetMemAllocInfo)                                                                         \
  (place.context, start + 2 * unit + 5, UR_USM_ALLOC_INFO_##query, sizeof(value), &(value), NULL)
  assert_ok(GET(TYPE, type));
  assert_int_equal(type, UR_USM_TYPE_UNKNOWN);
  assert_ok(map(start + unit, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  assert_ok(map(start + 2 * unit, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(GET(TYPE, type));
  assert_int_equal(type, UR_USM_TYPE_DEVICE);
  assert_ok(GET(BASE_PTR, handle));
  assert_ptr_equal(handle, start + unit);
  assert_ok(GET(SIZE, size));
  assert_int_equal(size, 2 * unit);
  assert_ok(GET(DEVICE, handle));
  assert_ptr_equal(handle, place.device);
#undef GET
  assert_refused(UR(urUSMFree)(place.context, start + unit), INVALID_VALUE, "unmapped");
  assert_refused(UR(urUSMImportExp)(place.context, start, unit), INVALID_VALUE, "reserved");
  assert_ok(unmap(start + unit, 2));
  assert_ok(give_back(start, 4));
  assert_ok(UR(urPhysicalMemRelease)(memory));
}

TEST(kernels_cross_mappings) {
  enum { ITEMS = 64 };
  const size_t items = ITEMS;
  const ur_kernel_handle_t add = run_kernel(MODULE_arguments, "add");
  const ur_physical_mem_handle_t first = create(1), second = create(1);
  char *const start = reserve(3);
  int32_t numbers[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    numbers[i] = i;
  assert_ok(map(start, 1, first, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(map(start + unit, 1, first, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  assert_ok(map(start + 2 * unit, 1, second, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(
      UR(urEnqueueUSMMemcpy)(place.queue, true, start, numbers, sizeof numbers, 0, NULL, NULL));
  const run_argument arguments[] = {run_pointer(0, start), run_pointer(1, start + unit),
                                    run_pointer(2, start + 2 * unit)};
  assert_ok(run_launch(add, 1, &items, NULL, 3, arguments));
  memset(numbers, 0, sizeof numbers);
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, numbers, start + 2 * unit, sizeof numbers, 0,
                                   NULL, NULL));
  for (int i = 0; i < ITEMS; i++)
    assert_int_equal(numbers[i], 2 * i);
  assert_ok(unmap(start, 3));
  assert_ok(give_back(start, 3));
  assert_ok(UR(urPhysicalMemRelease)(first));
  assert_ok(UR(urPhysicalMemRelease)(second));
  assert_ok(UR(urKernelRelease)(add));
}

TEST(commands_need_access) {
  char *const start = reserve(3);
  const ur_physical_mem_handle_t memory = create(1);
  uint32_t flags = 99;
  char byte = 0;
  assert_refused(fill(start, 0, 1), INVALID_SIZE, "reserved address");
  assert_refused(get_access(start, 1, &flags), INVALID_VALUE, "nothing is mapped");
  assert_ok(map(start, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_NONE));
  assert_ok(map(start + unit, 1, memory, 0));
  assert_ok(get_access(start, 2, &flags));
  assert_int_equal(flags, UR_VIRTUAL_MEM_ACCESS_FLAG_NONE);
  assert_refused(fill(start, 0, 1), INVALID_SIZE, "without access");
  assert_refused(UR(urEnqueueUSMMemcpy)(place.queue, true, &byte, start, 1, 0, NULL, NULL),
                 INVALID_SIZE, "without access");
  assert_ok(set_access(start, 2, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(fill(start, 'c', 2 * unit));
  assert_refused(fill(start + unit, 0, unit + 1), INVALID_SIZE, "leave the allocation");
  assert_ok(set_access(start + unit, 1, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  assert_ok(get_access(start + unit, 1, &flags));
  assert_int_equal(flags, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY);
  assert_refused(get_access(start, 2, &flags), INVALID_VALUE, "different access");
  check_bytes(start + unit - 2, 4, "cccc");
  assert_ok(fill(start + unit - 2, 'd', 2));
  assert_refused(fill(start + unit - 2, 'd', 3), INVALID_OPERATION, "2 may be written");
  assert_refused(UR(urEnqueueUSMMemcpy)(place.queue, true, start + unit, &byte, 1, 0, NULL, NULL),
                 INVALID_OPERATION, "reading only");
  assert_refused(set_access(start, 3, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY), INVALID_VALUE,
                 "nothing is mapped");
  assert_refused(set_access(start, 1, 6), INVALID_VALUE, "several");
  assert_refused(set_access(start, 1, 8), INVALID_ENUMERATION, "0x8");
  assert_refused(UR(urVirtualMemGetInfo)(place.context, start, unit, (ur_virtual_mem_info_t)5, 4,
                                         &flags, NULL),
                 UNSUPPORTED_ENUMERATION, "0x5");
  assert_ok(unmap(start, 2));
  assert_ok(give_back(start, 3));
  assert_ok(UR(urPhysicalMemRelease)(memory));
}

TEST(wrong_mappings_are_refused) {
  char *const start = reserve(4);
  const ur_physical_mem_handle_t memory = create(2);
  void *dead[8] = {NULL};
#define MAP(start, size, memory, offset)                                                           \
  UR(urVirtualMemMap)                                                                              \
  (place.context, start, size, memory, offset, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE)
  assert_ok(MAP(start, 2 * unit, memory, 0));
  assert_refused(MAP(start + unit, 2 * unit, memory, 0), INVALID_OPERATION, "already");
  assert_refused(MAP(start + 3 * unit, 2 * unit, memory, 0), INVALID_VALUE, "no range");
  assert_refused(MAP(start + 2 * unit + 4096, 2 * unit, memory, 0), INVALID_VALUE, "granularity");
  assert_refused(MAP(start + 2 * unit, unit + 5, memory, 0), INVALID_SIZE, "granularity");
  assert_refused(MAP(start + 2 * unit, 2 * unit, memory, unit), INVALID_SIZE, "offset");
  assert_refused(MAP(start + 2 * unit, unit, memory, 4096), INVALID_SIZE, "offset 4096");
  assert_refused(MAP(start + 2 * unit, SIZE_MAX / unit * unit, memory, 0), INVALID_VALUE,
                 "more than an address");
  assert_refused(MAP(start + 2 * unit, unit, memory, unit), UNSUPPORTED_FEATURE, "as a whole");
  assert_refused(MAP(start + 2 * unit, unit, memory, 0), UNSUPPORTED_FEATURE, "as a whole");
  assert_refused(MAP(start + 2 * unit, unit, (ur_physical_mem_handle_t)(void *)dead, 0),
                 INVALID_MEM_OBJECT, "not a live handle");
  assert_refused(MAP(start + 2 * unit, unit, (ur_physical_mem_handle_t)(void *)place.queue, 0),
                 INVALID_MEM_OBJECT, "not a live handle");
  assert_refused(MAP(start + 2 * unit, unit, NULL, 0), INVALID_NULL_HANDLE, "hPhysicalMem");
#undef MAP
  assert_refused(unmap(start, 1), INVALID_VALUE, "part of the mapping");
  assert_refused(set_access(start + unit, 1, 1), INVALID_VALUE, "part of the mapping");
  assert_refused(unmap(start, 3), INVALID_VALUE, "nothing is mapped");
  assert_refused(unmap(start + 2 * unit, 1), INVALID_VALUE, "nothing is mapped");
  assert_refused(give_back(start, 4), INVALID_OPERATION, "something is mapped");
  assert_ok(unmap(start, 2));
  assert_refused(unmap(start, 2), INVALID_VALUE, "nothing is mapped");
  assert_ok(give_back(start, 4));
  assert_refused(map(start, 2, memory, 2), INVALID_VALUE, "no range");
  assert_ok(UR(urPhysicalMemRelease)(memory));
}

/* A context of another device can use neither the memory nor the addresses. */
TEST(another_context_s_memory_is_refused) {
  ur_context_handle_t other = NULL;
  const ur_device_handle_t device = world_device(1);
  ur_physical_mem_handle_t foreign = NULL;
  char *const start = reserve(1);
  assert_ok(UR(urContextCreate)(1, &device, NULL, &other));
  assert_ok(UR(urPhysicalMemCreate)(other, device, unit, NULL, &foreign));
  assert_refused(map(start, 1, foreign, 2), INVALID_CONTEXT, "another context");
  assert_refused(UR(urVirtualMemFree)(other, start, unit), INVALID_VALUE, "no range");
  /* The context lives as long as its memory. */
  assert_ok(UR(urContextRelease)(other));
  assert_ok(UR(urPhysicalMemRelease)(foreign));
  assert_ok(give_back(start, 1));
}

/* Unmapping waits for the kernel that uses the memory. */
TEST(unmapping_waits_for_a_kernel) {
  const size_t one = 1;
  const uint32_t rounds = 20000;
  uint32_t expected = 0, seen = 7;
  for (uint32_t i = 0; i < rounds; i++)
    expected = expected * 1664525u + 1013904223u;
  const ur_kernel_handle_t slow = run_kernel(MODULE_arguments, "slow");
  const ur_physical_mem_handle_t memory = create(1);
  char *const start = reserve(1);
  assert_ok(map(start, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE));
  assert_ok(fill(start, 0, 4));
  const run_argument arguments[] = {run_pointer(0, start), run_value(1, sizeof rounds, &rounds)};
  if (HAS(urEnqueueKernelLaunchWithArgsExp))
    assert_ok(UR(urEnqueueKernelLaunchWithArgsExp)(place.queue, slow, 1, NULL, &one, NULL, 2,
                                                   arguments, NULL, 0, NULL, NULL));
  else
    assert_ok(run_launch(slow, 1, &one, NULL, 2, arguments));
  assert_ok(unmap(start, 1));
  assert_ok(map(start, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, true, &seen, start, 4, 0, NULL, NULL));
  assert_int_equal(seen, expected);
  assert_ok(unmap(start, 1));
  assert_ok(give_back(start, 1));
  assert_ok(UR(urPhysicalMemRelease)(memory));
  assert_ok(UR(urKernelRelease)(slow));
}

/* ---- Several threads, each in its own part of one reservation ---- */

enum { THREADS = 4, ROUNDS = 25 };
static char *shared;

static void *change_often(void *data) {
  const size_t index = (size_t)(uintptr_t)data;
  char *const own = shared + index * unit;
  ur_physical_mem_handle_t memory = NULL;
  ur_result_t result = UR(urPhysicalMemCreate)(place.context, place.device, unit, NULL, &memory);
  for (int i = 0; i < ROUNDS && result == UR_RESULT_SUCCESS; i++) {
    char seen = 0;
    void *start = NULL;
    result = map(own, 1, memory, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE);
    if (result == UR_RESULT_SUCCESS)
      result = fill(own, (char)(i + 1), 1);
    if (result == UR_RESULT_SUCCESS)
      result = UR(urEnqueueUSMMemcpy)(place.queue, true, &seen, own, 1, 0, NULL, NULL);
    if (result == UR_RESULT_SUCCESS && seen != (char)(i + 1))
      result = UR_RESULT_ERROR_UNKNOWN;
    if (result == UR_RESULT_SUCCESS)
      result = UR(urVirtualMemReserve)(place.context, NULL, unit, &start);
    if (result == UR_RESULT_SUCCESS)
      result = give_back(start, 1);
    if (result == UR_RESULT_SUCCESS)
      result = unmap(own, 1);
  }
  if (memory)
    UR(urPhysicalMemRelease)(memory);
  return result == UR_RESULT_SUCCESS ? NULL : shared;
}

TEST(threads_map_parts_of_one_reservation) {
  pthread_t ids[THREADS];
  shared = reserve(THREADS);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, change_often, (void *)(uintptr_t)i), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    assert_int_equal(pthread_join(ids[i], &failed), 0);
    assert_null(failed);
  }
  assert_ok(give_back(shared, THREADS));
}

static int open_place(void **state) {
  const int result = run_open(state);
  ask_granularity(place.device, UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, sizeof unit, &unit, NULL);
  return result;
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  uint8_t is_there = 7;
  if (UR(urDeviceGetInfo)(world_device(0), UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT, 1, &is_there,
                          NULL) != UR_RESULT_SUCCESS)
    return 1;
  const struct CMUnitTest none[] = {cmocka_unit_test(devices_without_it_refuse_it)};
  return is_there ? tests_run(open_place, run_close)
                  : cmocka_run_group_tests(none, run_open, run_close);
}

/* Copies and fills of the fake Level Zero driver. */
#include "check.h"

/* A synchronous list, and bytes 0 to 255 in device memory. */
typedef struct copies {
  ze_command_list_handle_t list;
  unsigned char *memory;
} copies;

static copies begin(const check *test) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  copies made = {.memory = new_memory(test, ZE_MEMORY_TYPE_DEVICE, 256)};
  ok(zeCommandListCreateImmediate(test->context, test->device, &desc, &made.list));
  unsigned char bytes[256];
  for (int i = 0; i < 256; i++)
    bytes[i] = (unsigned char)i;
  ok(zeCommandListAppendMemoryCopy(made.list, made.memory, bytes, 256, NULL, 0, NULL));
  return made;
}

static void end(const check *test, copies *made) {
  ok(zeCommandListDestroy(made->list));
  ok(zeMemFree(test->context, made->memory));
}

CONTEXT_TEST(regions_are_copied) {
  const check *test = *state;
  copies made = begin(test);
  /* A box of 3 bytes, 2 rows and 2 slices, from rows of 8 bytes and slices of 4 rows. */
  const ze_copy_region_t from = {1, 1, 1, 3, 2, 2};
  const ze_copy_region_t to = {0, 0, 0, 3, 2, 2};
  unsigned char back[12];
  ok(zeCommandListAppendMemoryCopyRegion(made.list, back, &to, 3, 6, made.memory, &from, 8, 32,
                                         NULL, 0, NULL));
  int at = 0;
  for (int z = 1; z < 3; z++)
    for (int y = 1; y < 3; y++)
      for (int x = 1; x < 4; x++)
        assert_int_equal(back[at++], z * 32 + y * 8 + x);
  /* Depth 0 means one slice. */
  const ze_copy_region_t flat = {2, 1, 0, 4, 2, 0};
  const ze_copy_region_t origin = {0, 0, 0, 4, 2, 0};
  ok(zeCommandListAppendMemoryCopyRegion(made.list, back, &origin, 4, 0, made.memory, &flat, 16, 0,
                                         NULL, 0, NULL));
  const unsigned char expected[8] = {18, 19, 20, 21, 34, 35, 36, 37};
  assert_memory_equal(back, expected, 8);
  end(test, &made);
}

CONTEXT_TEST(wrong_regions_are_refused) {
  const check *test = *state;
  copies made = begin(test);
  unsigned char back[256];
  const ze_copy_region_t all = {0, 0, 0, 16, 16, 1};
  const ze_copy_region_t below = {0, 1, 0, 16, 16, 1};
  const ze_copy_region_t narrow = {0, 0, 0, 15, 16, 1};
  const ze_copy_region_t beside = {1, 0, 0, 16, 16, 1};
  refused(INVALID_SIZE, "go beyond the 256",
          zeCommandListAppendMemoryCopyRegion(made.list, back, &all, 16, 256, made.memory, &below,
                                              16, 512, NULL, 0, NULL));
  refused(INVALID_ARGUMENT, "sizes are different",
          zeCommandListAppendMemoryCopyRegion(made.list, back, &all, 16, 256, made.memory, &narrow,
                                              16, 256, NULL, 0, NULL));
  refused(INVALID_SIZE, "do not fit a pitch of 16",
          zeCommandListAppendMemoryCopyRegion(made.list, back, &all, 16, 256, made.memory, &beside,
                                              16, 512, NULL, 0, NULL));
  refused(INVALID_NULL_POINTER, "NULL",
          zeCommandListAppendMemoryCopyRegion(made.list, back, NULL, 16, 256, made.memory, &all, 16,
                                              256, NULL, 0, NULL));
  end(test, &made);
}

CONTEXT_TEST(overlaps_are_refused) {
  const check *test = *state;
  copies made = begin(test);
  refused(
      OVERLAPPING_REGIONS, "overlap",
      zeCommandListAppendMemoryCopy(made.list, made.memory, made.memory + 15, 16, NULL, 0, NULL));
  ok(zeCommandListAppendMemoryCopy(made.list, made.memory, made.memory + 16, 16, NULL, 0, NULL));
  /* The left and right halves of rows do not overlap; a shifted half overlaps. */
  const ze_copy_region_t left = {0, 0, 0, 8, 16, 1};
  const ze_copy_region_t right = {8, 0, 0, 8, 16, 1};
  const ze_copy_region_t middle = {4, 0, 0, 8, 16, 1};
  ok(zeCommandListAppendMemoryCopyRegion(made.list, made.memory, &left, 16, 256, made.memory,
                                         &right, 16, 256, NULL, 0, NULL));
  refused(OVERLAPPING_REGIONS, "overlap",
          zeCommandListAppendMemoryCopyRegion(made.list, made.memory, &left, 16, 256, made.memory,
                                              &middle, 16, 256, NULL, 0, NULL));
  end(test, &made);
}

CONTEXT_TEST(fills_repeat_a_pattern) {
  const check *test = *state;
  copies made = begin(test);
  unsigned char pattern[128];
  unsigned char back[256];
  for (int i = 0; i < 128; i++)
    pattern[i] = (unsigned char)(200 - i);
  for (size_t size = 1; size <= 128; size *= 2) {
    ok(zeCommandListAppendMemoryFill(made.list, made.memory, pattern, size, 256, NULL, 0, NULL));
    ok(zeCommandListAppendMemoryCopy(made.list, back, made.memory, 256, NULL, 0, NULL));
    for (size_t i = 0; i < 256; i++)
      assert_int_equal(back[i], pattern[i % size]);
  }
  refused(INVALID_SIZE, "no power of 2",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 3, 255, NULL, 0, NULL));
  refused(INVALID_SIZE, "no power of 2",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 0, 255, NULL, 0, NULL));
  refused(INVALID_SIZE, "longer than the 128",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 256, 256, NULL, 0, NULL));
  refused(INVALID_SIZE, "no whole number",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 4, 255, NULL, 0, NULL));
  refused(INVALID_SIZE, "go beyond",
          zeCommandListAppendMemoryFill(made.list, made.memory, pattern, 1, 257, NULL, 0, NULL));
  refused(INVALID_NULL_POINTER, "NULL",
          zeCommandListAppendMemoryFill(made.list, made.memory, NULL, 1, 1, NULL, 0, NULL));
  end(test, &made);
}

/*
 * Freed memory is refused, and a range that starts before an allocation and ends inside it.
 */
CONTEXT_TEST(wrong_addresses_are_refused) {
  const check *test = *state;
  copies made = begin(test);
  char back[16];
  char *gone = new_memory(test, ZE_MEMORY_TYPE_HOST, 16);
  ok(zeMemFree(test->context, gone));
  refused(INVALID_ARGUMENT, "(any more)",
          zeCommandListAppendMemoryCopy(made.list, back, gone, 16, NULL, 0, NULL));
  refused(INVALID_ARGUMENT, "(any more)",
          zeCommandListAppendMemoryCopy(made.list, back, made.memory + 256, 1, NULL, 0, NULL));
  refused(INVALID_NULL_POINTER, "NULL",
          zeCommandListAppendMemoryCopy(made.list, back, NULL, 16, NULL, 0, NULL));
  ok(zeCommandListAppendMemoryCopy(made.list, back, made.memory + 256 - 16, 16, NULL, 0, NULL));
  end(test, &made);
}

CONTEXT_TEST(memory_of_another_context_needs_its_context) {
  const check *test = *state;
  copies made = begin(test);
  check other = *test;
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ok(zeContextCreate(test->driver, &desc, &other.context));
  char *memory = new_memory(&other, ZE_MEMORY_TYPE_HOST, 16);
  memset(memory, 'x', 16);
  char back[16] = "";
  refused(INVALID_ARGUMENT, "another context",
          zeCommandListAppendMemoryCopy(made.list, back, memory, 16, NULL, 0, NULL));
  ok(zeCommandListAppendMemoryCopyFromContext(made.list, back, other.context, memory, 16, NULL, 0,
                                              NULL));
  assert_memory_equal(back, memory, 16);
  ok(zeMemFree(other.context, memory));
  ok(zeContextDestroy(other.context));
  end(test, &made);
}

CONTEXT_TEST(prefetches_and_advice_need_memory) {
  const check *test = *state;
  copies made = begin(test);
  ok(zeCommandListAppendMemoryPrefetch(made.list, made.memory, 256));
  ok(zeCommandListAppendMemAdvise(made.list, test->device, made.memory, 256,
                                  ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  refused(INVALID_SIZE, "go beyond",
          zeCommandListAppendMemoryPrefetch(made.list, made.memory, 257));
  refused(INVALID_ARGUMENT, "nothing is allocated",
          zeCommandListAppendMemoryPrefetch(made.list, &made, 8));
  refused(INVALID_ENUMERATION, "advice 8",
          zeCommandListAppendMemAdvise(made.list, test->device, made.memory, 256,
                                       (ze_memory_advice_t)8));
  refused(INVALID_NULL_HANDLE, "NULL",
          zeCommandListAppendMemAdvise(made.list, NULL, made.memory, 256,
                                       ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  const void *ranges[] = {made.memory};
  const size_t sizes[] = {256};
  ok(zeCommandListAppendMemoryRangesBarrier(made.list, 1, sizes, ranges, NULL, 0, NULL));
  end(test, &made);
}

/* USM: refusals, queries about pointers, all copies and fills. */
#include "usm.h"

#include "../../plugins/objects/registry.h"

enum { SIZE = 4096 };

pi_usm_mem_properties none[] = {0};
static pi_event const untouched = (pi_event)(void *)&w;

pi_result try_alloc(kind kind, pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment,
                    void **ret) {
  return kind == HOST ? piextUSMHostAlloc(ret, w.context, properties, size, alignment)
         : kind == DEVICE
             ? piextUSMDeviceAlloc(ret, w.context, w.device, properties, size, alignment)
             : piextUSMSharedAlloc(ret, w.context, w.device, properties, size, alignment);
}

/* Allocates memory of a kind; PLAIN is the process's own. */
unsigned char *new_memory(kind kind, size_t size) {
  void *memory = NULL;
  if (kind == PLAIN)
    memory = malloc(size);
  else
    must(try_alloc(kind, none, size, 0, &memory));
  assert_non_null(memory);
  return memory;
}

void free_memory(kind kind, void *memory) {
  if (kind == PLAIN)
    free(memory);
  else
    must(piextUSMFree(w.context, memory));
}

static void copy(void *to, const void *from, size_t size) {
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, to, from, size, 0, NULL, NULL));
}

static void number(unsigned char *bytes, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(i * 7 + i / 256 + seed);
}

/* --- allocations */

pi_result info(const void *pointer, pi_mem_alloc_info query, size_t size, void *value) {
  return piextUSMGetMemAllocInfo(w.context, pointer, query, size, value, NULL);
}

void expect_info(const void *pointer, pi_uint32 type, const void *base, size_t size,
                 pi_device device) {
  pi_uint32 got_type = 0;
  const void *got_base = &got_type;
  size_t got_size = 99;
  pi_device got_device = (pi_device)(void *)&got_type;
  must(info(pointer, PI_MEM_ALLOC_TYPE, sizeof got_type, &got_type));
  must(info(pointer, PI_MEM_ALLOC_BASE_PTR, sizeof got_base, &got_base));
  must(info(pointer, PI_MEM_ALLOC_SIZE, sizeof got_size, &got_size));
  must(info(pointer, PI_MEM_ALLOC_DEVICE, sizeof got_device, &got_device));
  assert_int_equal(got_type, type);
  assert_ptr_equal(got_base, base);
  assert_int_equal(got_size, size);
  assert_ptr_equal(got_device, device);
}

WORLD_TEST(a_pointer_knows_its_allocation) {
  static const pi_uint32 types[] = {PI_MEM_TYPE_HOST, PI_MEM_TYPE_DEVICE, PI_MEM_TYPE_SHARED};
  for (kind kind = HOST; kind < PLAIN; kind++) {
    unsigned char *memory = new_memory(kind, SIZE);
    const pi_device device = kind == HOST ? NULL : w.device;
    expect_info(memory, types[kind], memory, SIZE, device);
    expect_info(memory + SIZE - 1, types[kind], memory, SIZE, device);
    free_memory(kind, memory);
    expect_info(memory, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL);
  }
  static int mine;
  expect_info(&mine, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL);
  expect_info(NULL, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL);
  expect_info((const void *)(uintptr_t)-1, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL);
  pi_uint32 type;
  fails(PI_ERROR_INVALID_VALUE, info(&mine, (pi_mem_alloc_info)0x7777, sizeof type, &type));
  fails(PI_ERROR_INVALID_VALUE, info(&mine, PI_MEM_ALLOC_SIZE, sizeof type, &type));
  fails(PI_ERROR_INVALID_VALUE, info(&mine, PI_MEM_ALLOC_TYPE, 0, NULL));
}

WORLD_TEST(properties_are_checked) {
  const struct {
    pi_usm_mem_properties list[5];
    pi_result code;
  } cases[] = {
      {{0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, 0, 0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_DEVICE_READ_ONLY, 0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_WRTITE_COMBINED, 0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST, 0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE, 0}, PI_SUCCESS},
      {{PI_MEM_ALLOC_FLAGS, 6, 0}, PI_ERROR_INVALID_VALUE},
      {{PI_MEM_ALLOC_FLAGS, 16, 0}, PI_ERROR_INVALID_VALUE},
      {{PI_MEM_ALLOC_FLAGS, UINT64_C(1) << 40, 0}, PI_ERROR_INVALID_VALUE},
      {{PI_MEM_ALLOC_FLAGS, 8, PI_MEM_ALLOC_FLAGS, 8, 0}, PI_ERROR_INVALID_VALUE},
      {{PI_MEM_USM_ALLOC_BUFFER_LOCATION, 2, 0}, PI_ERROR_UNSUPPORTED_FEATURE},
      {{0x1234, 1, 0}, PI_ERROR_INVALID_VALUE},
  };
  for (kind kind = HOST; kind < PLAIN; kind++)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      pi_usm_mem_properties list[5];
      void *memory = &w;
      memcpy(list, cases[i].list, sizeof list);
      if (cases[i].code == PI_SUCCESS) {
        must(try_alloc(kind, list, SIZE, 0, &memory));
        must(piextUSMFree(w.context, memory));
      } else {
        fails(cases[i].code, try_alloc(kind, list, SIZE, 0, &memory));
        assert_ptr_equal(memory, &w);
      }
    }
  void *memory = NULL;
  must(piextUSMHostAlloc(&memory, w.context, NULL, SIZE, 0));
  must(piextUSMFree(w.context, memory));
}

WORLD_TEST(sizes_and_alignments_are_checked) {
  void *memory = &w;
  for (kind kind = HOST; kind < PLAIN; kind++) {
    fails(PI_ERROR_INVALID_BUFFER_SIZE, try_alloc(kind, none, 0, 0, &memory));
    fails(PI_ERROR_INVALID_VALUE, try_alloc(kind, none, SIZE, 24, &memory));
    fails(PI_ERROR_INVALID_VALUE, try_alloc(kind, none, SIZE, 1u << 31, &memory));
    fails(PI_ERROR_INVALID_BUFFER_SIZE, try_alloc(kind, none, SIZE_MAX / 4, 0, &memory));
    assert_ptr_equal(memory, &w);
    for (pi_uint32 alignment = 1; alignment <= backend.max_alignment; alignment *= 2) {
      void *aligned = NULL;
      must(try_alloc(kind, none, 1, alignment, &aligned));
      assert_int_equal((uintptr_t)aligned % alignment, 0);
      must(piextUSMFree(w.context, aligned));
    }
  }
  must(piextUSMSharedAlloc(&memory, w.context, NULL, none, SIZE, 0));
  must(piextUSMFree(w.context, memory));
}

WORLD_TEST(other_pointers_are_not_freed) {
  must(piextUSMFree(w.context, NULL));
  fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, (void *)(uintptr_t)-8));
  for (kind kind = HOST; kind < PLAIN; kind++) {
    unsigned char *memory = new_memory(kind, SIZE);
    fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory + 1));
    must(piextUSMFree(w.context, memory));
    fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory));
  }
}

/* Freed memory is free for others only when no command uses it any more. */
WORLD_TEST(memory_in_use_is_freed_later) {
  unsigned char *memory = new_memory(HOST, 1 << 20);
  unsigned char *other = new_memory(DEVICE, 1 << 20);
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  pi_event events[2];
  must(piextUSMEnqueueMemset(w.queue, memory, 1, 1 << 20, 0, NULL, &events[0]));
  must(piextUSMEnqueueMemcpy(queue, PI_FALSE, other, memory, 1 << 20, 1, &events[0], &events[1]));
  must(piextUSMFree(w.context, memory));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(status_of(events[i]), PI_EVENT_COMPLETE);
    must(piEventRelease(events[i]));
  }
  must(piQueueRelease(queue));
  free_memory(DEVICE, other);
}

WORLD_TEST(memory_is_imported_and_released) {
  static _Alignas(4096) unsigned char mine[8192];
  fails(PI_ERROR_INVALID_VALUE, piextUSMImport(NULL, 64, w.context));
  fails(PI_ERROR_INVALID_VALUE, piextUSMImport(mine, 0, w.context));
  fails(PI_ERROR_INVALID_VALUE, piextUSMImport(mine, SIZE_MAX, w.context));
  if (!driver_imports_memory()) {
    fails(PI_ERROR_UNSUPPORTED_FEATURE, piextUSMImport(mine, sizeof mine, w.context));
    fails(PI_ERROR_UNSUPPORTED_FEATURE, piextUSMRelease(mine, w.context));
    return;
  }
  fails(PI_ERROR_INVALID_VALUE, piextUSMRelease(mine, w.context));
  must(piextUSMImport(mine, sizeof mine, w.context));
  assert_int_equal(driver_live(DRIVER_REGISTERED), 1);
  if (backend.describes_imports)
    expect_info(mine + 100, PI_MEM_TYPE_HOST, mine, sizeof mine, NULL);
  fails(PI_ERROR_INVALID_VALUE, piextUSMImport(mine, sizeof mine, w.context));
  fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, mine));
  fails(PI_ERROR_INVALID_VALUE, piextUSMRelease(mine + 1, w.context));
  unsigned char *memory = new_memory(DEVICE, sizeof mine);
  number(mine, sizeof mine, 3);
  copy(memory, mine, sizeof mine);
  memset(mine, 0, sizeof mine);
  copy(mine, memory, sizeof mine);
  assert_int_equal(mine[8000], (unsigned char)(8000 * 7 + 8000 / 256 + 3));
  must(piextUSMRelease(mine, w.context));
  fails(PI_ERROR_INVALID_VALUE, piextUSMRelease(mine, w.context));
  expect_info(mine, PI_MEM_TYPE_UNKNOWN, NULL, 0, NULL);
  free_memory(DEVICE, memory);
  unsigned char *host = new_memory(HOST, SIZE);
  fails(PI_ERROR_INVALID_VALUE, piextUSMImport(host, SIZE, w.context));
  free_memory(HOST, host);
  assert_int_equal(registry_count(), 0);
}

/* --- commands */

WORLD_TEST(each_kind_is_copied_to_each_in_rows) {
  enum { WIDTH = 30, FROM = 40, TO = 33, ROWS = 20 };
  static unsigned char want[TO * ROWS], got[TO * ROWS], source[FROM * ROWS];
  number(source, sizeof source, 1);
  for (kind from = HOST; from < KINDS; from++)
    for (kind to = HOST; to < KINDS; to++) {
      unsigned char *a = new_memory(from, sizeof source), *b = new_memory(to, sizeof want);
      memset(want, 0x99, sizeof want);
      copy(a, source, sizeof source);
      copy(b, want, sizeof want);
      for (size_t row = 0; row < ROWS; row++)
        memcpy(want + row * TO, source + row * FROM, WIDTH);
      must(piextUSMEnqueueMemcpy2D(w.queue, PI_TRUE, b, TO, a, FROM, WIDTH, ROWS, 0, NULL, NULL));
      copy(got, b, sizeof got);
      assert_memory_equal(want, got, sizeof got);
      free_memory(from, a);
      free_memory(to, b);
    }
}

/* Patterns of all sizes, in rows with gaps, compared with the same on the host. */
WORLD_TEST(patterns_of_every_size_are_written) {
  enum { ROWS = 3 };
  static unsigned char want[ROWS * 128 * 5 + 64], got[sizeof want];
  unsigned char pattern[128];
  number(pattern, sizeof pattern, 1);
  for (kind kind = HOST; kind < PLAIN; kind++) {
    unsigned char *memory = new_memory(kind, sizeof want);
    for (size_t size = 1; size <= sizeof pattern; size++) {
      const size_t width = 4 * size, pitch = width + size % 5, offset = size % 3;
      memset(want, 0x55, sizeof want);
      must(piextUSMEnqueueMemset(w.queue, memory, 0x55, sizeof want, 0, NULL, NULL));
      for (size_t row = 0; row < ROWS; row++)
        for (size_t i = 0; i < width; i++)
          want[offset + row * pitch + i] = pattern[i % size];
      must(piextUSMEnqueueFill2D(w.queue, memory + offset, pitch, size, pattern, width, ROWS, 0,
                                 NULL, NULL));
      copy(got, memory, sizeof got);
      assert_memory_equal(want, got, sizeof got);
    }
    free_memory(kind, memory);
  }
}

/* A command may reach the end of an allocation, but not pass it. */
WORLD_TEST(ranges_are_checked) {
  static unsigned char plain[2 * SIZE];
  const unsigned char pattern[3] = {1, 2, 3};
  pi_event event = untouched;
  const pi_queue q = w.queue;
  for (kind kind = HOST; kind < PLAIN; kind++) {
    unsigned char *m = new_memory(kind, SIZE);
    const pi_result bad = PI_ERROR_INVALID_VALUE;
    fails(bad, piextUSMEnqueueMemset(q, m, 0, SIZE + 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemset(q, m + 1, 0, SIZE, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemset(q, m, 0, SIZE_MAX, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemset2D(q, m, 1024, 0, 1024, 5, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemset2D(q, m, 1024, 0, 1025, 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemset2D(q, m, SIZE_MAX / 2, 0, 1, 4, 0, NULL, &event));
    fails(bad, piextUSMEnqueueFill2D(q, m, SIZE, 3, pattern, 3 * 1366, 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueFill2D(q, m, SIZE, 3, pattern, 4, 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueFill2D(q, m, SIZE, 0, pattern, 4, 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueFill2D(q, m, SIZE, 3, NULL, 3, 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemcpy(q, PI_TRUE, m, plain, SIZE + 1, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemcpy(q, PI_TRUE, plain, m + 1, SIZE, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemcpy2D(q, PI_TRUE, m, 512, plain, 512, 512, 9, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemcpy2D(q, PI_TRUE, plain, 512, m, 512, 513, 8, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemcpy2D(q, PI_TRUE, plain, 511, m, 512, 512, 8, 0, NULL, &event));
    fails(bad, piextUSMEnqueuePrefetch(q, m, SIZE + 1, 0, 0, NULL, &event));
    fails(bad, piextUSMEnqueueMemAdvise(q, m, SIZE + 1, PI_MEM_ADVICE_RESET, &event));
    /* The whole range is within. */
    must(piextUSMEnqueueMemset2D(q, m, 1000, 0, 96, 5, 0, NULL, NULL));
    must(piextUSMEnqueueMemcpy2D(q, PI_TRUE, plain, 96, m, 1000, 96, 5, 0, NULL, NULL));
    free_memory(kind, m);
  }
  fails(PI_ERROR_INVALID_VALUE, piextUSMEnqueueMemset(q, plain, 0, 1, 0, NULL, &event));
  fails(PI_ERROR_INVALID_VALUE,
        piextUSMEnqueueFill2D(q, plain, 3, 3, pattern, 3, 1, 0, NULL, &event));
  assert_ptr_equal(event, untouched);
}

WORLD_TEST(overlaps_are_refused) {
  unsigned char *m = new_memory(DEVICE, SIZE);
  pi_event event = untouched;
  const pi_result overlap = PI_ERROR_MEM_COPY_OVERLAP;
  fails(overlap, piextUSMEnqueueMemcpy(w.queue, PI_TRUE, m, m + 10, 11, 0, NULL, &event));
  fails(overlap, piextUSMEnqueueMemcpy(w.queue, PI_TRUE, m + 10, m, 11, 0, NULL, &event));
  fails(overlap, piextUSMEnqueueMemcpy(w.queue, PI_TRUE, m, m, 1, 0, NULL, &event));
  assert_ptr_equal(event, untouched);
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, m, m + 10, 10, 0, NULL, NULL));
  free_memory(DEVICE, m);
}

/* Hints reach the driver for shared memory; for other memory they are commands without effect. */
WORLD_TEST(hints_reach_the_driver_for_shared_memory) {
  const unsigned advised = backend.advises_for_host ? 3 : 2;
  const pi_mem_advice advice =
      (pi_mem_advice)(PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST |
                      PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION);
  for (kind kind = HOST; kind < KINDS; kind++) {
    unsigned char *m = new_memory(kind, SIZE);
    const bool moves = kind == SHARED && device_moves_memory();
    pi_event events[2];
    const unsigned long before[] = {driver_calls(backend.call.prefetch),
                                    driver_calls(backend.call.advise)};
    must(piextUSMEnqueuePrefetch(w.queue, m, SIZE, 0, 0, NULL, &events[0]));
    must(piextUSMEnqueueMemAdvise(w.queue, m, SIZE, advice, &events[1]));
    assert_int_equal(driver_calls(backend.call.prefetch) - before[0], moves ? 1 : 0);
    assert_int_equal(driver_calls(backend.call.advise) - before[1], moves ? advised : 0);
    must(piEventsWait(2, events));
    must(piEventRelease(events[0]));
    must(piEventRelease(events[1]));
    free_memory(kind, m);
  }
  pi_event event = untouched;
  unsigned char *m = new_memory(SHARED, SIZE);
  fails(PI_ERROR_INVALID_VALUE, piextUSMEnqueuePrefetch(w.queue, m, SIZE, 1, 0, NULL, &event));
  fails(PI_ERROR_INVALID_VALUE,
        piextUSMEnqueueMemAdvise(w.queue, m, SIZE, (pi_mem_advice)3, &event));
  assert_ptr_equal(event, untouched);
  free_memory(SHARED, m);
}

/* A hint waits for its wait list, and a command that waits for the hint for both. */
WORLD_TEST(hints_keep_their_order) {
  unsigned char *m = new_memory(SHARED, SIZE);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  must(piextUSMEnqueuePrefetch(w.queue, m, SIZE, 0, 1, &gate, &event));
  assert_true(status_of(event) > PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
  must(piEventRelease(gate));
  free_memory(SHARED, m);
}

/* A copy of pageable memory after a user event neither waits in the call nor comes too early. */
WORLD_TEST(copies_after_a_user_event_keep_their_order) {
  static unsigned char from[SIZE], to[SIZE], further[SIZE], zero[SIZE];
  unsigned char *memory = new_memory(DEVICE, SIZE);
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  number(from, SIZE, 9);
  must(piextUSMEnqueueMemcpy(queue, PI_FALSE, memory, from, SIZE, 1, &gate, NULL));
  must(piextUSMEnqueueMemcpy2D(queue, PI_FALSE, to, 64, memory, 64, 64, SIZE / 64, 0, NULL, NULL));
  must(piextUSMEnqueueMemcpy(queue, PI_FALSE, further, to, SIZE, 0, NULL, &event));
  assert_memory_equal(to, zero, SIZE);
  assert_memory_equal(further, zero, SIZE);
  assert_true(status_of(event) > PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &event));
  assert_memory_equal(to, from, SIZE);
  assert_memory_equal(further, from, SIZE);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
  free_memory(DEVICE, memory);
}

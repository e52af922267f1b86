/* Unified shared memory. */
#include "fixture.h"

static const usm_kind kinds[] = {USM_HOST, USM_DEVICE, USM_SHARED};

/* Copies bytes and waits for the copy. */
static void copy(void *to, const void *from, size_t size) {
  expect_success(pi.piextUSMEnqueueMemcpy(the_queue(), PI_TRUE, to, from, size, 0, NULL, NULL));
}

static void wait(pi_event event) {
  expect_success(pi.piEventsWait(1, &event));
  expect_success(pi.piEventRelease(event));
}

static pi_uint32 type_of(const void *pointer) {
  pi_uint32 type = 0;
  expect_success(pi.piextUSMGetMemAllocInfo(the_context(), pointer, PI_MEM_ALLOC_TYPE, sizeof type,
                                            &type, NULL));
  return type;
}

/* Copies data to an allocation and back, and checks the type that it reports. */
static void round_trip(usm_kind kind, pi_uint32 type) {
  unsigned char data[1000];
  unsigned char got[sizeof data] = {0};
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (unsigned char)(i * 13);
  void *memory = new_usm(kind, sizeof data);
  copy(memory, data, sizeof data);
  copy(got, memory, sizeof data);
  expect_bytes(data, got, sizeof data);
  expect_equal(type, type_of(memory));
  expect_equal(type, type_of((char *)memory + 500));
  if (kind != USM_DEVICE)
    expect_bytes(data, memory, sizeof data);
}

TEST(usm, host) {
  round_trip(USM_HOST, PI_MEM_TYPE_HOST);
}

TEST(usm, device) {
  round_trip(USM_DEVICE, PI_MEM_TYPE_DEVICE);
}

TEST(usm, shared) {
  round_trip(USM_SHARED, PI_MEM_TYPE_SHARED);
}

TEST(usm, alignment) {
  new_usm(USM_SHARED, 64); /* skips the test where there is none */
  pi_usm_mem_properties none[] = {0};
  for (pi_uint32 alignment = 1; alignment <= 128; alignment *= 2) {
    void *pointer = NULL;
    expect_success(
        pi.piextUSMSharedAlloc(&pointer, the_context(), the_device(), none, 40, alignment));
    expect((uintptr_t)pointer % alignment == 0, "%p is not aligned to %u", pointer, alignment);
    expect_success(pi.piextUSMFree(the_context(), pointer));
  }
}

TEST(usm, alloc_refuses_null_context) {
  pi_usm_mem_properties none[] = {0};
  void *pointer;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, pointer,
                     pi.piextUSMHostAlloc(&pointer, NULL, none, 64, 0));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, pointer,
                     pi.piextUSMDeviceAlloc(&pointer, NULL, the_device(), none, 64, 0));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, pointer,
                     pi.piextUSMSharedAlloc(&pointer, NULL, the_device(), none, 64, 0));
}

TEST(usm, alloc_refuses_null_device) {
  pi_usm_mem_properties none[] = {0};
  void *pointer;
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, pointer,
                     pi.piextUSMDeviceAlloc(&pointer, the_context(), NULL, none, 64, 0));
}

TEST(usm, alloc_refuses_null_output) {
  pi_usm_mem_properties none[] = {0};
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextUSMHostAlloc(NULL, the_context(), none, 64, 0));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextUSMDeviceAlloc(NULL, the_context(), the_device(), none, 64, 0));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextUSMSharedAlloc(NULL, the_context(), the_device(), none, 64, 0));
}

TEST(usm, alloc_refuses_size_0) {
  pi_usm_mem_properties none[] = {0};
  void *pointer;
  expect_refused_keeps(pointer, pi.piextUSMHostAlloc(&pointer, the_context(), none, 0, 0));
  expect_refused_keeps(pointer,
                       pi.piextUSMDeviceAlloc(&pointer, the_context(), the_device(), none, 0, 0));
  expect_refused_keeps(pointer,
                       pi.piextUSMSharedAlloc(&pointer, the_context(), the_device(), none, 0, 0));
}

TEST(usm, alloc_refuses_crooked_alignment) {
  pi_usm_mem_properties none[] = {0};
  void *pointer;
  expect_refused_keeps(pointer, pi.piextUSMHostAlloc(&pointer, the_context(), none, 64, 3));
}

TEST(usm, alloc_refuses_unknown_property) {
  pi_usm_mem_properties unknown[] = {0x1234, 1, 0};
  void *pointer;
  expect_refused_keeps(pointer, pi.piextUSMHostAlloc(&pointer, the_context(), unknown, 64, 0));
}

TEST(usm, free_refuses_null) {
  expect_error(PI_ERROR_INVALID_CONTEXT, pi.piextUSMFree(NULL, new_usm(USM_HOST, 64)));
}

TEST(usm, free_refuses_foreign) {
  static _Alignas(64) char mine[64];
  expect_refused(pi.piextUSMFree(the_context(), mine));
}

TEST(usm, info) {
  for (size_t i = 0; i < 3; i++) {
    char *pointer = new_usm(kinds[i], 1000);
    void *base = NULL;
    size_t size = 0;
    expect_success(pi.piextUSMGetMemAllocInfo(the_context(), pointer + 10, PI_MEM_ALLOC_BASE_PTR,
                                              sizeof base, &base, NULL));
    expect_same(pointer, base);
    expect_success(pi.piextUSMGetMemAllocInfo(the_context(), pointer, PI_MEM_ALLOC_SIZE,
                                              sizeof size, &size, NULL));
    expect(size >= 1000, "1000 bytes became %zu", size);
    pi_device device = NULL;
    expect_success(pi.piextUSMGetMemAllocInfo(the_context(), pointer, PI_MEM_ALLOC_DEVICE,
                                              sizeof device, &device, NULL));
    if (kinds[i] == USM_DEVICE)
      expect_same(the_device(), device);
  }
}

static pi_result alloc_info(void *object, pi_uint32 query, size_t size, void *value,
                            size_t *size_ret) {
  return pi.piextUSMGetMemAllocInfo(the_context(), object, (pi_mem_alloc_info)query, size, value,
                                    size_ret);
}

TEST(usm, query_every) {
  check_queries("pi_mem_alloc_info", alloc_info, new_usm(USM_DEVICE, 64), NULL);
}

TEST(usm, query_with_more_room) {
  check_queries_with_more_room("pi_mem_alloc_info", alloc_info, new_usm(USM_DEVICE, 64));
}

TEST(usm, query_with_less_room) {
  check_queries_with_less_room("pi_mem_alloc_info", alloc_info, new_usm(USM_DEVICE, 64));
}

TEST(usm, query_refuses_unknown) {
  check_unknown_query(alloc_info, new_usm(USM_DEVICE, 64));
}

TEST(usm, query_refuses_no_output) {
  check_query_for_nothing("pi_mem_alloc_info", alloc_info, new_usm(USM_DEVICE, 64));
}

TEST(usm, query_refuses_null_context) {
  pi_uint32 type;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, type,
                     pi.piextUSMGetMemAllocInfo(NULL, new_usm(USM_HOST, 64), PI_MEM_ALLOC_TYPE,
                                                sizeof type, &type, NULL));
}

/* For a pointer that is not USM a plugin may return an error or the type "unknown". */
TEST(usm, info_of_foreign_pointer) {
  static int mine;
  pi_uint32 type = 0;
  const pi_result result =
      pi.piextUSMGetMemAllocInfo(the_context(), &mine, PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL);
  if (result == PI_SUCCESS)
    expect_equal(PI_MEM_TYPE_UNKNOWN, type);
  else
    expect_error(PI_ERROR_INVALID_VALUE, result);
}

/* Only the low 8 bits of the value count. */
TEST(usm, memset) {
  unsigned char want[300];
  unsigned char got[sizeof want] = {0};
  memset(want, 0x12, sizeof want);
  memset(want + 100, 0x9a, 100);
  for (size_t i = 0; i < 3; i++) {
    char *pointer = new_usm(kinds[i], sizeof want);
    pi_event event = NULL;
    expect_success(
        pi.piextUSMEnqueueMemset(the_queue(), pointer, 0x12, sizeof want, 0, NULL, NULL));
    expect_success(
        pi.piextUSMEnqueueMemset(the_queue(), pointer + 100, 0x789a, 100, 0, NULL, &event));
    wait(event);
    copy(got, pointer, sizeof got);
    expect_bytes(want, got, sizeof got);
  }
}

TEST(usm, memset_refuses) {
  void *pointer = new_usm(USM_SHARED, 64);
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piextUSMEnqueueMemset(NULL, pointer, 0, 64, 0, NULL, &event));
  expect_refused_keeps(event, pi.piextUSMEnqueueMemset(the_queue(), NULL, 0, 64, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piextUSMEnqueueMemset(the_queue(), pointer, 0, 64, 1, NULL, &event));
}

/* Between all pairs of kinds and plain memory. */
TEST(usm, memcpy_every_way) {
  unsigned char data[256];
  unsigned char got[sizeof data];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (unsigned char)(255 - i);
  for (size_t from = 0; from < 3; from++)
    for (size_t to = 0; to < 3; to++) {
      void *a = new_usm(kinds[from], sizeof data);
      void *b = new_usm(kinds[to], sizeof data);
      pi_event event = NULL;
      copy(a, data, sizeof data);
      expect_success(
          pi.piextUSMEnqueueMemcpy(the_queue(), PI_FALSE, b, a, sizeof data, 0, NULL, &event));
      wait(event);
      memset(got, 0, sizeof got);
      copy(got, b, sizeof got);
      expect_bytes(data, got, sizeof data);
    }
}

TEST(usm, memcpy_refuses) {
  char *pointer = new_usm(USM_SHARED, 128);
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_QUEUE, event,
      pi.piextUSMEnqueueMemcpy(NULL, PI_TRUE, pointer, pointer + 64, 64, 0, NULL, &event));
  expect_refused_keeps(
      event, pi.piextUSMEnqueueMemcpy(the_queue(), PI_TRUE, NULL, pointer, 64, 0, NULL, &event));
  expect_refused_keeps(
      event, pi.piextUSMEnqueueMemcpy(the_queue(), PI_TRUE, pointer, NULL, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
      pi.piextUSMEnqueueMemcpy(the_queue(), PI_TRUE, pointer, pointer + 64, 64, 1, NULL, &event));
}

/* Prefetch and advice have no visible effect, but must succeed and return an event. */
TEST(usm, prefetch_and_advise) {
  unsigned char data[64];
  unsigned char got[sizeof data] = {0};
  memset(data, 0x77, sizeof data);
  void *pointer = new_usm(USM_SHARED, sizeof data);
  copy(pointer, data, sizeof data);
  pi_event event = NULL;
  expect_success(pi.piextUSMEnqueuePrefetch(the_queue(), pointer, sizeof data, 0, 0, NULL, &event));
  wait(event);
  event = NULL;
  if (is_supported(pi.piextUSMEnqueueMemAdvise(the_queue(), pointer, sizeof data,
                                               PI_MEM_ADVICE_RESET, &event)) &&
      event)
    wait(event);
  copy(got, pointer, sizeof got);
  expect_bytes(data, got, sizeof got);
}

/* Sizes for which the end of the range overflows the address space. */
TEST(usm, commands_refuse_wrapping) {
  char data[64] = {0};
  char *const pointer = new_usm(USM_SHARED, sizeof data);
  const pi_queue queue = the_queue();
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4095};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    expect_refused(pi.piextUSMEnqueueMemset(queue, pointer, 1, sizes[i], 0, NULL, NULL));
    expect_refused(
        pi.piextUSMEnqueueMemcpy(queue, PI_TRUE, pointer, data, sizes[i], 0, NULL, NULL));
    expect_refused(
        pi.piextUSMEnqueueMemcpy(queue, PI_TRUE, data, pointer, sizes[i], 0, NULL, NULL));
    expect_refused(pi.piextUSMEnqueuePrefetch(queue, pointer, sizes[i], 0, 0, NULL, NULL));
    expect_refused(
        pi.piextUSMEnqueueMemAdvise(queue, pointer, sizes[i], PI_MEM_ADVICE_RESET, NULL));
  }
}

TEST(usm, prefetch_and_advise_refuse_null) {
  void *pointer = new_usm(USM_SHARED, 64);
  pi_event event;
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piextUSMEnqueuePrefetch(NULL, pointer, 64, 0, 0, NULL, &event));
  expect_refused_keeps(event,
                       pi.piextUSMEnqueuePrefetch(the_queue(), NULL, 64, 0, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_QUEUE, event,
                     pi.piextUSMEnqueueMemAdvise(NULL, pointer, 64, PI_MEM_ADVICE_RESET, &event));
}

/* PI defines no flag of a prefetch yet, and advice cannot set something and undo it. */
TEST(usm, prefetch_and_advise_refuse_wrong_hints) {
  void *pointer = new_usm(USM_SHARED, 64);
  const pi_mem_advice both =
      PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY;
  pi_event event;
  expect_refused_keeps(event,
                       pi.piextUSMEnqueuePrefetch(the_queue(), pointer, 64, 1, 0, NULL, &event));
  expect_refused_keeps(event, pi.piextUSMEnqueueMemAdvise(the_queue(), pointer, 64, both, &event));
}

TEST(usm, advise_refuses_null_pointer) {
  pi_event event;
  expect_refused_keeps(
      event, pi.piextUSMEnqueueMemAdvise(the_queue(), NULL, 64, PI_MEM_ADVICE_RESET, &event));
}

/* Rows of 20 bytes with a pitch of 32; the bytes between rows stay unchanged. */
enum { WIDTH = 20, PITCH = 32, ROWS = 5 };

TEST(usm, memset_2d) {
  unsigned char want[PITCH * ROWS];
  unsigned char got[sizeof want];
  memset(want, 0x11, sizeof want);
  void *pointer = new_usm(USM_SHARED, sizeof want);
  copy(pointer, want, sizeof want);
  pi_event event = NULL;
  if (!is_supported(pi.piextUSMEnqueueMemset2D(the_queue(), pointer, PITCH, 0x22, WIDTH, ROWS, 0,
                                               NULL, &event)))
    return;
  wait(event);
  for (size_t row = 0; row < ROWS; row++)
    memset(want + row * PITCH, 0x22, WIDTH);
  copy(got, pointer, sizeof got);
  expect_bytes(want, got, sizeof got);
}

TEST(usm, fill_2d) {
  unsigned char want[PITCH * ROWS];
  unsigned char got[sizeof want];
  memset(want, 0x11, sizeof want);
  void *pointer = new_usm(USM_SHARED, sizeof want);
  copy(pointer, want, sizeof want);
  pi_event event = NULL;
  const pi_uint32 pattern = 0x44332211;
  if (!is_supported(pi.piextUSMEnqueueFill2D(the_queue(), pointer, PITCH, sizeof pattern, &pattern,
                                             WIDTH, ROWS, 0, NULL, &event)))
    return;
  wait(event);
  for (size_t row = 0; row < ROWS; row++)
    for (size_t i = 0; i < WIDTH; i += sizeof pattern)
      memcpy(want + row * PITCH + i, &pattern, sizeof pattern);
  copy(got, pointer, sizeof got);
  expect_bytes(want, got, sizeof got);
}

TEST(usm, memcpy_2d) {
  unsigned char from[PITCH * ROWS];
  unsigned char want[40 * ROWS];
  unsigned char got[sizeof want];
  for (size_t i = 0; i < sizeof from; i++)
    from[i] = (unsigned char)i;
  memset(want, 0x11, sizeof want);
  void *pointer = new_usm(USM_SHARED, sizeof want);
  copy(pointer, want, sizeof want);
  pi_event event = NULL;
  if (!is_supported(pi.piextUSMEnqueueMemcpy2D(the_queue(), PI_FALSE, pointer, 40, from, PITCH,
                                               WIDTH, ROWS, 0, NULL, &event)))
    return;
  wait(event);
  for (size_t row = 0; row < ROWS; row++)
    memcpy(want + row * 40, from + row * PITCH, WIDTH);
  copy(got, pointer, sizeof got);
  expect_bytes(want, got, sizeof got);
}

TEST(usm, two_dimensions_refuse) {
  void *pointer = new_usm(USM_SHARED, PITCH * ROWS);
  char source[PITCH * ROWS] = {0};
  const char pattern = 1;
  expect_refused(pi.piextUSMEnqueueMemset2D(NULL, pointer, PITCH, 0, WIDTH, ROWS, 0, NULL, NULL));
  expect_refused(
      pi.piextUSMEnqueueFill2D(NULL, pointer, PITCH, 1, &pattern, WIDTH, ROWS, 0, NULL, NULL));
  expect_refused(pi.piextUSMEnqueueMemcpy2D(NULL, PI_TRUE, pointer, PITCH, source, PITCH, WIDTH,
                                            ROWS, 0, NULL, NULL));
  /* Rows that are wider than their pitch. */
  expect_refused(
      pi.piextUSMEnqueueMemset2D(the_queue(), pointer, WIDTH, 0, PITCH, ROWS, 0, NULL, NULL));
  expect_refused(pi.piextUSMEnqueueFill2D(the_queue(), pointer, WIDTH, 1, &pattern, PITCH, ROWS, 0,
                                          NULL, NULL));
  expect_refused(pi.piextUSMEnqueueMemcpy2D(the_queue(), PI_TRUE, pointer, WIDTH, source, PITCH,
                                            PITCH, ROWS, 0, NULL, NULL));
}

/* A caller waits for the event of any command, whatever its size. */
TEST(usm, commands_of_0_bytes_have_events) {
  void *pointer = new_usm(USM_SHARED, PITCH * ROWS);
  char plain[PITCH] = {0};
  const pi_queue queue = the_queue();
  pi_event event = NULL;
  expect_success(pi.piextUSMEnqueueMemset(queue, pointer, 0, 0, 0, NULL, &event));
  wait(event);
  expect_success(pi.piextUSMEnqueueMemcpy(queue, PI_FALSE, pointer, plain, 0, 0, NULL, &event));
  wait(event);
  expect_success(pi.piextUSMEnqueuePrefetch(queue, pointer, 0, 0, 0, NULL, &event));
  wait(event);
  if (is_supported(pi.piextUSMEnqueueMemcpy2D(queue, PI_TRUE, pointer, PITCH, plain, PITCH, 0, ROWS,
                                              0, NULL, &event)))
    wait(event);
  if (is_supported(
          pi.piextUSMEnqueueFill2D(queue, pointer, PITCH, 1, plain, 0, ROWS, 0, NULL, &event)))
    wait(event);
}

/* A kernel reads and writes each kind. */
TEST(usm, kernel_argument) {
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "increment");
  pi_uint32 data[32];
  for (pi_uint32 i = 0; i < 32; i++)
    data[i] = 10 * i;
  for (size_t k = 0; k < 3; k++) {
    void *pointer = new_usm(kinds[k], sizeof data);
    pi_uint32 got[32] = {0};
    copy(pointer, data, sizeof data);
    expect_success(pi.piextKernelSetArgPointer(kernel, 0, sizeof pointer, &pointer));
    run_kernel(kernel, 32);
    copy(got, pointer, sizeof got);
    for (pi_uint32 i = 0; i < 32; i++)
      expect_equal(data[i] + 1, got[i]);
  }
}

/* With PI_USM_INDIRECT_ACCESS a kernel may use a pointer that it loads from memory. */
TEST(usm, indirect_access) {
  const pi_kernel kernel = new_kernel(new_built_program(module_arguments()), "indirect");
  const pi_bool yes = PI_TRUE;
  expect_success(pi.piKernelSetExecInfo(kernel, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes));
  uint64_t *table = new_usm(USM_SHARED, sizeof *table);
  int *behind = new_usm(USM_SHARED, 16 * sizeof *behind);
  *table = (uint64_t)(uintptr_t)behind;
  expect_success(pi.piextKernelSetArgPointer(kernel, 0, sizeof table, &table));
  run_kernel(kernel, 16);
  for (int i = 0; i < 16; i++)
    expect_equal(i + 5, behind[i]);
}

TEST(usm, import_and_release) {
  static _Alignas(4096) char mine[4096];
  if (!is_supported(pi.piextUSMImport(mine, sizeof mine, the_context())))
    return;
  /* Copies still work on imported memory; a second import is refused. */
  unsigned char got[sizeof mine];
  memset(mine, 0x3d, sizeof mine);
  copy(got, mine, sizeof got);
  expect_bytes(mine, got, sizeof got);
  expect_refused(pi.piextUSMImport(mine, sizeof mine, the_context()));
  expect_success(pi.piextUSMRelease(mine, the_context()));
  expect_refused(pi.piextUSMRelease(mine, the_context()));
  expect_success(pi.piextUSMImport(mine, sizeof mine, the_context()));
  expect_success(pi.piextUSMRelease(mine, the_context()));
}

TEST(usm, release_refuses_without_import) {
  static char mine[64];
  const pi_result result = pi.piextUSMRelease(mine, the_context());
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    (void)is_supported(result);
  else
    expect_refused(result);
}

TEST(usm, import_and_release_refuse_null) {
  static char mine[64];
  expect_refused(pi.piextUSMImport(NULL, 64, the_context()));
  expect_refused(pi.piextUSMImport(mine, sizeof mine, NULL));
  expect_refused(pi.piextUSMRelease(NULL, the_context()));
  expect_refused(pi.piextUSMRelease(mine, NULL));
}

/* Pitched memory is an extension. Where it exists, its pitch is at least a row's width. */
TEST(usm, pitched) {
  pi_usm_mem_properties none[] = {0};
  void *pointer = NULL;
  size_t pitch = 0;
  if (!is_supported(
          pi.piextUSMPitchedAlloc(&pointer, &pitch, the_context(), the_device(), none, 20, 5, 4)))
    return;
  expect(pitch >= 20, "the pitch is %zu", pitch);
  expect_success(pi.piextUSMFree(the_context(), pointer));
}

TEST(usm, pitched_refuses_null) {
  pi_usm_mem_properties none[] = {0};
  void *pointer;
  size_t pitch = 0;
  expect_refused_keeps(
      pointer, pi.piextUSMPitchedAlloc(&pointer, &pitch, NULL, the_device(), none, 20, 5, 4));
}

/* Buffers and sub-buffers: creation, queries, references, native handles. */
#include "fixture.h"

INFO_CALL(mem_info, pi_mem, pi_mem_info, piMemGetInfo)

TEST(memory, create) {
  static const pi_mem_flags flags[] = {PI_MEM_FLAGS_ACCESS_RW, PI_MEM_ACCESS_READ_ONLY,
                                       PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_ALLOC};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    pi_mem mem = NULL;
    expect_success(pi.piMemBufferCreate(the_context(), flags[i], 1000, NULL, &mem, NULL));
    size_t size = 0;
    expect_success(pi.piMemGetInfo(mem, PI_MEM_SIZE, sizeof size, &size, NULL));
    expect(size >= 1000, "a buffer of 1000 bytes has %zu", size);
    expect_success(pi.piMemRelease(mem));
  }
}

TEST(memory, create_with_properties) {
  pi_mem mem = NULL;
  const pi_mem_properties none[] = {0};
  expect_success(pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &mem, none));
  expect_success(pi.piMemRelease(mem));
  const pi_mem_properties channel[] = {PI_MEM_PROPERTIES_CHANNEL, 1, 0};
  if (is_supported(
          pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &mem, channel)))
    expect_success(pi.piMemRelease(mem));
}

/* PI_MEM_FLAGS_HOST_PTR_COPY copies the bytes during the call. */
TEST(memory, create_copies_host_memory) {
  unsigned char data[256];
  unsigned char got[sizeof data];
  unsigned char want[sizeof data];
  for (size_t i = 0; i < sizeof data; i++)
    want[i] = data[i] = (unsigned char)i;
  const pi_mem mem = new_buffer(sizeof data, data);
  memset(data, 0, sizeof data);
  read_buffer(mem, sizeof got, got);
  expect_bytes(want, got, sizeof got);
}

/* PI_MEM_FLAGS_HOST_PTR_USE uses the caller's memory: after a map it has the kernel's results. */
TEST(memory, create_uses_host_memory) {
  static _Alignas(4096) pi_uint32 data[1024];
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "increment");
  for (pi_uint32 i = 0; i < 1024; i++)
    data[i] = i;
  pi_mem mem = NULL;
  expect_success(pi.piMemBufferCreate(the_context(),
                                      PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE,
                                      sizeof data, data, &mem, NULL));
  release_mem_later(mem);
  set_buffer(kernel, 0, mem);
  run_kernel(kernel, 1024);
  void *mapped = NULL;
  expect_success(pi.piEnqueueMemBufferMap(the_queue(), mem, PI_TRUE, PI_MAP_READ, 0, sizeof data, 0,
                                          NULL, NULL, &mapped));
  expect_same(data, mapped);
  for (pi_uint32 i = 0; i < 1024; i++)
    expect_equal(i + 1, data[i]);
  expect_success(pi.piEnqueueMemUnmap(the_queue(), mem, mapped, 0, NULL, NULL));
  expect_success(pi.piQueueFinish(the_queue()));
}

TEST(memory, create_refuses) {
  pi_mem mem;
  char data[16] = {0};
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, mem,
                     pi.piMemBufferCreate(NULL, PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &mem, NULL));
  expect_error_keeps(
      PI_ERROR_INVALID_BUFFER_SIZE, mem,
      pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 0, NULL, &mem, NULL));
  expect_error_keeps(PI_ERROR_INVALID_HOST_PTR, mem,
                     pi.piMemBufferCreate(the_context(),
                                          PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, 16,
                                          NULL, &mem, NULL));
  expect_error_keeps(
      PI_ERROR_INVALID_HOST_PTR, mem,
      pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 16, data, &mem, NULL));
}

TEST(memory, create_refuses_unknown_flags) {
  pi_mem mem;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, mem,
                     pi.piMemBufferCreate(the_context(), UINT64_C(1) << 40, 16, NULL, &mem, NULL));
}

TEST(memory, create_refuses_contradictory_flags) {
  static char data[16];
  static const struct {
    pi_mem_flags flags;
    void *host;
    pi_result code;
  } wrong[] = {
      {PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY, NULL, PI_ERROR_INVALID_VALUE},
      {PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY, data, PI_ERROR_INVALID_VALUE},
      {PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_ALLOC, data, PI_ERROR_INVALID_VALUE},
      {PI_MEM_FLAGS_HOST_PTR_USE, NULL, PI_ERROR_INVALID_HOST_PTR},
      {PI_MEM_FLAGS_HOST_PTR_ALLOC, data, PI_ERROR_INVALID_HOST_PTR},
  };
  pi_mem mem;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    expect_error_keeps(wrong[i].code, mem,
                       pi.piMemBufferCreate(the_context(), wrong[i].flags, sizeof data,
                                            wrong[i].host, &mem, NULL));
}

TEST(memory, create_refuses_unknown_property) {
  const pi_mem_properties unknown[] = {0x1234, 1, 0};
  pi_mem mem;
  expect_refused_keeps(
      mem, pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &mem, unknown));
}

TEST(memory, create_refuses_huge) {
  pi_mem mem;
  expect_refused_keeps(mem, pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW,
                                                 SIZE_MAX / 2, NULL, &mem, NULL));
}

TEST(memory, create_refuses_null_output) {
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 16, NULL, NULL, NULL));
}

static bool required(pi_uint32 query) {
  (void)query;
  return false;
}

QUERY_TESTS(memory, query, pi_mem_info, mem_info, new_buffer(64, NULL), required,
            PI_ERROR_INVALID_MEM_OBJECT)

TEST(memory, query_context) {
  pi_context context = NULL;
  expect_success(
      pi.piMemGetInfo(new_buffer(64, NULL), PI_MEM_CONTEXT, sizeof context, &context, NULL));
  expect_same(the_context(), context);
}

/* A buffer retained once survives one release. PI has no query for the reference count. */
TEST(memory, references) {
  const pi_mem mem = new_buffer(64, NULL);
  size_t size = 0;
  expect_success(pi.piMemRetain(mem));
  expect_success(pi.piMemRelease(mem));
  expect_success(pi.piMemGetInfo(mem, PI_MEM_SIZE, sizeof size, &size, NULL));
  expect_equal(64, size);
}

TEST(memory, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_MEM_OBJECT, pi.piMemRetain(NULL));
  expect_error(PI_ERROR_INVALID_MEM_OBJECT, pi.piMemRelease(NULL));
}

/* A sub-buffer shares its buffer's memory: bytes written to it are in the buffer. */
TEST(memory, partition) {
  unsigned char data[4096];
  unsigned char want[sizeof data];
  for (size_t i = 0; i < sizeof data; i++)
    want[i] = data[i] = (unsigned char)(i * 7);
  const pi_mem mem = new_buffer(sizeof data, data);
  pi_buffer_region_struct region = {1024, 512};
  pi_mem part = NULL;
  expect_success(pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION,
                                         &region, &part));
  release_mem_later(part);
  size_t size = 0;
  expect_success(pi.piMemGetInfo(part, PI_MEM_SIZE, sizeof size, &size, NULL));
  expect_equal(512, size);
  unsigned char window[512];
  read_buffer(part, sizeof window, window);
  expect_bytes(want + 1024, window, sizeof window);
  const unsigned char pattern = 0xee;
  expect_success(pi.piEnqueueMemBufferFill(the_queue(), part, &pattern, 1, 0, 512, 0, NULL, NULL));
  memset(want + 1024, pattern, 512);
  read_buffer(mem, sizeof data, data);
  expect_bytes(want, data, sizeof data);
}

TEST(memory, partition_refuses) {
  const pi_mem mem = new_buffer(4096, NULL);
  pi_buffer_region_struct whole = {0, 4096};
  pi_buffer_region_struct behind = {2048, 4096};
  pi_buffer_region_struct empty = {0, 0};
  pi_mem part;
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, part,
                     pi.piMemBufferPartition(NULL, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, &whole, &part));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, &behind, &part));
  expect_error_keeps(PI_ERROR_INVALID_BUFFER_SIZE, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, &empty, &part));
}

TEST(memory, partition_refuses_wrapping) {
  static const pi_buffer_region_struct regions[] = {
      {0, 4097}, {4096, 1}, {SIZE_MAX - 1023, 1024}, {1024, SIZE_MAX}};
  const pi_mem mem = new_buffer(4096, NULL);
  pi_mem part;
  for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
    pi_buffer_region_struct region = regions[i];
    expect_error_keeps(PI_ERROR_INVALID_VALUE, part,
                       pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                               PI_BUFFER_CREATE_TYPE_REGION, &region, &part));
  }
}

static pi_mem new_part(pi_mem mem, size_t origin, size_t size) {
  pi_buffer_region_struct region = {origin, size};
  pi_mem part = NULL;
  expect_success(pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION,
                                         &region, &part));
  release_mem_later(part);
  return part;
}

TEST(memory, partition_refuses_part) {
  pi_buffer_region_struct region = {0, 512};
  const pi_mem part = new_part(new_buffer(4096, NULL), 1024, 1024);
  pi_mem inner;
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, inner,
                     pi.piMemBufferPartition(part, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, &region, &inner));
}

/* A part has the memory of its buffer. */
TEST(memory, partition_refuses_host_flags) {
  pi_buffer_region_struct region = {0, 512};
  const pi_mem mem = new_buffer(4096, NULL);
  pi_mem part;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_HOST_PTR_ALLOC,
                                             PI_BUFFER_CREATE_TYPE_REGION, &region, &part));
}

TEST(memory, part_outlives_its_buffer) {
  pi_mem mem = NULL;
  unsigned char got[64];
  const unsigned char byte = 3;
  expect_success(
      pi.piMemBufferCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, 4096, NULL, &mem, NULL));
  const pi_mem part = new_part(mem, 1024, sizeof got);
  expect_success(pi.piMemRelease(mem));
  expect_success(
      pi.piEnqueueMemBufferFill(the_queue(), part, &byte, 1, 0, sizeof got, 0, NULL, NULL));
  read_buffer(part, sizeof got, got);
  for (size_t i = 0; i < sizeof got; i++)
    expect_equal(byte, got[i]);
}

TEST(memory, commands_refuse_buffer_of_another_context) {
  const pi_device device = the_device();
  const pi_queue queue = the_queue();
  const pi_mem mine = new_buffer(64, NULL);
  pi_context context = NULL;
  pi_mem theirs = NULL;
  char data[64] = {0};
  void *mapped;
  pi_event event;
  expect_success(pi.piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  expect_success(pi.piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &theirs, NULL));
  expect_error_keeps(
      PI_ERROR_INVALID_CONTEXT, event,
      pi.piEnqueueMemBufferRead(queue, theirs, PI_TRUE, 0, 64, data, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_CONTEXT, event,
      pi.piEnqueueMemBufferWrite(queue, theirs, PI_TRUE, 0, 64, data, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, event,
                     pi.piEnqueueMemBufferCopy(queue, mine, theirs, 0, 0, 64, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, event,
                     pi.piEnqueueMemBufferFill(queue, theirs, data, 1, 0, 64, 0, NULL, &event));
  expect_error_keeps(
      PI_ERROR_INVALID_CONTEXT, mapped,
      pi.piEnqueueMemBufferMap(queue, theirs, PI_TRUE, PI_MAP_READ, 0, 64, 0, NULL, NULL, &mapped));
  expect_success(pi.piMemRelease(theirs));
  expect_success(pi.piContextRelease(context));
}

/* The buffer's side of a rectangle: pitches too small, and ends outside of the address space. */
TEST(memory, rect_refuses_wrapping) {
  static const struct {
    struct pi_buff_rect_offset_struct offset;
    struct pi_buff_rect_region_struct region;
    size_t row, slice;
  } wrong[] = {
      {{0, 0, 0}, {8, 2, 2}, 7, 0},
      {{0, 0, 0}, {8, 2, 2}, 16, 31},
      {{2048, 0, 0}, {1, 1, 1}, 0, 0},
      {{0, 0, 0}, {64, 33, 1}, 64, 0},
      {{0, 0, 1}, {8, 1, 1}, 0, 2048},
      {{SIZE_MAX, 0, 0}, {8, 1, 1}, 0, 0},
      {{0, 2, 0}, {8, 1, 1}, SIZE_MAX / 2 + 1, 0},
  };
  static char data[2048];
  struct pi_buff_rect_offset_struct corner = {0, 0, 0};
  const pi_mem mem = new_buffer(sizeof data, NULL);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    struct pi_buff_rect_offset_struct offset = wrong[i].offset;
    struct pi_buff_rect_region_struct region = wrong[i].region;
    const size_t row = wrong[i].row, slice = wrong[i].slice;
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferReadRect(the_queue(), mem, PI_TRUE, &offset, &corner, &region,
                                               row, slice, 0, 0, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferWriteRect(the_queue(), mem, PI_TRUE, &offset, &corner,
                                                &region, row, slice, 0, 0, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemBufferCopyRect(the_queue(), mem, mem, &offset, &corner, &region,
                                               row, slice, row, slice, 0, NULL, NULL));
  }
}

TEST(memory, partition_refuses_crooked_origin) {
  const pi_mem mem = new_buffer(4096, NULL);
  pi_buffer_region_struct crooked = {1, 64};
  pi_mem part;
  expect_error_keeps(PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, &crooked, &part));
}

TEST(memory, partition_refuses_unknown_type) {
  const pi_mem mem = new_buffer(4096, NULL);
  pi_buffer_region_struct whole = {0, 4096};
  pi_mem part;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                             (pi_buffer_create_type)0x1777, &whole, &part));
}

TEST(memory, partition_refuses_null_pointers) {
  const pi_mem mem = new_buffer(4096, NULL);
  pi_buffer_region_struct whole = {0, 4096};
  pi_mem part;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, part,
                     pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW,
                                             PI_BUFFER_CREATE_TYPE_REGION, NULL, &part));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piMemBufferPartition(mem, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION,
                                       &whole, NULL));
}

TEST(memory, native_handle) {
  unsigned char data[64];
  unsigned char got[sizeof data] = {0};
  memset(data, 0x42, sizeof data);
  const pi_mem mem = new_buffer(sizeof data, data);
  pi_native_handle native = 0;
  if (!is_supported(pi.piextMemGetNativeHandle(mem, the_device(), &native)))
    return;
  static const bool owned[] = {false, true};
  for (size_t i = 0; i < 2; i++) {
    if (owned[i])
      expect_success(pi.piMemRetain(mem));
    pi_mem second = NULL;
    expect_success(pi.piextMemCreateWithNativeHandle(native, the_context(), owned[i], &second));
    read_buffer(second, sizeof got, got);
    expect_bytes(data, got, sizeof got);
    expect_success(pi.piMemRelease(second));
    memset(got, 0, sizeof got);
    read_buffer(mem, sizeof got, got);
    expect_bytes(data, got, sizeof got);
  }
}

TEST(memory, native_handle_refuses_null) {
  pi_native_handle native;
  pi_mem mem;
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, native,
                     pi.piextMemGetNativeHandle(NULL, the_device(), &native));
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, mem,
                     pi.piextMemCreateWithNativeHandle(0, the_context(), false, &mem));
}

TEST(memory, native_handle_refuses_null_context) {
  pi_native_handle native = 0;
  pi_mem mem;
  expect_success(pi.piextMemGetNativeHandle(new_buffer(64, NULL), the_device(), &native));
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, mem,
                     pi.piextMemCreateWithNativeHandle(native, NULL, false, &mem));
}

TEST(memory, native_handle_refuses_null_output) {
  const pi_mem mem = new_buffer(64, NULL);
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextMemGetNativeHandle(mem, the_device(), NULL));
  expect_success(pi.piextMemGetNativeHandle(mem, the_device(), &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextMemCreateWithNativeHandle(native, the_context(), false, NULL));
}

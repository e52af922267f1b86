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

TEST(memory, native_handle_refuses_null_output) {
  const pi_mem mem = new_buffer(64, NULL);
  pi_native_handle native = 0;
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextMemGetNativeHandle(mem, the_device(), NULL));
  expect_success(pi.piextMemGetNativeHandle(mem, the_device(), &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextMemCreateWithNativeHandle(native, the_context(), false, NULL));
}

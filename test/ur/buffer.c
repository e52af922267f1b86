/* Buffers: initial bytes, sub-buffers, native handles, maps, copies of ranges and rectangles. */
#include "world.h"

#include <string.h>

enum { SIZE = 64 };

static ur_device_handle_t device;
static ur_context_handle_t context;
static ur_queue_handle_t queue;

/* Creates a buffer with the bytes 0, 1, 2, .. */
static ur_mem_handle_t make_buffer(void) {
  unsigned char bytes[SIZE];
  for (int i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)i;
  const ur_buffer_properties_t properties = {UR_STRUCTURE_TYPE_BUFFER_PROPERTIES, NULL, bytes};
  ur_mem_handle_t buffer = NULL;
  assert_ok(UR(urMemBufferCreate)(context,
                                  UR_MEM_FLAG_WRITE_ONLY | UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER,
                                  SIZE, &properties, &buffer));
  return buffer;
}

static void release(ur_mem_handle_t buffer) {
  assert_ok(UR(urMemRelease)(buffer));
}

static void read_all(ur_mem_handle_t buffer, unsigned char *ret) {
  assert_ok(UR(urEnqueueMemBufferRead)(queue, buffer, true, 0, SIZE, ret, 0, NULL, NULL));
}

TEST(a_new_buffer_has_its_bytes) {
  unsigned char seen[SIZE] = {0};
  ur_mem_handle_t buffer = make_buffer();
  read_all(buffer, seen);
  assert_int_equal(seen[SIZE - 1], SIZE - 1);
  assert_answer(urMemGetInfo, buffer, UR_MEM_INFO_SIZE, size_t, SIZE);
  assert_answer(urMemGetInfo, buffer, UR_MEM_INFO_CONTEXT, void *, context);
  assert_ok(UR(urMemRetain)(buffer));
  uint32_t references = 0;
  assert_answer(urMemGetInfo, buffer, UR_MEM_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_refused(UR(urMemGetInfo)(buffer, (ur_mem_info_t)9, 4, &references, NULL),
                 UNSUPPORTED_ENUMERATION, "0x9");
  release(buffer);
  release(buffer);
  assert_refused(UR(urMemRelease)((ur_mem_handle_t)(void *)queue), INVALID_MEM_OBJECT, "live");
}

TEST(wrong_creations_are_refused) {
  ur_mem_handle_t buffer = NULL;
  char own[8] = "";
  ur_buffer_properties_t properties = {UR_STRUCTURE_TYPE_BUFFER_PROPERTIES, NULL, NULL};
  assert_refused(UR(urMemBufferCreate)(context, 0, 0, NULL, &buffer), INVALID_BUFFER_SIZE, "size");
  assert_refused(UR(urMemBufferCreate)(context, 1u << 12, 8, NULL, &buffer), INVALID_ENUMERATION,
                 "0x1000");
  assert_refused(UR(urMemBufferCreate)(context, UR_MEM_FLAG_READ_ONLY | UR_MEM_FLAG_WRITE_ONLY, 8,
                                       NULL, &buffer),
                 INVALID_VALUE, "access");
  assert_refused(
      UR(urMemBufferCreate)(context, UR_MEM_FLAG_USE_HOST_POINTER, 8, &properties, &buffer),
      INVALID_HOST_PTR, "NULL");
  properties.pHost = own;
  assert_refused(UR(urMemBufferCreate)(context, 0, 8, &properties, &buffer), INVALID_HOST_PTR,
                 "flags");
  ur_buffer_channel_properties_t channel = {UR_STRUCTURE_TYPE_BUFFER_CHANNEL_PROPERTIES, NULL, 1};
  properties = (ur_buffer_properties_t){UR_STRUCTURE_TYPE_BUFFER_PROPERTIES, &channel, NULL};
  assert_refused(UR(urMemBufferCreate)(context, 0, 8, &properties, &buffer), UNSUPPORTED_FEATURE,
                 "channels");
  assert_null(buffer);
}

TEST(a_part_shares_the_buffer_s_memory) {
  ur_mem_handle_t whole = NULL, part = NULL;
  uint32_t bits = 0;
  assert_ok(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 4, &bits, NULL));
  assert_int_equal(bits, 1024); /* the largest type's size */
  const size_t step = bits / 8;
  assert_ok(UR(urMemBufferCreate)(context, UR_MEM_FLAG_READ_WRITE, 2 * step, NULL, &whole));
  ur_buffer_region_t region = {UR_STRUCTURE_TYPE_BUFFER_REGION, NULL, step, step};
  assert_ok(UR(urMemBufferPartition)(whole, UR_MEM_FLAG_READ_ONLY, UR_BUFFER_CREATE_TYPE_REGION,
                                     &region, &part));
  const unsigned char value = 8;
  unsigned char seen = 0;
  assert_ok(UR(urEnqueueMemBufferFill)(queue, part, &value, 1, 0, step, 0, NULL, NULL));
  assert_ok(UR(urEnqueueMemBufferRead)(queue, whole, true, step, 1, &seen, 0, NULL, NULL));
  assert_int_equal(seen, value);
  release(part);
  part = NULL;
  region.origin = 2 * step;
  assert_refused(UR(urMemBufferPartition)(whole, 0, UR_BUFFER_CREATE_TYPE_REGION, &region, &part),
                 INVALID_BUFFER_SIZE, "not all inside");
  region = (ur_buffer_region_t){UR_STRUCTURE_TYPE_BUFFER_REGION, NULL, 1, 1};
  assert_refused(UR(urMemBufferPartition)(whole, 0, UR_BUFFER_CREATE_TYPE_REGION, &region, &part),
                 MISALIGNED_SUB_BUFFER_OFFSET, "origin");
  region.size = 0;
  assert_refused(UR(urMemBufferPartition)(whole, 0, UR_BUFFER_CREATE_TYPE_REGION, &region, &part),
                 INVALID_BUFFER_SIZE, "size");
  assert_refused(UR(urMemBufferPartition)(whole, 0, (ur_buffer_create_type_t)5, &region, &part),
                 INVALID_ENUMERATION, "0x5");
  assert_null(part);
  release(whole);
}

/* A buffer created from another buffer's native handle shares its memory and keeps it alive. */
TEST(a_native_handle_shares_the_memory) {
  unsigned char seen[SIZE] = {0};
  ur_mem_handle_t buffer = make_buffer(), again = NULL;
  ur_native_handle_t native = 0;
  assert_ok(UR(urMemGetNativeHandle)(buffer, device, &native));
  assert_ok(UR(urMemBufferCreateWithNativeHandle)(native, context, NULL, &again));
  release(buffer);
  read_all(again, seen);
  assert_int_equal(seen[5], 5);
  assert_refused(UR(urMemGetNativeHandle)(again, world_device(1), &native), INVALID_DEVICE,
                 "context");
  release(again);
  again = NULL;
  assert_refused(UR(urMemBufferCreateWithNativeHandle)(0, context, NULL, &again),
                 INVALID_NULL_HANDLE, "hNativeMem");
  assert_int_equal(UR(urMemBufferCreateWithNativeHandle)((uintptr_t)seen, context, NULL, &again),
                   UR_RESULT_ERROR_INVALID_MEM_OBJECT);
  assert_null(again);
}

TEST(commands_write_their_ranges) {
  unsigned char seen[SIZE] = {0};
  const unsigned char pair[2] = {70, 71};
  ur_mem_handle_t buffer = make_buffer();
  ur_event_handle_t written = NULL, filled = NULL;
  assert_ok(UR(urEnqueueMemBufferWrite)(queue, buffer, false, 4, 2, pair, 0, NULL, &written));
  assert_ok(UR(urEnqueueMemBufferFill)(queue, buffer, pair, 2, 8, 4, 1, &written, &filled));
  assert_ok(UR(urEnqueueMemBufferCopy)(queue, buffer, buffer, 8, 20, 4, 1, &filled, NULL));
  read_all(buffer, seen);
  assert_memory_equal(seen + 3, "\3\106\107\6\7\106\107\106\107\14", 10);
  assert_memory_equal(seen + 20, "\106\107\106\107\30", 5);
  assert_answer(urEventGetInfo, filled, UR_EVENT_INFO_COMMAND_TYPE, uint32_t,
                UR_COMMAND_MEM_BUFFER_FILL);
  assert_ok(UR(urEventRelease)(written));
  assert_ok(UR(urEventRelease)(filled));
  assert_refused(UR(urEnqueueMemBufferRead)(queue, buffer, true, 60, 5, seen, 0, NULL, NULL),
                 INVALID_SIZE, "60");
  assert_refused(UR(urEnqueueMemBufferWrite)(queue, buffer, true, SIZE_MAX, 2, seen, 0, NULL, NULL),
                 INVALID_SIZE, "offset");
  assert_refused(UR(urEnqueueMemBufferFill)(queue, buffer, pair, 2, 1, 4, 0, NULL, NULL),
                 INVALID_SIZE, "offset");
  assert_refused(UR(urEnqueueMemBufferCopy)(queue, buffer, buffer, 0, 2, 4, 0, NULL, NULL),
                 OVERLAPPING_REGIONS, "overlap");
  release(buffer);
}

TEST(a_map_is_written_back) {
  unsigned char seen[SIZE] = {0}, *mapped = NULL;
  ur_mem_handle_t buffer = make_buffer();
  assert_ok(UR(urEnqueueMemBufferMap)(queue, buffer, true, UR_MAP_FLAG_READ | UR_MAP_FLAG_WRITE, 8,
                                      4, 0, NULL, NULL, (void **)&mapped));
  assert_int_equal(mapped[0], 8);
  mapped[1] = 99;
  ur_event_handle_t unmapped = NULL;
  assert_ok(UR(urEnqueueMemUnmap)(queue, buffer, mapped, 0, NULL, &unmapped));
  assert_ok(UR(urEventWait)(1, &unmapped));
  assert_ok(UR(urEventRelease)(unmapped));
  read_all(buffer, seen);
  assert_int_equal(seen[9], 99);
  assert_refused(UR(urEnqueueMemUnmap)(queue, buffer, mapped, 0, NULL, NULL), INVALID_VALUE,
                 "mapped");
  void *none = NULL;
  assert_refused(
      UR(urEnqueueMemBufferMap)(queue, buffer, true, UR_MAP_FLAG_READ, 60, 8, 0, NULL, NULL, &none),
      INVALID_SIZE, "60");
  assert_refused(
      UR(urEnqueueMemBufferMap)(queue, buffer, true, 1u << 7, 0, 8, 0, NULL, NULL, &none),
      INVALID_ENUMERATION, "0x80");
  assert_null(none);
  release(buffer);
}

/* Copies two rows of two bytes, 8 apart, from (1, 1) in the buffer to (0, 0), and to the host. */
TEST(rectangles_are_copied) {
  unsigned char seen[SIZE] = {0}, four[4] = {0};
  ur_mem_handle_t buffer = make_buffer();
  const ur_rect_offset_t inner = {1, 1, 0}, zero = {0, 0, 0}, far = {4, 5, 0};
  const ur_rect_region_t region = {2, 2, 1};
  assert_ok(UR(urEnqueueMemBufferReadRect)(queue, buffer, true, inner, zero, region, 8, 0, 2, 0,
                                           four, 0, NULL, NULL));
  assert_memory_equal(four, "\11\12\21\22", 4);
  assert_ok(UR(urEnqueueMemBufferCopyRect)(queue, buffer, buffer, inner, far, region, 8, 0, 8, 0, 0,
                                           NULL, NULL));
  const unsigned char own[4] = {201, 202, 203, 204};
  unsigned char source[4];
  memcpy(source, own, sizeof source);
  assert_ok(UR(urEnqueueMemBufferWriteRect)(queue, buffer, true, zero, zero, region, 8, 0, 2, 0,
                                            source, 0, NULL, NULL));
  read_all(buffer, seen);
  assert_int_equal(seen[44], 9);
  assert_int_equal(seen[45], 10);
  assert_int_equal(seen[52], 17);
  assert_int_equal(seen[0], 201);
  assert_int_equal(seen[9], 204);
  const ur_rect_region_t empty = {2, 0, 1}, large = {2, 9, 1};
  assert_refused(UR(urEnqueueMemBufferReadRect)(queue, buffer, true, zero, zero, empty, 8, 0, 2, 0,
                                                four, 0, NULL, NULL),
                 INVALID_SIZE, "region");
  assert_refused(UR(urEnqueueMemBufferReadRect)(queue, buffer, true, zero, zero, large, 8, 0, 2, 0,
                                                four, 0, NULL, NULL),
                 INVALID_SIZE, "buffer");
  assert_refused(UR(urEnqueueMemBufferWriteRect)(queue, buffer, true, zero, zero, region, 1, 0, 2,
                                                 0, source, 0, NULL, NULL),
                 INVALID_SIZE, "pitch");
  assert_refused(UR(urEnqueueMemBufferCopyRect)(queue, buffer, buffer, zero, inner, region, 8, 0, 8,
                                                0, 0, NULL, NULL),
                 OVERLAPPING_REGIONS, "overlap");
  release(buffer);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  device = world_device(0);
  context = world_context(1);
  assert_ok(UR(urQueueCreate)(context, device, NULL, &queue));
  return tests_run(NULL, NULL);
}

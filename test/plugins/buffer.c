/* Buffers: flags, parts, maps, copies, rectangles, and commands that wait for user events. */
#define _DEFAULT_SOURCE /* usleep */
#include "buffer.h"

#include <unistd.h>

enum { SIZE = 4096 };

void *map(pi_mem buffer, pi_map_flags flags, size_t offset, size_t size) {
  void *mapped = NULL;
  must(
      piEnqueueMemBufferMap(w.queue, buffer, PI_TRUE, flags, offset, size, 0, NULL, NULL, &mapped));
  return mapped;
}

void unmap(pi_mem buffer, void *mapped) {
  must(piEnqueueMemUnmap(w.queue, buffer, mapped, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
}

/* --- making them */

WORLD_TEST(used_memory_is_in_step_with_maps) {
  static unsigned char host[SIZE];
  pi_mem mem = NULL;
  number_bytes(host, SIZE);
  must(piMemBufferCreate(w.context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE, SIZE, host,
                         &mem, NULL));
  assert_int_equal(driver_live(DRIVER_REGISTERED), backend.pins_used_memory);
  fill_buffer(w.queue, mem, 0xee, NULL, NULL);
  unsigned char *part = map(mem, PI_MAP_READ | PI_MAP_WRITE, 100, 50);
  assert_ptr_equal(part, host + 100);
  for (size_t i = 0; i < 50; i++)
    assert_int_equal(part[i], 0xee);
  assert_int_not_equal(host[99], 0xee); /* not mapped */
  memset(part, 0x11, 50);
  unmap(mem, part);
  unsigned char got[SIZE];
  read_all(mem, got, SIZE);
  for (size_t i = 0; i < SIZE; i++)
    assert_int_equal(got[i], i >= 100 && i < 150 ? 0x11 : 0xee);
  must(piMemRelease(mem));
  assert_int_equal(driver_live(DRIVER_REGISTERED), 0);
}

/* Memory works the same if it cannot be pinned because it is pinned already. */
WORLD_TEST(memory_may_be_used_twice) {
  static unsigned char host[SIZE];
  pi_mem mem[2] = {NULL};
  number_bytes(host, SIZE);
  for (int i = 0; i < 2; i++)
    must(piMemBufferCreate(w.context, PI_MEM_FLAGS_HOST_PTR_USE, SIZE, host, &mem[i], NULL));
  assert_int_equal(driver_live(DRIVER_REGISTERED), backend.pins_used_memory);
  unsigned char *all = map(mem[1], PI_MAP_WRITE, 0, SIZE);
  assert_ptr_equal(all, host);
  all[5] = 99;
  unmap(mem[1], all);
  unsigned char got[SIZE];
  read_all(mem[1], got, SIZE);
  assert_int_equal(got[5], 99);
  assert_int_equal(got[6], host[6]);
  must(piMemRelease(mem[0]));
  must(piMemRelease(mem[1]));
}

/*
 * One allocation for the device, and one of the host for all maps; just one where they share
 * memory.
 */
WORLD_TEST(allocated_memory_is_there_from_the_start) {
  const size_t before = driver_live(DRIVER_HOST);
  unsigned char bytes[64];
  unsigned char got[64];
  pi_mem mem = NULL;
  number_bytes(bytes, sizeof bytes);
  must(piMemBufferCreate(w.context, PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY,
                         sizeof bytes, bytes, &mem, NULL));
  const size_t made = backend.counts_memory_together && !device_is_integrated() ? 2 : 1;
  assert_int_equal(driver_live(DRIVER_HOST), before + made);
  memcpy(got, map(mem, PI_MAP_READ, 0, 64), 64);
  assert_memory_equal(got, bytes, 64);
  assert_int_equal(driver_live(DRIVER_HOST), before + made);
  must(piMemRelease(mem));
}

/* --- parts */

WORLD_TEST(a_part_and_its_buffer_share_maps) {
  unsigned char bytes[SIZE];
  unsigned char got[SIZE];
  number_bytes(bytes, SIZE);
  const pi_mem buffer = new_buffer(SIZE, bytes);
  pi_buffer_region_struct region = {1024, 1024};
  pi_mem part = NULL;
  must(piMemBufferPartition(buffer, 0, PI_BUFFER_CREATE_TYPE_REGION, &region, &part));
  unsigned char *whole = map(buffer, PI_MAP_READ, 0, SIZE);
  unsigned char *window = map(part, PI_MAP_READ | PI_MAP_WRITE, 10, 20);
  assert_ptr_equal(window, whole + 1034);
  assert_memory_equal(whole, bytes, SIZE);
  memset(window, 0, 20);
  fails(PI_ERROR_INVALID_VALUE, piEnqueueMemUnmap(w.queue, buffer, window, 0, NULL, NULL));
  unmap(part, window);
  unmap(buffer, whole);
  read_all(buffer, got, SIZE);
  memset(bytes + 1034, 0, 20);
  assert_memory_equal(got, bytes, SIZE);
  must(piMemRelease(part));
  must(piMemRelease(buffer));
}

/* --- maps */

WORLD_TEST(maps_keep_what_is_not_written) {
  unsigned char bytes[SIZE];
  unsigned char got[SIZE];
  number_bytes(bytes, SIZE);
  const pi_mem buffer = new_buffer(SIZE, bytes);
  /* 0 has no meaning in PI; the plugins take it for both flags */
  static const pi_map_flags flags[] = {PI_MAP_WRITE, PI_MAP_READ | PI_MAP_WRITE, 0};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    unsigned char *mapped = map(buffer, flags[i], 1000, 100);
    mapped[i] = 0xab;
    bytes[1000 + i] = 0xab;
    unmap(buffer, mapped);
    read_all(buffer, got, SIZE);
    assert_memory_equal(got, bytes, SIZE);
  }
  must(piMemRelease(buffer));
}

WORLD_TEST(read_maps_write_nothing) {
  unsigned char bytes[64];
  unsigned char got[64];
  number_bytes(bytes, 64);
  const pi_mem buffer = new_buffer(64, bytes);
  unsigned char *mapped = map(buffer, PI_MAP_READ, 0, 64);
  assert_memory_equal(mapped, bytes, 64);
  if (!device_is_integrated())
    mapped[0] = 0;
  unmap(buffer, mapped);
  read_all(buffer, got, 64);
  assert_memory_equal(got, bytes, 64);
  must(piMemRelease(buffer));
}

/* The map copies nothing to the host; the unmap copies all of it back. */
WORLD_TEST(invalidated_maps_read_nothing) {
  const pi_mem buffer = new_buffer(64, NULL);
  const unsigned long copies = driver_calls(backend.call.copy);
  unsigned char *mapped = map(buffer, PI_MAP_WRITE_INVALIDATE_REGION, 0, 64);
  assert_int_equal(driver_calls(backend.call.copy), copies);
  memset(mapped, 0x77, 64);
  unmap(buffer, mapped);
  expect_filled(buffer, 0x77);
  must(piMemRelease(buffer));
}

WORLD_TEST(maps_are_counted) {
  const pi_mem buffer = new_buffer(64, NULL);
  unsigned char *first = map(buffer, PI_MAP_READ, 0, 64);
  unsigned char *second = map(buffer, PI_MAP_WRITE, 0, 64);
  unsigned char *third = map(buffer, PI_MAP_WRITE, 32, 32);
  assert_ptr_equal(first, second);
  assert_ptr_equal(first + 32, third);
  unmap(buffer, first);
  unmap(buffer, first);
  fails(PI_ERROR_INVALID_VALUE, piEnqueueMemUnmap(w.queue, buffer, first, 0, NULL, NULL));
  unmap(buffer, third);
  fails(PI_ERROR_INVALID_VALUE, piEnqueueMemUnmap(w.queue, buffer, third, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_VALUE, piEnqueueMemUnmap(w.queue, buffer, &first, 0, NULL, NULL));
  must(piMemRelease(buffer));
}

/* --- copies */

/* Ranges of a part are those of its buffer; the part starts at 1024. */
WORLD_TEST(an_overlap_with_a_part_is_refused) {
  const pi_mem buffer = new_buffer(SIZE, NULL);
  pi_buffer_region_struct region = {1024, 1024};
  pi_mem part = NULL;
  must(piMemBufferPartition(buffer, 0, PI_BUFFER_CREATE_TYPE_REGION, &region, &part));
  fails(PI_ERROR_MEM_COPY_OVERLAP,
        piEnqueueMemBufferCopy(w.queue, buffer, part, 1000, 0, 32, 0, NULL, NULL));
  must(piEnqueueMemBufferCopy(w.queue, buffer, part, 1000, 0, 24, 0, NULL, NULL));
  must(piMemRelease(part));
  must(piMemRelease(buffer));
}

/* --- rectangles */

typedef struct room {
  size_t row, slice;
} room;

/* The part of 8 x 6 x 4 bytes at (3, 2, 1), with all kinds of pitches. */
static const room rooms[] = {{16, 160}, {16, 161}, {17, 170}, {11, 90}, {16, 96}, {8, 48}};

enum { X = 3, Y = 2, Z = 1, PART_X = 8, PART_Y = 6, PART_Z = 4, ROOM = 2048 };
static struct pi_buff_rect_offset_struct inside = {X, Y, Z};
static struct pi_buff_rect_offset_struct corner = {0, 0, 0};
static struct pi_buff_rect_region_struct part_3d = {PART_X, PART_Y, PART_Z};

static void copy_part(unsigned char *to, const room *to_room, const unsigned char *from,
                      const room *from_room) {
  for (size_t z = 0; z < PART_Z; z++)
    for (size_t y = 0; y < PART_Y; y++)
      memcpy(to + X + (Y + y) * to_room->row + (Z + z) * to_room->slice,
             from + X + (Y + y) * from_room->row + (Z + z) * from_room->slice, PART_X);
}

void check_rectangles(void) {
  unsigned char bytes[ROOM], want[ROOM], got[ROOM];
  number_bytes(bytes, ROOM);
  const pi_mem from = new_buffer(ROOM, bytes);
  const pi_mem to = new_buffer(ROOM, NULL);
  for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
    for (size_t k = 0; k < sizeof rooms / sizeof rooms[0]; k++) {
      const room *a = &rooms[i], *b = &rooms[k];
      memset(want, 0x31, ROOM);
      copy_part(want, b, bytes, a);
      memset(got, 0x31, ROOM);
      must(piEnqueueMemBufferReadRect(w.queue, from, PI_TRUE, &inside, &inside, &part_3d, a->row,
                                      a->slice, b->row, b->slice, got, 0, NULL, NULL));
      assert_memory_equal(got, want, ROOM);
      fill_buffer(w.queue, to, 0x31, NULL, NULL);
      must(piEnqueueMemBufferWriteRect(w.queue, to, PI_TRUE, &inside, &inside, &part_3d, b->row,
                                       b->slice, a->row, a->slice, bytes, 0, NULL, NULL));
      read_all(to, got, ROOM);
      assert_memory_equal(got, want, ROOM);
      fill_buffer(w.queue, to, 0x31, NULL, NULL);
      must(piEnqueueMemBufferCopyRect(w.queue, from, to, &inside, &inside, &part_3d, a->row,
                                      a->slice, b->row, b->slice, 0, NULL, NULL));
      read_all(to, got, ROOM);
      assert_memory_equal(got, want, ROOM);
    }
  must(piMemRelease(from));
  must(piMemRelease(to));
}

WORLD_TEST(rectangles_of_every_shape) {
  check_rectangles();
}

/* Returns whether the rectangles share bytes, found by marking them in memory. */
static bool really_overlap(size_t from, size_t to, const room *room,
                           const struct pi_buff_rect_region_struct *region) {
  static unsigned char touched[4096];
  memset(touched, 0, sizeof touched);
  for (int side = 0; side < 2; side++)
    for (size_t z = 0; z < region->depth_scalar; z++)
      for (size_t y = 0; y < region->height_scalar; y++)
        for (size_t x = 0; x < region->width_bytes; x++) {
          unsigned char *byte = &touched[(side ? to : from) + x + y * room->row + z * room->slice];
          if (side == 1 && *byte == 1)
            return true;
          *byte = (unsigned char)(side + 1);
        }
  return false;
}

WORLD_TEST(overlaps_are_found_exactly) {
  static const room pitches[] = {{8, 24}, {7, 22}, {5, 15}, {9, 40}};
  static const struct pi_buff_rect_region_struct regions[] = {
      {3, 2, 2}, {5, 3, 1}, {1, 1, 2}, {5, 1, 3}, {2, 3, 3}};
  const pi_mem buffer = new_buffer(ROOM, NULL);
  unsigned overlaps = 0;
  for (size_t p = 0; p < sizeof pitches / sizeof pitches[0]; p++)
    for (size_t r = 0; r < sizeof regions / sizeof regions[0]; r++)
      for (size_t to = 0; to < 160; to++) {
        struct pi_buff_rect_region_struct region = regions[r];
        struct pi_buff_rect_offset_struct a = {70, 0, 0};
        struct pi_buff_rect_offset_struct b = {to, 0, 0};
        const bool overlap = really_overlap(70, to, &pitches[p], &region);
        overlaps += overlap;
        assert_int_equal(piEnqueueMemBufferCopyRect(
                             w.queue, buffer, buffer, &a, &b, &region, pitches[p].row,
                             pitches[p].slice, pitches[p].row, pitches[p].slice, 0, NULL, NULL),
                         overlap ? PI_ERROR_MEM_COPY_OVERLAP : PI_SUCCESS);
      }
  assert_true(overlaps > 100);
  struct pi_buff_rect_offset_struct far = {1000, 0, 0};
  fails(PI_ERROR_INVALID_VALUE,
        piEnqueueMemBufferCopyRect(w.queue, buffer, buffer, &corner, &far, &part_3d, 16, 160, 17,
                                   170, 0, NULL, NULL));
  must(piMemRelease(buffer));
}

/* --- while a user event holds work back */

/* Nothing may wait for the device, because this thread opens the gate later. */
WORLD_TEST(transfers_behind_a_gate_do_not_wait) {
  enum { LARGE = 1 << 20 };
  unsigned char *bytes = malloc(LARGE);
  unsigned char *got = malloc(LARGE);
  unsigned char rect[ROOM];
  assert_non_null(bytes);
  assert_non_null(got);
  number_bytes(bytes, LARGE);
  memset(got, 0, LARGE);
  memset(rect, 0x31, ROOM);
  const pi_mem buffer = new_buffer(LARGE, NULL);
  const pi_event gate = new_user_event();
  const room *room = &rooms[1];
  pi_event events[3] = {NULL};
  must(piEnqueueEventsWaitWithBarrier(w.queue, 1, &gate, NULL));
  must(piEnqueueMemBufferWrite(w.queue, buffer, PI_FALSE, 0, LARGE, bytes, 0, NULL, &events[0]));
  must(piEnqueueMemBufferRead(w.queue, buffer, PI_FALSE, 0, LARGE, got, 0, NULL, &events[1]));
  must(piEnqueueMemBufferReadRect(w.queue, buffer, PI_FALSE, &inside, &inside, &part_3d, room->row,
                                  room->slice, room->row, room->slice, rect, 0, NULL, &events[2]));
  assert_int_equal(got[1], 0);
  assert_int_not_equal(status_of(events[0]), PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(3, events));
  assert_memory_equal(got, bytes, LARGE);
  unsigned char want[ROOM];
  memset(want, 0x31, ROOM);
  copy_part(want, room, bytes, room);
  assert_memory_equal(rect, want, ROOM);
  for (int i = 0; i < 3; i++)
    must(piEventRelease(events[i]));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  free(bytes);
  free(got);
}

/* A write reads what an earlier read wrote, although the gate holds both. */
WORLD_TEST(transfers_behind_a_gate_keep_their_order) {
  unsigned char bytes[64], between[64] = {0}, got[64];
  number_bytes(bytes, sizeof bytes);
  const pi_mem from = new_buffer(sizeof bytes, bytes);
  const pi_mem to = new_buffer(sizeof bytes, NULL);
  const pi_event gate = new_user_event();
  must(piEnqueueMemBufferRead(w.queue, from, PI_FALSE, 0, 64, between, 1, &gate, NULL));
  must(piEnqueueMemBufferWrite(w.queue, to, PI_FALSE, 0, 64, between, 0, NULL, NULL));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  read_all(to, got, sizeof got);
  assert_memory_equal(got, bytes, sizeof got);
  must(piEventRelease(gate));
  must(piMemRelease(from));
  must(piMemRelease(to));
}

/* The buffer lives on while a command uses it; its release does not wait for the command. */
WORLD_TEST(a_buffer_behind_a_gate_is_freed_later) {
  const size_t before = driver_live(DRIVER_MEMORY);
  const pi_event gate = new_user_event();
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_uint32 pattern = 0x0a0b0c0d;
  pi_uint32 result = 0;
  pi_event done = NULL;
  must(piEnqueueMemBufferFill(w.queue, buffer, &pattern, 4, 0, 64, 1, &gate, NULL));
  must(piEnqueueMemBufferRead(w.queue, buffer, PI_FALSE, 60, 4, &result, 0, NULL, &done));
  must(piMemRelease(buffer));
  assert_int_equal(driver_live(DRIVER_MEMORY), before + 1);
  assert_int_equal(result, 0);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &done));
  assert_int_equal(result, pattern);
  must(piMemRelease(new_buffer(64, NULL)));
  assert_int_equal(driver_live(DRIVER_MEMORY), before);
  must(piEventRelease(done));
  must(piEventRelease(gate));
}

/* --- native handles */

/* A part at the start of its buffer has the buffer's pointer. */
WORLD_TEST(a_pointer_of_ours_has_one_owner) {
  const size_t before = driver_live(DRIVER_MEMORY);
  const pi_mem buffer = new_buffer(SIZE, NULL);
  pi_buffer_region_struct region = {0, 1024};
  pi_mem both[2] = {buffer, NULL};
  must(piMemBufferPartition(buffer, 0, PI_BUFFER_CREATE_TYPE_REGION, &region, &both[1]));
  for (int i = 0; i < 4; i++) {
    const pi_mem mem = both[i % 2];
    const bool owned = i / 2;
    pi_native_handle native = 0;
    pi_mem second = NULL;
    size_t size = 0;
    must(piextMemGetNativeHandle(mem, NULL, &native));
    if (owned)
      must(piMemRetain(mem));
    must(piextMemCreateWithNativeHandle(native, w.context, owned, &second));
    must(piMemGetInfo(second, PI_MEM_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, i % 2 ? 1024 : SIZE);
    fill_buffer(w.queue, second, 1, NULL, NULL);
    must(piMemRelease(second));
    assert_int_equal(driver_live(DRIVER_MEMORY), before + 1);
  }
  if (backend.frees_later)
    must(piQueueFinish(w.queue));
  must(piMemRelease(both[1]));
  must(piMemRelease(buffer));
  assert_int_equal(driver_live(DRIVER_MEMORY), before);
}

/* Needs a second device, which has no handle of the buffer. */
WORLD_TEST(handles_of_other_memory_are_refused) {
  const pi_mem buffer = new_buffer(64, NULL);
  pi_native_handle native = 0;
  pi_device devices[2];
  pi_mem mem = NULL;
  get_two_devices(devices);
  fails(PI_ERROR_INVALID_DEVICE, piextMemGetNativeHandle(buffer, devices[1], &native));
  fails(PI_ERROR_INVALID_MEM_OBJECT, piextMemCreateWithNativeHandle(64, w.context, false, &mem));
  assert_null(mem);
  must(piMemRelease(buffer));
}

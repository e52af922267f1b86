/* Buffers. */
#include "launch_world.h"

#include <stdlib.h>

enum { SIZE = 256 };

TEST(reads_and_writes) {
  unsigned char bytes[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)(i * 7 + 1);
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(SIZE, bytes);
  assert_int_equal(specpiBufferGetSize(buffer), SIZE);
  assert_ptr_equal(specpiBufferGetDevice(buffer), world_device());
  assert_non_null(specpiBufferGetHandle(buffer));
  unsigned char found[SIZE];
  world_read(queue, buffer, found);
  assert_memory_equal(found, bytes, SIZE);

  /* Writes a part, and the last byte. */
  static const char hello[5] = {'h', 'e', 'l', 'l', 'o'};
  WORKS(specpiBufferWrite(queue, buffer, 10, 5, hello, 0, NULL, NULL));
  WORKS(specpiBufferWrite(queue, buffer, SIZE - 1, 1, "!", 0, NULL, NULL));
  memcpy(bytes + 10, hello, sizeof hello);
  bytes[SIZE - 1] = '!';
  world_read(queue, buffer, found);
  assert_memory_equal(found, bytes, SIZE);
  char part[4] = "";
  WORKS(specpiBufferRead(queue, buffer, 11, 3, part, 0, NULL, NULL));
  assert_string_equal(part, "ell");
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* Without blocking. Events order the commands. */
TEST(works_without_blocking) {
  specpi_queue queue = world_queue(SPECPI_QUEUE_OUT_OF_ORDER);
  specpi_buffer buffer = world_buffer(SIZE, NULL);
  specpi_buffer copy = world_buffer(SIZE, NULL);
  const uint32_t pattern[2] = {0x01020304, 0xa0b0c0d0};
  uint32_t found[SIZE / 4] = {0};
  specpi_event events[4];
  WORKS(specpiBufferFill(queue, buffer, pattern, 8, 8, SIZE - 16, 0, NULL, &events[0]));
  WORKS(specpiBufferWrite(queue, buffer, 16, 4, "four", 1, &events[0], &events[1]));
  WORKS(specpiBufferCopy(queue, buffer, 0, copy, 0, SIZE, 1, &events[1], &events[2]));
  WORKS(specpiBufferRead(queue, copy, 0, SIZE, found, 1, &events[2], &events[3]));
  WORKS(specpiEventWait(1, &events[3]));
  for (size_t i = 0; i < SIZE / 4; i++)
    if (i < 2 || i >= SIZE / 4 - 2)
      assert_int_equal(found[i], 0);
    else if (i == 4)
      assert_memory_equal(&found[i], "four", 4);
    else
      assert_int_equal(found[i], pattern[i % 2]);
  for (size_t i = 0; i < COUNT_OF(events); i++)
    specpiEventRelease(events[i]);
  specpiBufferRelease(copy);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* Patterns of any size, and a copy within one buffer, without events. */
TEST(fills_and_copies) {
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(30, NULL);
  WORKS(specpiBufferFill(queue, buffer, "abc", 3, 0, 15, 0, NULL, NULL));
  WORKS(specpiBufferCopy(queue, buffer, 0, buffer, 15, 15, 0, NULL, NULL));
  char found[30];
  world_read(queue, buffer, found);
  for (size_t i = 0; i < sizeof found; i++)
    assert_int_equal(found[i], "abc"[i % 3]);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

TEST(counts_references) {
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(SIZE, NULL);
  specpiBufferRetain(buffer);
  specpiBufferRelease(buffer);
  unsigned char found[SIZE];
  world_read(queue, buffer, found);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  specpiBufferRetain(NULL);
  specpiBufferRelease(NULL);
}

TEST(refuses_to_make) {
  specpi_buffer buffer = NULL;
  REFUSES(specpiBufferCreate(NULL, 1, NULL, &buffer), "device is NULL");
  REFUSES(specpiBufferCreate(world_device(), 0, NULL, &buffer), "size is 0");
  REFUSES(specpiBufferCreate(world_device(), 1, NULL, NULL), "buffer is NULL");
  FAILS(specpiBufferCreate(world_device(), SIZE_MAX, NULL, &buffer), SPECPI_ERROR_DRIVER,
        "piMemBufferCreate of 18446744073709551615 bytes on ");
  assert_null(buffer);
  assert_int_equal(specpiBufferGetSize(NULL), 0);
  assert_null(specpiBufferGetDevice(NULL));
  assert_null(specpiBufferGetHandle(NULL));
}

/* Every kind of bad input to each command; the event stays as it was. */
TEST(refuses) {
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(SIZE, NULL);
  unsigned char data[SIZE] = {0};
  specpi_event none = NULL;
  specpi_event *event = &none;
#define EVENTS 0, NULL, event
  REFUSES(specpiBufferRead(NULL, buffer, 0, 1, data, EVENTS), "queue is NULL");
  REFUSES(specpiBufferRead(queue, NULL, 0, 1, data, EVENTS), "buffer is NULL");
  REFUSES(specpiBufferRead(queue, buffer, 0, 1, NULL, EVENTS), "data is NULL");
  REFUSES(specpiBufferRead(queue, buffer, 0, 0, data, EVENTS), "size is 0");
  REFUSES(specpiBufferRead(queue, buffer, 1, SIZE, data, EVENTS),
          "256 bytes from offset 1 on are not all inside of buffer, which has 256");
  REFUSES(specpiBufferRead(queue, buffer, SIZE_MAX, 2, data, EVENTS), "not all inside");
  REFUSES(specpiBufferRead(queue, buffer, 2, SIZE_MAX, data, EVENTS), "not all inside");
  REFUSES(specpiBufferRead(queue, buffer, 0, 1, data, 1, NULL, event), "waits is NULL");
  REFUSES(specpiBufferRead(queue, buffer, 0, 1, data, 1, &none, event), "waits[0] is NULL");

  REFUSES(specpiBufferWrite(NULL, buffer, 0, 1, data, EVENTS), "queue is NULL");
  REFUSES(specpiBufferWrite(queue, NULL, 0, 1, data, EVENTS), "buffer is NULL");
  REFUSES(specpiBufferWrite(queue, buffer, 0, 1, NULL, EVENTS), "data is NULL");
  REFUSES(specpiBufferWrite(queue, buffer, 0, 0, data, EVENTS), "size is 0");
  REFUSES(specpiBufferWrite(queue, buffer, SIZE, 1, data, EVENTS), "not all inside");
  REFUSES(specpiBufferWrite(queue, buffer, SIZE_MAX - 1, 4, data, EVENTS), "not all inside");
  REFUSES(specpiBufferWrite(queue, buffer, 0, 1, data, 2, NULL, event), "waits is NULL");

  REFUSES(specpiBufferFill(NULL, buffer, data, 1, 0, 1, EVENTS), "queue is NULL");
  REFUSES(specpiBufferFill(queue, NULL, data, 1, 0, 1, EVENTS), "buffer is NULL");
  REFUSES(specpiBufferFill(queue, buffer, NULL, 1, 0, 1, EVENTS), "pattern is NULL");
  REFUSES(specpiBufferFill(queue, buffer, data, 0, 0, 1, EVENTS), "pattern_size is 0");
  REFUSES(specpiBufferFill(queue, buffer, data, 4, 2, 4, EVENTS), "offset is 2");
  REFUSES(specpiBufferFill(queue, buffer, data, 4, 4, 6, EVENTS), "size is 6");
  REFUSES(specpiBufferFill(queue, buffer, data, 4, 4, SIZE, EVENTS), "not all inside");
  REFUSES(specpiBufferFill(queue, buffer, data, 4, 4, 0, EVENTS), "size is 0");

  specpi_buffer other = world_buffer(16, NULL);
  REFUSES(specpiBufferCopy(NULL, buffer, 0, other, 0, 1, EVENTS), "queue is NULL");
  REFUSES(specpiBufferCopy(queue, NULL, 0, other, 0, 1, EVENTS), "source is NULL");
  REFUSES(specpiBufferCopy(queue, buffer, 0, NULL, 0, 1, EVENTS), "destination is NULL");
  REFUSES(specpiBufferCopy(queue, buffer, 0, other, 0, 0, EVENTS), "size is 0");
  REFUSES(specpiBufferCopy(queue, buffer, 0, other, 0, 17, EVENTS),
          "inside of destination, which has 16");
  REFUSES(specpiBufferCopy(queue, other, 16, buffer, 0, 1, EVENTS), "inside of source");
  REFUSES(specpiBufferCopy(queue, buffer, 0, buffer, 3, 4, EVENTS), "overlap");
  REFUSES(specpiBufferCopy(queue, buffer, 3, buffer, 0, 4, EVENTS), "overlap");
#undef EVENTS
  assert_null(none);
  specpiBufferRelease(other);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

int main(void) {
  return tests_run(NULL, world_end);
}

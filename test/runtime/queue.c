/* Queues. */
#include "launch_world.h"

TEST(makes_every_kind) {
  for (unsigned flags = 0; flags < 4; flags++) {
    specpi_queue queue = world_queue(flags);
    assert_int_equal(specpiQueueGetFlags(queue), flags);
    assert_ptr_equal(specpiQueueGetDevice(queue), world_device());
    assert_non_null(specpiQueueGetHandle(queue));
    pi_queue_properties properties = 0;
    assert_int_equal(specpiDeviceGetFunctions(world_device())
                         ->piQueueGetInfo(specpiQueueGetHandle(queue), PI_QUEUE_INFO_PROPERTIES,
                                          sizeof properties, &properties, NULL),
                     PI_SUCCESS);
    assert_int_equal(properties, flags);
    WORKS(specpiQueueFinish(queue));
    specpiQueueRelease(queue);
  }
}

TEST(counts_references) {
  specpi_queue queue = world_queue(0);
  specpiQueueRetain(queue);
  specpiQueueRelease(queue);
  WORKS(specpiQueueFinish(queue));
  specpiQueueRelease(queue);
  specpiQueueRetain(NULL);
  specpiQueueRelease(NULL);
}

/* Enqueued commands run even if the queue has been released. */
TEST(outlives_its_handle) {
  specpi_buffer buffer = world_buffer(64, NULL);
  specpi_queue queue = world_queue(0);
  const unsigned char seven = 7;
  specpi_event event;
  WORKS(specpiBufferFill(queue, buffer, &seven, 1, 0, 64, 0, NULL, &event));
  specpiQueueRelease(queue);
  WORKS(specpiEventWait(1, &event));
  specpi_event_state state_now;
  WORKS(specpiEventGetState(event, &state_now));
  assert_int_equal(state_now, SPECPI_EVENT_COMPLETE);
  specpiEventRelease(event);
  queue = world_queue(0);
  unsigned char bytes[64] = {0};
  world_read(queue, buffer, bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    assert_int_equal(bytes[i], 7);
  specpiQueueRelease(queue);
  specpiBufferRelease(buffer);
}

/* Uses more events at once than a new queue has, twice, so that the second round reuses them. */
TEST(has_any_number_of_events) {
  specpi_buffer buffer = world_buffer(64, NULL);
  specpi_queue queue = world_queue(0);
  const unsigned char seven = 7;
  for (int round = 0; round < 3; round++) {
    specpi_event events[100];
    for (size_t i = 0; i < COUNT_OF(events); i++)
      WORKS(specpiBufferFill(queue, buffer, &seven, 1, 0, 64, 0, NULL, &events[i]));
    for (size_t i = 1; i < COUNT_OF(events); i++)
      assert_ptr_not_equal(events[i - 1], events[i]);
    WORKS(specpiEventWait(COUNT_OF(events), events));
    for (size_t i = 0; i < COUNT_OF(events); i++)
      specpiEventRelease(events[i]);
  }
  specpiQueueRelease(queue);
  specpiBufferRelease(buffer);
}

TEST(refuses) {
  specpi_queue queue = (specpi_queue)&queue;
  specpi_queue before = queue;
  REFUSES(specpiQueueCreate(NULL, 0, &queue), "device is NULL");
  REFUSES(specpiQueueCreate(world_device(), 0, NULL), "queue is NULL");
  REFUSES(specpiQueueCreate(world_device(), 4, &queue), "unknown bits 0x4");
  REFUSES(specpiQueueCreate(world_device(), 0xffffffff, &queue), "unknown bits 0xfffffffc");
  assert_ptr_equal(queue, before);
  REFUSES(specpiQueueFinish(NULL), "queue is NULL");
  assert_null(specpiQueueGetDevice(NULL));
  assert_null(specpiQueueGetHandle(NULL));
  assert_int_equal(specpiQueueGetFlags(NULL), 0);
}

int main(void) {
  return tests_run(NULL, world_end);
}

/* Queues. */
#include "launch_world.h"

static void makes_every_kind(void **state) {
  (void)state;
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

static void counts_references(void **state) {
  (void)state;
  specpi_queue queue = world_queue(0);
  specpiQueueRetain(queue);
  specpiQueueRelease(queue);
  WORKS(specpiQueueFinish(queue));
  specpiQueueRelease(queue);
  specpiQueueRetain(NULL);
  specpiQueueRelease(NULL);
}

/* Enqueued commands run even if the queue has been released. */
static void outlives_its_handle(void **state) {
  (void)state;
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
static void has_any_number_of_events(void **state) {
  (void)state;
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

static void refuses(void **state) {
  (void)state;
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(makes_every_kind),
      cmocka_unit_test(counts_references),
      cmocka_unit_test(outlives_its_handle),
      cmocka_unit_test(has_any_number_of_events),
      cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, world_end);
}

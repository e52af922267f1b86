/*
 * The shared fixture of the CUDA and Level Zero plugins' tests over their fake drivers: a context,
 * short functions to create objects in it, and the check at a test's end that the driver has none
 * left.
 */
#ifndef SPECPI_TEST_PLUGINS_WORLD_H
#define SPECPI_TEST_PLUGINS_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "backend.h"

#include "../support/tests.h"

typedef struct world {
  pi_platform platform;
  pi_device device;
  pi_context context;
  pi_queue queue; /* in order */
} world;

extern world w;

/* For cmocka: open and close w. Closing fails when an object is left in the driver. */
int open_world(void **state);
int close_world(void **state);

/* Defines a test with w open. The tests of a file of test/<backend> run after the shared ones. */
#define WORLD_TEST(name) TEST_WITH(name, open_world, close_world)

/* Expects the call of PI to succeed; prints its message otherwise. */
#define must(call) must_succeed((call), #call, __FILE__, __LINE__)
void must_succeed(pi_result result, const char *call, const char *file, int line);

/* Expects the call of PI to fail with a code and a message. */
#define fails(code, call) must_fail((code), (call), #call, __FILE__, __LINE__)
void must_fail(pi_result code, pi_result result, const char *call, const char *file, int line);

enum {
  IN_ORDER = 0,
  OUT_OF_ORDER = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
  PROFILING = PI_QUEUE_FLAG_PROFILING_ENABLE,
};

pi_queue new_queue(pi_queue_properties flags);
pi_mem new_buffer(size_t size, const void *bytes); /* bytes may be NULL */
pi_event new_user_event(void);

/* Creates and builds a program of w.device from the binary of a built one. */
pi_program reload_program(pi_program program);

/* Returns the number of root devices of all platforms, and the devices. */
pi_uint32 get_devices(pi_uint32 room, pi_device *ret);
void get_two_devices(pi_device ret[2]);

/* Creates a context of all root devices. */
pi_context context_of_all(void);

/* Fills the whole buffer with a byte; the fill may wait for an event and return one. */
void fill_buffer(pi_queue queue, pi_mem buffer, unsigned char byte, pi_event wait, pi_event *event);

/* Makes bytes of which no two neighbours are the same. */
void number_bytes(unsigned char *bytes, size_t size);

/*
 * Reads all of a buffer, after all commands in w.queue; expect_filled expects one byte everywhere.
 */
void read_all(pi_mem buffer, void *bytes, size_t size);
void expect_filled(pi_mem buffer, unsigned char byte);

pi_int32 status_of(pi_event event);
pi_uint32 references_of(pi_queue queue);

/* Waits up to 5 seconds for the event to complete. */
void expect_done(pi_event event);

#endif

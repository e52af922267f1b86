/*
 * What the tests of the CUDA and the Level Zero plugin over their test drivers share: a context,
 * short ways to make things in it, and the check that nothing is left in the driver when a test
 * ends.
 */
#ifndef SPECPI_TEST_PLUGINS_WORLD_H
#define SPECPI_TEST_PLUGINS_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend.h"

typedef struct world {
  pi_platform platform;
  pi_device device;
  pi_context context;
  pi_queue queue; /* in order */
} world;

extern world w;

/* For cmocka: opens and closes w. Closing fails when an object is left in the driver. */
int open_world(void **state);
int close_world(void **state);

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

typedef struct case_list {
  const struct CMUnitTest *cases;
  size_t count;
} case_list;

/* The main of a program: the cases, and behind them those that its backend alone has. */
#define RUN_CASES(...)                                                                             \
  int main(void) {                                                                                 \
    const struct CMUnitTest cases[] = {__VA_ARGS__};                                               \
    return run_cases((case_list){cases, sizeof cases / sizeof cases[0]}, own_cases());             \
  }
int run_cases(case_list shared, case_list own);

/* In a file of test/<backend>; no_own_cases.c where the backend has none. */
#define OWN_CASES(...)                                                                             \
  case_list own_cases(void) {                                                                      \
    static const struct CMUnitTest cases[] = {__VA_ARGS__};                                        \
    return (case_list){cases, sizeof cases / sizeof cases[0]};                                     \
  }
case_list own_cases(void);

/* The call of PI succeeds; its sentence is printed otherwise. */
#define must(call) must_succeed((call), #call, __FILE__, __LINE__)
void must_succeed(pi_result result, const char *call, const char *file, int line);

/* The call of PI fails with a code, and with a sentence. */
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

/* A program of w.device, of the binary that a built one hands out; built. */
pi_program reload_program(pi_program program);

/* The root devices of all platforms, as many as there are. */
pi_uint32 get_devices(pi_uint32 room, pi_device *ret);
void get_two_devices(pi_device ret[2]);

/* Of all root devices. */
pi_context context_of_all(void);

/* A fill of the whole buffer with a byte, which may wait for an event and give one. */
void fill_buffer(pi_queue queue, pi_mem buffer, unsigned char byte, pi_event wait, pi_event *event);

/* Makes bytes of which no two neighbours are the same. */
void number_bytes(unsigned char *bytes, size_t size);

/* Reads all of a buffer, after everything in w.queue; expect_filled expects the byte everywhere. */
void read_all(pi_mem buffer, void *bytes, size_t size);
void expect_filled(pi_mem buffer, unsigned char byte);

pi_int32 status_of(pi_event event);
pi_uint32 references_of(pi_queue queue);

/* The event has ended well within some seconds. */
void expect_done(pi_event event);

#endif

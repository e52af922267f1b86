/*
 * The fixture of the tests of an adapter through the tables of one release: ADAPTER and RELEASE are
 * the program's arguments, and each test runs once for each release. A program without a main gets
 * one that opens the fixture and runs the tests.
 */
#ifndef TEST_UR_WORLD_H
#define TEST_UR_WORLD_H

#include "loader.h"

#include "../support/tests.h"

#include <string.h>

/* The tables of the release for which the program was started. */
extern loader world;

/* Opens the adapter ("-": in the program), fills the tables, and gets the adapter's handle; exits
 * on failure. */
void world_open(int argc, char **argv);

/* Returns the function of this name in the release's tables; NULL if its signature differs. */
typedef void world_entry_fn(void);
world_entry_fn *world_entry(const char *name);

/* The function with its type, for a call: UR(urDeviceGetInfo)(device, ..). */
#define UR(name) ((name##_fn *)world_entry(#name))
#define HAS(name) (world_entry(#name) != NULL)
/* Returns whether the release is this one or later: SINCE(2025_3). */
#define SINCE(name) (world.release >= UR_RELEASE_##name)

/* The adapter's handle, its first platform, and its devices in order. */
extern ur_adapter_handle_t world_adapter;
ur_platform_handle_t world_platform(void);
ur_device_handle_t world_device(uint32_t index);
ur_context_handle_t world_context(uint32_t device_count);

/* The adapter's library, its symbols, and the loader's functions. */
extern void *world_library;
extern loader_ask_fn *world_ask;
extern loader_fill_fn *world_fill;
void *world_symbol(const char *name);

#define assert_ok(call) assert_int_equal((call), UR_RESULT_SUCCESS)
/*
 * Expects the answer of a query, of its type's size, as in
 * assert_answer(urMemGetInfo, buffer, UR_MEM_INFO_SIZE, size_t, 64).
 */
#define assert_answer(name, object, query, type, expected)                                         \
  do {                                                                                             \
    type answer_;                                                                                  \
    size_t size_ = 0;                                                                              \
    memset(&answer_, 0x5a, sizeof answer_);                                                        \
    assert_ok(UR(name)(object, query, sizeof answer_, &answer_, &size_));                          \
    assert_int_equal(size_, sizeof answer_);                                                       \
    assert_int_equal(answer_, expected);                                                           \
  } while (0)
/* Expects UR_RESULT_ERROR_<code>, and words in the adapter's latest message. */
#define assert_refused(call, code, words)                                                          \
  do {                                                                                             \
    assert_int_equal((call), UR_RESULT_ERROR_##code);                                              \
    assert_sentence(words);                                                                        \
  } while (0)
void assert_sentence(const char *words);

#endif

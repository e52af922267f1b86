/*
 * Tests of an adapter through the tables of one release: ADAPTER and RELEASE are the program's
 * arguments, and each test runs once for each release.
 */
#ifndef TEST_UR_WORLD_H
#define TEST_UR_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loader.h"

/* The tables of the release that the program was started for. */
extern loader world;

/* Opens the adapter ("-": it is in the program), fills the tables, and gets the adapter's handle;
 * exits on failure. */
void world_open(int argc, char **argv);

/* The entry of this name in the release's tables; NULL when it has none of that signature. */
typedef void world_entry_fn(void);
world_entry_fn *world_entry(const char *name);

/* The same with its type, for a call: UR(urDeviceGetInfo)(device, ..). */
#define UR(name) ((name##_fn *)world_entry(#name))
#define HAS(name) (world_entry(#name) != NULL)
/* Since or until a release: SINCE(2025_3). */
#define SINCE(name) (world.release >= UR_RELEASE_##name)

/* Of the adapter: its handle, its first platform (urPlatformGet of each release), its devices in
 * order: CUDA has a platform for each. */
extern ur_adapter_handle_t world_adapter;
ur_platform_handle_t world_platform(void);
ur_device_handle_t world_device(uint32_t index);
ur_context_handle_t world_context(uint32_t device_count);

/* What is below that: the adapter's library, its symbols, and the loader's functions. */
extern void *world_library;
extern loader_ask_fn *world_ask;
extern loader_fill_fn *world_fill;
void *world_symbol(const char *name);

#define assert_ok(call) assert_int_equal((call), UR_RESULT_SUCCESS)
/* The call failed with UR_RESULT_ERROR_<code>, and the adapter's last sentence contains words. */
#define assert_refused(call, code, words)                                                          \
  do {                                                                                             \
    assert_int_equal((call), UR_RESULT_ERROR_##code);                                              \
    assert_sentence(words);                                                                        \
  } while (0)
void assert_sentence(const char *words);

#endif

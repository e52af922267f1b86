/*
 * What the tests that all plugins share have to know of the one that they run on: how its test
 * driver is told to fail, and what it cannot do. There is a backend_<name>.c for each plugin, and
 * every program here links one of them.
 */
#ifndef SPECPI_TEST_FAULT_BACKEND_H
#define SPECPI_TEST_FAULT_BACKEND_H

#include <pi/pi.h>

#include <stddef.h>
#include <stdint.h>

/*
 * X(ability): what one backend has and another has not. Where a backend has not what an entry is
 * for, the entry answers PI_ERROR_UNSUPPORTED_FEATURE, and the tests see to that.
 */
#define BACKEND_ABILITIES(X)                                                                       \
  X(sub_devices)                                                                                   \
  X(bindless_images)                                                                               \
  X(bindless_samplers)                                                                             \
  X(mipmaps)                                                                                       \
  X(external_memory)                                                                               \
  X(external_semaphores)                                                                           \
  X(peers)                                                                                         \
  X(usm_import)                                                                                    \
  X(stages_transfers) /* of the host's memory that waits for an event of the application */        \
  X(empty_queues)                                                                                  \
  X(odd_slices) /* of rectangles: no whole number of rows apart */                                 \
  X(host_pipes)                                                                                    \
  X(function_pointers)                                                                             \
  X(native_platforms)                                                                              \
  X(native_programs)                                                                               \
  X(native_unbuilt_programs)

/* A code of the driver, and what the plugin makes of it. */
typedef struct backend_failure {
  int code;
  pi_result result;
} backend_failure;

/* A driver's call in an entry, by their names. */
typedef struct backend_call {
  const char *entry;
  const char *call;
} backend_call;

typedef struct backend_info {
#define BACKEND_ABILITY(ability) bool ability;
  BACKEND_ABILITIES(BACKEND_ABILITY)
#undef BACKEND_ABILITY
  backend_failure failures[2];
  pi_device_partition_property partition[3]; /* a device into two, where sub_devices */
  /*
   * Calls that an entry may do without, or whose failure has another meaning to it than the code
   * says; entry "*" is any. It may succeed or fail with any code. Ended by {NULL, NULL}.
   */
  const backend_call *hints;
  /* Calls behind a command that cannot be taken back: it may have been carried out. Ended by NULL.
   */
  const char *const *late;
  /* Entries which may succeed without an allocation that fails. Ended by NULL. */
  const char *const *modest;
  /*
   * Entries after whose failure their object may be good for nothing but its release: they say so
   * with PI_ERROR_INVALID_OPERATION. NULL: there are none. Ended as above.
   */
  const char *const *spoils;
  /* What gives something back, in an entry that is for that; a failure counts. Ended as above. */
  const backend_call *releases;
  /* The call that replays a command buffer: once for each of its launches, or once for all. */
  const char *replay;
  bool replay_each_launch;
  bool load_allocates;
} backend_info;

extern const backend_info backend;

/* What a launch of "probe" writes: {id, size, value} for each constant, and maybe others. */
typedef struct launch_record {
  uint32_t what;
  uint32_t size;
  uint64_t value;
} launch_record;

/* A program with the kernels "probe" and "other", in the language of the backend. */
const void *backend_code(void);
size_t backend_code_size(void);

/* Code that takes another way through the plugin. */
const void *backend_other_code(void);
size_t backend_other_code_size(void);

/* The driver's controls; fakes has their meaning, in fake_<driver>.h. */
void driver_fail(const char *call, unsigned long nth, int code);
/* The name of the call that failed, as the plugin's sentences have it; NULL when there was none. */
const char *driver_unfail(void);
unsigned long driver_calls(const char *call);
/* Objects, without those that a plugin may keep for its next command. */
size_t driver_live(void);
/* All objects, one in a line. */
size_t driver_list(char *text, size_t size);

/* The plugin's own: whether it has a driver. */
bool backend_load(void);

/*
 * Calls while the driver is loaded: without which there are no platforms; without which there are;
 * and with whose failure piPlatformsGet fails, until they work. Ended by NULL.
 */
extern const char *const backend_needed_calls[];
extern const char *const backend_helpful_calls[];
extern const char *const backend_repeated_calls[];

/*
 * Waits for a moment until there are only so many objects: a thread of the plugin, which calls
 * callbacks, may still have some. False, with a list of what there is, when they stay. In world.c.
 */
bool driver_settles(size_t objects, char *list, size_t size);

#endif

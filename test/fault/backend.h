/*
 * The differences between plugins that the shared tests need: how to make the fake driver fail, and
 * what it cannot do. There is a backend_<name>.c for each plugin, and every program here links one
 * of them.
 */
#ifndef SPECPI_TEST_FAULT_BACKEND_H
#define SPECPI_TEST_FAULT_BACKEND_H

#include <pi/pi.h>

#include <stddef.h>
#include <stdint.h>

/*
 * X(ability): abilities that only some backends have. Without the ability the entry point returns
 * PI_ERROR_UNSUPPORTED_FEATURE, and the tests check that.
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
  X(stages_transfers) /* in host memory, if a command waits for a user event */                    \
  X(empty_queues)                                                                                  \
  X(odd_slices) /* rectangles whose slice pitch is no whole number of rows */                      \
  X(host_pipes)                                                                                    \
  X(function_pointers)                                                                             \
  X(native_platforms)                                                                              \
  X(native_programs)                                                                               \
  X(native_unbuilt_programs)

/* A status of the driver, and the plugin's result for it. */
typedef struct backend_failure {
  int code;
  pi_result result;
} backend_failure;

/* A call of the driver within an entry point, by their names. */
typedef struct backend_call {
  const char *entry;
  const char *call;
} backend_call;

typedef struct backend_info {
#define BACKEND_ABILITY(ability) bool ability;
  BACKEND_ABILITIES(BACKEND_ABILITY)
#undef BACKEND_ABILITY
  backend_failure failures[2];
  pi_device_partition_property partition[3]; /* into two devices; only if sub_devices */
  /*
   * Calls that an entry point may do without, or whose failure means something else to it. The
   * entry point ("*": any) may succeed or fail with any code. Ended by {NULL, NULL}.
   */
  const backend_call *hints;
  /* Calls that come after a command which may have run already. Ended by NULL. */
  const char *const *late;
  /* Entry points that may succeed although an allocation failed. Ended by NULL. */
  const char *const *modest;
  /*
   * Entry points whose failure makes the object useless: it can only be released, and the entry
   * point returns PI_ERROR_INVALID_OPERATION from then on. Ended by NULL; NULL if there are none.
   */
  const char *const *spoils;
  /* Releasing calls, each with the entry point that fails if the call fails. Ended like hints. */
  const backend_call *releases;
  /* The call that replays a command buffer; replay_each_launch: once for each of its launches. */
  const char *replay;
  bool replay_each_launch;
  bool load_allocates;
} backend_info;

extern const backend_info backend;

/* The output of a launch of "probe": one record for each constant, and maybe others. */
typedef struct launch_record {
  uint32_t what;
  uint32_t size;
  uint64_t value;
} launch_record;

/* A program with the kernels "probe" and "other", in the language of the backend. */
const void *backend_code(void);
size_t backend_code_size(void);

/* A program that takes another path through the plugin. */
const void *backend_other_code(void);
size_t backend_other_code_size(void);

/* The fake driver's controls, which fakes/<driver>/fake_<driver>.h explains. */
void driver_fail(const char *call, unsigned long nth, int code);
/* Returns the name of the failed call as the plugin's messages have it; NULL: no call failed. */
const char *driver_unfail(void);
unsigned long driver_calls(const char *call);
/* Returns the number of objects, without those that a plugin may keep for its next command. */
size_t driver_live(void);
/* Writes all objects, one per line. */
size_t driver_list(char *text, size_t size);

/* Makes the plugin load its driver; returns whether that succeeded. */
bool backend_load(void);

/*
 * Calls that the plugin makes while it loads the driver. If a needed call fails, there are no
 * platforms. If a helpful call fails, there are platforms. If a repeated call fails, piPlatformsGet
 * fails until the call works. Ended by NULL.
 */
extern const char *const backend_needed_calls[];
extern const char *const backend_helpful_calls[];
extern const char *const backend_repeated_calls[];

/*
 * Waits for a moment until no more than this number of objects exist, because the plugin's thread
 * for callbacks may still hold some. Returns false, with a list of the objects, if more remain.
 */
bool driver_settles(size_t objects, char *list, size_t size);

#endif

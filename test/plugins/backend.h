/*
 * The differences between the CUDA and the Level Zero plugin that their shared tests need. Each has
 * a backend_<name>.c.
 */
#ifndef SPECPI_TEST_PLUGINS_BACKEND_H
#define SPECPI_TEST_PLUGINS_BACKEND_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/* X(ability): abilities and habits that only one of the backends has. */
#define BACKEND_ABILITIES(X)                                                                       \
  X(mipmaps)                                                                                       \
  X(cube_maps)                                                                                     \
  X(describes_images) /* those of the application: PI's caller need not */                         \
  X(numbers_devices)  /* their native handles count from 0 */                                      \
  X(native_platforms)                                                                              \
  X(tries_calls)       /* calls whose failure changes no answer */                                 \
  X(has_streams)       /* many, so that a command is in a stream only after those it waits for */  \
  X(chooses_engines)   /* a queue may name one of several */                                       \
  X(offsets_need_code) /* for kernels, besides the entry point without them */                     \
  X(records_parts)     /* of a failed command, in the command buffer */                            \
  X(advises_for_host)                                                                              \
  X(imports_at_once)        /* files, which then belong to the driver */                           \
  X(describes_imports)      /* imported memory of the application has a type and a size */         \
  X(pins_used_memory)       /* memory of the application that a buffer uses */                     \
  X(counts_memory_together) /* memory of the host and of devices is one kind of object */          \
  X(frees_later)            /* a later call frees objects that commands used */                    \
  X(spreads_failures)       /* of user events, to the commands that name them in wait lists */     \
  X(pools_commands)         /* as many as were pending at a time */

/* X(task): tasks for which the backend calls its driver once; the tests count and fail these. */
#define BACKEND_CALLS(X)                                                                           \
  X(copy)                                                                                          \
  X(create_image)                                                                                  \
  X(prefetch)                                                                                      \
  X(advise)

/* X(KIND): kinds of the driver's objects. */
#define DRIVER_KINDS(X)                                                                            \
  X(MEMORY)     /* of a device */                                                                  \
  X(HOST)       /* memory of the host */                                                           \
  X(SHARED)     /* memory that host and device share */                                            \
  X(REGISTERED) /* memory of the application that is pinned or imported */                         \
  X(IMAGE)                                                                                         \
  X(RUN) /* a finalized command buffer in the driver */                                            \
  X(CONTEXT)                                                                                       \
  X(EVENT)

typedef enum driver_kind {
#define DRIVER_KIND(KIND) DRIVER_##KIND,
  DRIVER_KINDS(DRIVER_KIND)
#undef DRIVER_KIND
} driver_kind;

typedef struct backend_info {
  const char *name;        /* in the names of tests */
  pi_uint32 max_alignment; /* of USM */
  pi_uint32 platform;      /* PI_EXT_PLATFORM_INFO_BACKEND, and a part of the platform's name */
  const char *platform_name;
  int refused_queries[2]; /* fewest and most queries of pi_device_info without an answer */
  /* Queries of a device that call the driver each time. */
  const pi_device_info *driver_queries;
  size_t driver_query_count;
#define BACKEND_ABILITY(ability) bool ability;
  BACKEND_ABILITIES(BACKEND_ABILITY)
#undef BACKEND_ABILITY
#define BACKEND_CALL(task) const char *task;
  struct {
    BACKEND_CALLS(BACKEND_CALL)
  } call;
#undef BACKEND_CALL
} backend_info;

extern const backend_info backend;

/* The driver's controls, which fake_<driver>.h in fakes explains. */
unsigned long driver_calls(const char *call);
size_t driver_live(driver_kind kind);
size_t driver_live_all(void);

/*
 * Makes the nth call from now on (1 is the next) of call, or of any function with NULL, fail for
 * lack of device memory. PI's result for that is PI_ERROR_OUT_OF_RESOURCES.
 */
void driver_fail(const char *call, unsigned long nth);
/* Cancels that. Returns the failed call as the driver's header names it; NULL: none was reached. */
const char *driver_unfail(void);

/* Returns the backend that the platform reports: the user may choose it. */
pi_uint32 backend_to_report(void);

/* A program with the kernel add(p, n) of kernels.cl. */
const void *backend_kernels(void);
size_t backend_kernels_size(void);

/*
 * Returns whether a barrier in an out-of-order queue that waits for nothing pending ends while
 * commands before it are held.
 */
bool barriers_end_alone(pi_queue queue);

/* Returns whether w.device shares the memory of the host. */
bool device_is_integrated(void);

/* Returns whether shared memory of w.device moves to its user. */
bool device_moves_memory(void);

/* Returns whether the driver imports memory of the application that is not a file's. */
bool driver_imports_memory(void);

/* Returns whether the driver has images of a format, which kernels may write. */
bool driver_has_format(const pi_image_format *format, bool is_writable);

/* Returns the bytes of the driver's allocation that starts at memory. */
size_t driver_size_of(const void *memory);

/* Waits for all work of the driver that no queue of PI waits for. */
void driver_finish(void);

/*
 * Prints all objects that a test has left, and why commands failed. Returns whether there are none.
 */
bool driver_is_clean(void);

#endif

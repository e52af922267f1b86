/*
 * What the tests that the CUDA and the Level Zero plugin share have to know of the one that they
 * run on. There is a backend_<name>.c for each of them.
 */
#ifndef SPECPI_TEST_PLUGINS_BACKEND_H
#define SPECPI_TEST_PLUGINS_BACKEND_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/* X(ability): what one backend has or does and the other does not. */
#define BACKEND_ABILITIES(X)                                                                       \
  X(mipmaps)                                                                                       \
  X(cube_maps)                                                                                     \
  X(describes_images) /* those of the application: PI's caller need not */                         \
  X(numbers_devices)  /* their native handles count from 0 */                                      \
  X(native_platforms)                                                                              \
  X(tries_calls)       /* whose failure changes no answer */                                       \
  X(has_streams)       /* many, so that no command is behind one that it does not wait for */      \
  X(chooses_engines)   /* a queue may be told which of several */                                  \
  X(offsets_need_code) /* of a kernel, besides the entry without them */                           \
  X(records_parts)     /* of a command that fails into a command buffer */                         \
  X(advises_for_host)                                                                              \
  X(imports_at_once)        /* files, which are the driver's from then on */                       \
  X(describes_imports)      /* memory of the application that is imported has a type and a size */ \
  X(pins_used_memory)       /* of the application, which a buffer is told to use */                \
  X(counts_memory_together) /* that of the host and that of devices are one kind of object */      \
  X(frees_later)            /* what commands used goes with another call */                        \
  X(spreads_failures)       /* of user events, to the commands that wait for them by name */       \
  X(pools_commands)         /* as many as there were pending at a time */

/* X(task): what the backend has one call of its driver for, by which the tests count and fail. */
#define BACKEND_CALLS(X)                                                                           \
  X(copy)                                                                                          \
  X(create_image)                                                                                  \
  X(prefetch)                                                                                      \
  X(advise)

/* X(KIND): kinds of the driver's objects. */
#define DRIVER_KINDS(X)                                                                            \
  X(MEMORY)     /* of a device */                                                                  \
  X(HOST)       /* memory of the host */                                                           \
  X(REGISTERED) /* memory of the application that is pinned or imported */                         \
  X(IMAGE)                                                                                         \
  X(RUN) /* what a finalized command buffer is to the driver */                                    \
  X(CONTEXT)                                                                                       \
  X(EVENT)

typedef enum driver_kind {
#define DRIVER_KIND(KIND) DRIVER_##KIND,
  DRIVER_KINDS(DRIVER_KIND)
#undef DRIVER_KIND
} driver_kind;

typedef struct backend_info {
  const char *name;        /* as tests are called */
  pi_uint32 max_alignment; /* of USM */
  pi_uint32 platform;      /* PI_EXT_PLATFORM_INFO_BACKEND, and a part of its platform's name */
  const char *platform_name;
  int refused_queries[2]; /* so many of pi_device_info have no answer, at least and at most */
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

/* The driver's controls; fakes has their meaning, in fake_<driver>.h. */
unsigned long driver_calls(const char *call);
size_t driver_live(driver_kind kind);
size_t driver_live_all(void);

/*
 * The nth call from now on (1 is the next one) of call, or of any with NULL, fails for want of the
 * device's memory, which is PI_ERROR_OUT_OF_RESOURCES.
 */
void driver_fail(const char *call, unsigned long nth);
/* Takes that back. The call that failed, as the driver's header has it; NULL: none was reached. */
const char *driver_unfail(void);

/* The platform that the plugin says it is: the user may choose it. */
pi_uint32 backend_to_report(void);

/* A program with the kernel add(p, n) of kernels.cl. */
const void *backend_kernels(void);
size_t backend_kernels_size(void);

/*
 * Whether a barrier out of order that waits for nothing that is pending ends while commands before
 * it are held.
 */
bool barriers_end_alone(pi_queue queue);

/* Whether w.device shares the memory of the host. */
bool device_is_integrated(void);

/* Whether shared memory of w.device is moved to where it is used. */
bool device_moves_memory(void);

/* Whether the driver takes memory of the application that is not a file's. */
bool driver_imports_memory(void);

/* Whether the driver has images of a format, which kernels write or not. */
bool driver_has_format(const pi_image_format *format, bool is_writable);

/* Prints all objects that a test has left, and why commands failed. Whether there was neither. */
bool driver_is_clean(void);

#endif

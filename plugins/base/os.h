/* Services of the operating system for plugins and libspecpi. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stddef.h>
#include <stdint.h>

/* A reason for a failure: a message without a full stop. */
typedef struct os_reason {
  char text[512];
} os_reason;

/* Returns the time in nanoseconds of a clock that never goes back. */
uint64_t os_time_ns(void);

/* Returns the number of processors that the calling thread may use. */
size_t os_processors(void);

/* Returns an environment variable; NULL if the process has more rights than its user. */
const char *os_environment_safe(const char *name);

#endif

/* Services of the operating system for plugins and libspecpi. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stdint.h>

/* Receives a reason: a message without a full stop. */
typedef struct os_reason {
  char text[512];
} os_reason;

/* Nanoseconds of a clock that never goes back. */
uint64_t os_time_ns(void);

/* A variable of the environment, NULL in a process that runs with more rights than its user. */
const char *os_environment_safe(const char *name);

#endif

#define _GNU_SOURCE /* secure_getenv */
#include "os.h"

#include <stdlib.h>
#include <time.h>

uint64_t os_time_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *os_environment_safe(const char *name) {
  return secure_getenv(name);
}

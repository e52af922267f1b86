#define _GNU_SOURCE /* secure_getenv, sched_getaffinity */
#include "os.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

uint64_t os_time_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

size_t os_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

const char *os_environment_safe(const char *name) {
  return secure_getenv(name);
}

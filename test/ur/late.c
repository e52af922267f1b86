/* A library with a slow destructor. It delays the exit after the adapter's own destructor. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <time.h>

__attribute__((destructor)) static void leave_late(void) {
  nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

/*
 * While libspecpi loads fake plugins and lists their devices, each of its allocations fails once.
 * The call reports the failure and does not change its outputs, and the next call succeeds.
 */
#include "../unit/memory.h"
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 32, TOO_MANY = 10000, ALL = 2 * (4 + 2) };

/* Exit statuses of the child process that tests one allocation. */
enum { REACHED_THE_END = 10, FAILED_WELL, FAILED_BADLY };

/* Makes the first call of a new process, with allocation n failing. */
static int try_once(long n) {
  specpi_device devices[ROOM] = {NULL};
  size_t count = 99;
  memory_watch(n);
  const specpi_result result = specpiDevicesGetPreferred("*:*,*.*", ROOM, devices, &count);
  const memory_use use = memory_unwatch();
  if (result == SPECPI_SUCCESS)
    return count == ALL && !use.failed ? REACHED_THE_END : FAILED_BADLY;
  if (!use.failed || result != SPECPI_ERROR_OUT_OF_MEMORY || count != 99 || devices[0] ||
      strcmp(specpiGetLastError(), "an allocation failed") != 0)
    return FAILED_BADLY;
  if (specpiDevicesGet("*:*,*.*", ROOM, devices, &count) != SPECPI_SUCCESS || count != ALL ||
      strcmp(specpiDeviceGetSelector(devices[1]), "opencl:0.0") != 0)
    return FAILED_BADLY;
  return FAILED_WELL;
}

TEST(survives_every_failed_allocation) {
  long n = 0;
  for (; n < TOO_MANY; n++) {
    const pid_t child = tests_fork();
    if (child == 0)
      exit(try_once(n));
    const int status = tests_status(child);
    if (status == REACHED_THE_END)
      break;
    if (status != FAILED_WELL)
      fail_msg("allocation %ld: status %d", n, status);
  }
  /* There are ALL devices with seven allocations each, and more for plugins and platforms. */
  assert_in_range(n, ALL * 7, TOO_MANY - 1);
}

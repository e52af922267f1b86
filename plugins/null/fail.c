#include "fail.h"

#include "../base/error.h"

#include <stdatomic.h>

static atomic_uint left[NULL_FAILURES];

void null_fail(null_failure what, unsigned nth) {
  atomic_store(&left[what], nth);
}

pi_result null_may(null_failure what) {
  unsigned now = atomic_load(&left[what]);
  while (now && !atomic_compare_exchange_weak(&left[what], &now, now - 1))
    ;
  REQUIRE(now != 1, what == NULL_BUILD ? PI_ERROR_BUILD_PROGRAM_FAILURE : PI_ERROR_OUT_OF_RESOURCES,
          "a test has the driver fail");
  return PI_SUCCESS;
}

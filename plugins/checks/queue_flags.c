#include "queue_flags.h"

#include "../base/error.h"

#define FLAG_BITS                                                                                  \
  ((pi_queue_properties)(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE |                             \
                         PI_QUEUE_FLAG_PROFILING_ENABLE |                                          \
                         PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS) |                                \
   QUEUE_DEVICE_BITS | QUEUE_PRIORITY_BITS | QUEUE_SUBMISSION_BITS)

pi_result queue_check_flags(pi_queue_properties flags) {
  REQUIRE(!(flags & ~FLAG_BITS), PI_ERROR_INVALID_VALUE,
          "bits 0x%llx of the queue's flags have no meaning",
          (unsigned long long)(flags & ~FLAG_BITS));
  REQUIRE((flags & QUEUE_PRIORITY_BITS) != QUEUE_PRIORITY_BITS, PI_ERROR_INVALID_QUEUE_PROPERTIES,
          "the queue's flags ask for low and for high priority");
  REQUIRE((flags & QUEUE_SUBMISSION_BITS) != QUEUE_SUBMISSION_BITS,
          PI_ERROR_INVALID_QUEUE_PROPERTIES,
          "the queue's flags ask for immediate and for other submission");
  return PI_SUCCESS;
}

pi_result queue_read_properties(const pi_queue_properties *properties, pi_uint32 compute_queues,
                                pi_queue_properties *flags, pi_uint32 *index) {
  *flags = 0;
  *index = QUEUE_ANY_INDEX;
  for (const pi_queue_properties *p = properties; p && *p != 0; p += 2) {
    if (*p == PI_QUEUE_FLAGS) {
      *flags = p[1];
    } else if (*p == PI_QUEUE_COMPUTE_INDEX) {
      REQUIRE(p[1] < compute_queues, PI_ERROR_INVALID_VALUE,
              "the compute index is %llu, the number of the device's queues for kernels is %u",
              (unsigned long long)p[1], compute_queues);
      *index = (pi_uint32)p[1];
    } else {
      return plugin_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a queue's properties",
                          (unsigned long long)*p);
    }
  }
  return PI_SUCCESS;
}

/* Checks and reads flags and properties of queues, for all drivers. */
#ifndef OBJECTS_QUEUE_FLAGS_H
#define OBJECTS_QUEUE_FLAGS_H

#include <pi/pi.h>

/* Flags for queues on the device, for priorities, and for ways to submit commands. */
#define QUEUE_DEVICE_BITS                                                                          \
  ((pi_queue_properties)(PI_QUEUE_FLAG_ON_DEVICE | PI_QUEUE_FLAG_ON_DEVICE_DEFAULT))
#define QUEUE_PRIORITY_BITS                                                                        \
  ((pi_queue_properties)(PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW |                                   \
                         PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH))
#define QUEUE_SUBMISSION_BITS                                                                      \
  ((pi_queue_properties)(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE |                               \
                         PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE))

/* Value of the queue index if the application requests no particular one. */
#define QUEUE_ANY_INDEX UINT32_MAX

/* Why PI_QUEUE_INFO_SIZE and PI_QUEUE_INFO_DEVICE_DEFAULT are not answered, for a message. */
#define QUEUE_NOT_ON_DEVICE "the queue is not one on the device"

/*
 * Checks that flags are consistent. PI_ERROR_INVALID_VALUE: flags has unknown bits.
 * PI_ERROR_INVALID_QUEUE_PROPERTIES: flags has bits that exclude each other.
 */
pi_result queue_check_flags(pi_queue_properties flags);

/*
 * Reads a list of properties, which may be NULL. compute_queues is the device's number of queues
 * for kernels. *flags is not checked; *index may become QUEUE_ANY_INDEX. PI_ERROR_INVALID_VALUE: a
 * key is unknown, or the device has no queue with this index.
 */
pi_result queue_read_properties(const pi_queue_properties *properties, pi_uint32 compute_queues,
                                pi_queue_properties *flags, pi_uint32 *index);

#endif

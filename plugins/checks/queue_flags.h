/* The meaning of queues' flags and properties, whatever the driver is. */
#ifndef OBJECTS_QUEUE_FLAGS_H
#define OBJECTS_QUEUE_FLAGS_H

#include <pi/pi.h>

/* Bits of a queue on the device, of its priority, and of the way to submit commands. */
#define QUEUE_DEVICE_BITS                                                                          \
  ((pi_queue_properties)(PI_QUEUE_FLAG_ON_DEVICE | PI_QUEUE_FLAG_ON_DEVICE_DEFAULT))
#define QUEUE_PRIORITY_BITS                                                                        \
  ((pi_queue_properties)(PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW |                                   \
                         PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH))
#define QUEUE_SUBMISSION_BITS                                                                      \
  ((pi_queue_properties)(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE |                               \
                         PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE))

/* Instead of an index of the device's queues for kernels. */
#define QUEUE_ANY_INDEX UINT32_MAX

/* Reason for no answer to PI_QUEUE_INFO_SIZE and PI_QUEUE_INFO_DEVICE_DEFAULT. */
#define QUEUE_NOT_ON_DEVICE "the queue is not one on the device"

/*
 * Checks that flags belong together. PI_ERROR_INVALID_VALUE: bits that PI does not have;
 * PI_ERROR_INVALID_QUEUE_PROPERTIES: bits that exclude each other.
 */
pi_result queue_check_flags(pi_queue_properties flags);

/*
 * Reads a list of properties, which may be NULL, for a device with so many queues for kernels:
 * flags, which are not checked, and *index or QUEUE_ANY_INDEX. PI_ERROR_INVALID_VALUE: another key,
 * or an index that the device does not have.
 */
pi_result queue_read_properties(const pi_queue_properties *properties, pi_uint32 compute_queues,
                                pi_queue_properties *flags, pi_uint32 *index);

#endif

/*
 * Values of the answers of piDeviceGetInfo, which the objects or the driver provide. pi_enums.def
 * has the form of each answer.
 */
#ifndef OBJECTS_DEVICE_INFO_H
#define OBJECTS_DEVICE_INFO_H

#include <pi/pi.h>

#include <stddef.h>

enum { DEVICE_SIZES_MAX = 8 };

/* A value, in the member that the query's form uses. */
typedef struct device_value {
  const char *reason; /* why the query has no answer; NULL if it has one */
  pi_uint64 number;   /* a number of any size, bits, a flag or a handle */
  size_t count;       /* of sizes, if the form does not fix it */
  size_t sizes[DEVICE_SIZES_MAX];
  char text[1024]; /* or bytes */
} device_value;

/* Each sets the value and returns PI_SUCCESS. */
static inline pi_result device_number(device_value *ret, pi_uint64 number) {
  ret->reason = NULL;
  ret->number = number;
  return PI_SUCCESS;
}
static inline pi_result device_no_answer(device_value *ret, const char *reason) {
  ret->reason = reason;
  return PI_SUCCESS;
}
/* count is at most DEVICE_SIZES_MAX. */
pi_result device_sizes(device_value *ret, size_t count, const size_t *sizes);
pi_result device_bytes(device_value *ret, const void *bytes, size_t size);
pi_result device_text(device_value *ret, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* A runtime's data about a program besides its code, in the form of PI's images. */
#ifndef UR_METADATA_H
#define UR_METADATA_H

#include <pi/pi.h>
#include <ur/ur.h>

typedef struct metadata {
  uint32_t count;
  pi_device_binary_property_struct *entries;
  pi_device_binary_property *list; /* of the entries */
} metadata;

/*
 * Reads properties, which may be NULL, to *ret, which is to be freed and refers to the caller's
 * texts. UR_RESULT_ERROR_INVALID_NULL_POINTER, UR_RESULT_ERROR_INVALID_SIZE: the list is not there,
 * or without a number; UR_RESULT_ERROR_INVALID_ENUMERATION: a type that UR does not have;
 * UR_RESULT_ERROR_OUT_OF_HOST_MEMORY.
 */
ur_result_t metadata_read(const ur_program_properties_t *properties, metadata *ret);
void metadata_free(metadata *metadata);

#endif

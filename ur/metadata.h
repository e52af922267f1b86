/*
 * The metadata that a runtime passes with a program, in the form of the properties of PI's images.
 */
#ifndef UR_METADATA_H
#define UR_METADATA_H

#include <pi/pi.h>
#include <ur/ur.h>

typedef struct metadata {
  uint32_t count;
  pi_device_binary_property_struct *entries;
  pi_device_binary_property *list; /* pointers to the entries */
} metadata;

/*
 * Reads properties, which may be NULL, into *ret. The caller frees *ret, which refers to the
 * properties' texts. UR_RESULT_ERROR_INVALID_NULL_POINTER: the list is missing;
 * UR_RESULT_ERROR_INVALID_SIZE: its count is 0; UR_RESULT_ERROR_INVALID_ENUMERATION: UR has no such
 * type; UR_RESULT_ERROR_OUT_OF_HOST_MEMORY.
 */
ur_result_t metadata_read(const ur_program_properties_t *properties, metadata *ret);
void metadata_free(metadata *metadata);

#endif

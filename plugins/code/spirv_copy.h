/* Copies a SPIR-V module for a driver. */
#ifndef CODE_SPIRV_COPY_H
#define CODE_SPIRV_COPY_H

#include <pi/pi.h>

/*
 * Copies a module of length bytes and moves the SpecId of each decoration group to the group's
 * members, because some drivers ignore a group's SpecId. The caller frees *ret.
 *
 * PI_ERROR_INVALID_VALUE: as spirv_open and spirv_next. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_copy(const void *il, size_t length, void **ret, size_t *ret_length);

#endif

/* The form in which drivers get a SPIR-V module. */
#ifndef CODE_SPIRV_COPY_H
#define CODE_SPIRV_COPY_H

#include <pi/pi.h>

/*
 * Copies a module of length bytes, freed by the caller, with the SpecId of every decoration group
 * moved to the group's members: drivers look for constants in plain decorations only.
 *
 * PI_ERROR_INVALID_VALUE: as spirv_open and spirv_next. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_copy(const void *il, size_t length, void **ret, size_t *ret_length);

#endif

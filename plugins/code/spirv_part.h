/* One kernel of a module of SPIR-V, with what it calls. */
#ifndef CODE_SPIRV_PART_H
#define CODE_SPIRV_PART_H

#include <pi/pi.h>

/*
 * Copies a module without the functions that the kernel of a name does not reach, the entry points
 * of others, their names and decorations, and debug information; the caller frees *ret. Types,
 * constants and variables stay. The copy takes the same values, and the kernel computes the same.
 *
 * PI_ERROR_INVALID_KERNEL_NAME: the module has no such kernel. PI_ERROR_INVALID_VALUE: it is
 * damaged, as spirv_open and spirv_next say. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_part(const void *il, size_t length, const char *kernel, void **ret,
                     size_t *ret_length);

#endif

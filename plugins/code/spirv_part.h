/* Extracts one kernel from a SPIR-V module. */
#ifndef CODE_SPIRV_PART_H
#define CODE_SPIRV_PART_H

#include <pi/pi.h>

/*
 * Copies a module for one kernel. Omits other entry points, functions that the kernel cannot call,
 * the names and decorations in them, and debug information. Keeps types, constants and variables,
 * so that the copy has the same specialization constants. The caller frees *ret.
 *
 * PI_ERROR_INVALID_KERNEL_NAME: the module has no such kernel. PI_ERROR_INVALID_VALUE: the module
 * is damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_part(const void *il, size_t length, const char *kernel, void **ret,
                     size_t *ret_length);

#endif

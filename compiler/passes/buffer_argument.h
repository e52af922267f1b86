/*
 * The buffer of mode emulate where the uses have none: an argument of each kernel, handed
 * down to the functions that it calls.
 */
#ifndef COMPILER_PASSES_BUFFER_ARGUMENT_H
#define COMPILER_PASSES_BUFFER_ARGUMENT_H

#include "spec_constants.h"

/*
 * Gives each use whose buffer is NULL, and which a kernel reaches, the kernel's buffer: its
 * argument _arg__specialization_constants_buffer, or one that is added after the others, to
 * the kernel and to the functions in between. The output's kernels receive the indices.
 * Uses that no kernel reaches stay as they are.
 *
 * INVALID_CALL: a function in between is used otherwise than by calls. OUT_OF_MEMORY.
 */
specpi_compiler_result buffer_argument_thread(pass *p);

#endif

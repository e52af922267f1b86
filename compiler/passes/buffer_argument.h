/*
 * The buffer of mode emulate for uses that have none: kernels get it as an argument, and pass it to
 * the functions that they call.
 */
#ifndef COMPILER_PASSES_BUFFER_ARGUMENT_H
#define COMPILER_PASSES_BUFFER_ARGUMENT_H

#include "spec_constants.h"

/*
 * Gives each use whose buffer is NULL the buffer of the kernel that reaches it: the kernel's
 * argument _arg__specialization_constants_buffer or, if there is none, an argument that is added at
 * the end of the kernel. Functions between kernel and use get such an argument, too. Records the
 * argument's index in each of the output's kernels. Uses that no kernel reaches stay as they are.
 *
 * INVALID_CALL: a function in between has uses that are not calls. OUT_OF_MEMORY.
 */
specpi_compiler_result buffer_argument_thread(pass *p);

#endif

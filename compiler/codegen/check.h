/* Checks of a whole module before a kernel of it is built. */
#ifndef CODEGEN_CHECK_H
#define CODEGEN_CHECK_H

#include "build.h"

#include <stdbool.h>

/*
 * Checks SPIR-V without making code of it: capabilities, instructions, values, and that a library
 * defines the functions which the module takes from elsewhere. *ret is false where only a build of
 * all kernels tells, because there is a function that no library has. Errors of words_prepare.
 */
specpi_compiler_result check_module(const build_request *request, bool *ret);

#endif

/* Checks of a whole module before a kernel of it is built. */
#ifndef CODEGEN_CHECK_H
#define CODEGEN_CHECK_H

#include "build.h"

#include <stdbool.h>

/*
 * Checks SPIR-V without making code of it: capabilities, instructions, values, and that the
 * functions which a module takes from elsewhere are defined by a library, or by one other module of
 * the request; those of a part need not be. *ret is false where only a build of all kernels tells,
 * because nobody has a function, or several do. Errors of words_prepare.
 */
specpi_compiler_result check_module(const build_request *request, bool *ret);

#endif

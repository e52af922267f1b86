/* Checks of a whole module before any of its kernels is built. */
#ifndef CODEGEN_CHECK_H
#define CODEGEN_CHECK_H

#include "build.h"

#include <stdbool.h>

/*
 * Checks a request's SPIR-V modules without generating code: capabilities, instructions, values,
 * and imported functions. *ret is false if only a build of all kernels can decide: no library and
 * no module of the request defines an import, or several modules define the same function. Imports
 * of a part are not checked. Errors are those of words_prepare.
 */
specpi_compiler_result check_module(const build_request *request, bool *ret);

#endif

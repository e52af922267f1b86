/*
 * Users of constants without a default. A program that is built for other kernels need not set such
 * a constant.
 */
#ifndef COMPILER_PASSES_REQUIRED_USERS_H
#define COMPILER_PASSES_REQUIRED_USERS_H

#include "spec_constants.h"

/*
 * Fills the output's list of users: kernels and exported functions. Call this while the uses are
 * still in the module. OUT_OF_MEMORY.
 */
specpi_compiler_result required_users_find(const pass *p);

#endif

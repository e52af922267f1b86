/*
 * Who uses a constant that has no default: a program that is built for another kernel need not set
 * it.
 */
#ifndef COMPILER_PASSES_REQUIRED_USERS_H
#define COMPILER_PASSES_REQUIRED_USERS_H

#include "spec_constants.h"

/*
 * Fills the output's list of users, kernels and functions that other images call, from uses that
 * are still in the module. OUT_OF_MEMORY.
 */
specpi_compiler_result required_users_find(const pass *p);

#endif

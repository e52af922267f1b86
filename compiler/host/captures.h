/*
 * The names that lambdas may capture: with them the host's side finds the members of a lambda,
 * which GCC calls __NAME.
 */
#ifndef COMPILER_HOST_CAPTURES_H
#define COMPILER_HOST_CAPTURES_H

#include "variables.h"

#include <stdio.h>

/* Looks at what is inside a lambda: a local variable or a parameter is added. OUT_OF_MEMORY. */
host_result captures_consider(unit *unit, variables *found, CXCursor cursor);

/*
 * Looks at a function made of a template: that of include/sycl which lays out a kernel's function
 * object says which lambdas are kernels. OUT_OF_MEMORY.
 */
host_result captures_consider_function(unit *unit, variables *found, CXCursor function);

/* Puts the names into an order, when all have been found. */
void captures_sort(variables *found);

/*
 * Writes the names as macros for include/sycl/detail/captures.hpp, where the file includes SYCL.
 */
void captures_write(const variables *found, FILE *to);

#endif

/*
 * Types that name specialization constants, spec_constant<int, class Width>: the integration header
 * maps each to its symbolic id, "_ZTS" and its mangled name.
 */
#ifndef COMPILER_HOST_TYPES_H
#define COMPILER_HOST_TYPES_H

#include "variables.h"

#include <stdio.h>

/* The template whose specialisations the header has, a member of sycl::detail. */
#define HOST_TYPE_TEMPLATE "SpecConstantInfo"

/*
 * Looks at a declaration or an expression: the second argument of spec_constant of namespace sycl,
 * or of a namespace in it, is such a type, and so is the argument of HOST_TYPE_TEMPLATE where
 * something of it is referred to. OUT_OF_MEMORY.
 */
host_result types_consider(unit *unit, variables *found, CXCursor cursor);

/*
 * Writes the types' declarations and the specialisations, which need nothing before them.
 * UNSUPPORTED: a type cannot be declared before the file; the message has the reason.
 * OUT_OF_MEMORY, INTERNAL.
 */
host_result types_write(unit *unit, const variables *found, FILE *to);

#endif

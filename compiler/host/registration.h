/*
 * The object whose constructor registers a unit's variables: the proposal "Mapping host variables
 * to compiler-generated info", section "Integration footer approach".
 */
#ifndef COMPILER_HOST_REGISTRATION_H
#define COMPILER_HOST_REGISTRATION_H

#include "variables.h"

#include <stdio.h>

/*
 * The object, before everything else in the unit. Only the first text that has it declares it, so
 * that a footer is whole without its header.
 */
void registration_declare(const variables *found, FILE *to);

/* The bodies of its constructor and destructor; expressions has the variables in the list's order.
 */
void registration_define(const variables *found, const char *const *expressions, FILE *to);

#endif

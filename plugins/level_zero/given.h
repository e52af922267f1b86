/*
 * Modules and kernels of the driver that were given away as native handles, and the object that
 * each belongs to: the same handle that comes back is the same object.
 */
#ifndef PI_LEVEL_ZERO_GIVEN_H
#define PI_LEVEL_ZERO_GIVEN_H

#include "level_zero.h"

/*
 * Notes that native is owner's; noted again it replaces what was noted. Thread safe.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result given_remember(const void *native, pi_handle *owner);

/* Drops all notes of an object, which is being destroyed. Costs one load while nothing is noted. */
void given_forget(const pi_handle *owner);

/* The same of a handle of the driver's that is being destroyed; native may be NULL. */
void given_forget_native(const void *native);

/*
 * The live object of that kind which native belongs to, with a new reference; NULL when it is none
 * of ours.
 */
pi_handle *given_find(const void *native, pi_handle_kind kind);

#endif

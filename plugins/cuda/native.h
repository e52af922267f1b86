/*
 * Native handles that were given away, and the object each belongs to. CUDA's own objects have no
 * count of references, so that one which comes back must not be destroyed by two owners: what is
 * made of it then keeps a reference to the object it came from.
 */
#ifndef PI_CUDA_NATIVE_H
#define PI_CUDA_NATIVE_H

#include "cuda.h"

/*
 * Notes that native (a context, a stream, an event, a device pointer, a module, a function) is
 * owner's, which forgets it when it is destroyed. There may be several owners, the latest of which
 * counts: a part of a buffer may have the pointer of the whole one. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result native_remember(const void *native, pi_handle *owner);

/* Drops the note, if it is there and owner's; native may be NULL. */
void native_forget(const void *native, const pi_handle *owner);

/*
 * The object of that kind which native belongs to, NULL when it is none of ours. The caller gets a
 * reference: the one that comes with the handle if is_owned, a new one otherwise.
 */
pi_handle *native_find(const void *native, pi_handle_kind kind, bool is_owned);

/* Gives up what native_find gave; origin may be NULL. */
void native_release_origin(pi_handle *origin);

#endif

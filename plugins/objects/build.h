/*
 * Builds: results of building or linking a program. Kernels hold a reference, so that they keep
 * their code when the program is built again with other values.
 */
#ifndef OBJECTS_BUILD_H
#define OBJECTS_BUILD_H

#include "context.h"
#include "deferred_free.h"

#include <stdatomic.h>

typedef struct program_build {
  deferred deferred;
  atomic_uint references;
  atomic_bool is_used;             /* a pending command may use its code or variables */
  pi_context context;              /* a reference, unless is_shared */
  bool is_shared;                  /* see build_share */
  _Atomic pi_native_handle native; /* native handle returned before; 0: none */
  struct driver_build driver;
} program_build;

/* A build without code, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result build_create(pi_context context, program_build **ret);

static inline void build_retain(program_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}

/*
 * Gives up a reference; build may be NULL. The last one unloads the code, but only when no pending
 * command may use it.
 */
void build_release(program_build *build);

/*
 * Gives up the reference of a new build to its context, because from now on the context owns the
 * build. All other holders of the build hold the context, too.
 */
void build_share(program_build *build);

/* build_release of a shared build at the end of its context: unloads the code at once. */
void build_end(program_build *build);

/* Records that from now on a pending command may use the build's code or variables. */
static inline void build_is_used(program_build *build) {
  if (!atomic_load_explicit(&build->is_used, memory_order_relaxed))
    atomic_store_explicit(&build->is_used, true, memory_order_relaxed);
}

#endif

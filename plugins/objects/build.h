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
  atomic_bool is_used;             /* a command with its code or variables may be under way */
  pi_context context;              /* a reference, unless it is shared */
  bool is_shared;                  /* see build_share */
  _Atomic pi_native_handle native; /* returned before; 0: none was */
  struct driver_build driver;
} program_build;

/* A build without code, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result build_create(pi_context context, program_build **ret);

static inline void build_retain(program_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}

/*
 * NULL is fine. The last release unloads the code; while a command that may use it is under way,
 * that is put off.
 */
void build_release(program_build *build);

/*
 * Gives up a build's reference to its context, which keeps the build itself from then on: all other
 * holders of the build hold the context, too. Only before others know the build.
 */
void build_share(program_build *build);

/* build_release of a shared build by the end of its context: puts nothing off. */
void build_end(program_build *build);

/* Records that a command with the build's code or variables may be under way from now on. */
static inline void build_is_used(program_build *build) {
  if (!atomic_load_explicit(&build->is_used, memory_order_relaxed))
    atomic_store_explicit(&build->is_used, true, memory_order_relaxed);
}

#endif

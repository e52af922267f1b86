/*
 * Programs: the code they are made of, the values of their constants, and what a build gives.
 *
 * What the code says is read when a program is made and does not change. The values and the result
 * of the latest build change, under a lock; each build works on a copy of the values.
 */
#ifndef PI_LEVEL_ZERO_PROGRAM_H
#define PI_LEVEL_ZERO_PROGRAM_H

#include "../common/constants.h"
#include "context.h"

#include <pthread.h>

/*
 * The result of a build: a module for each root device of the context that it was built for.
 * Kernels hold a reference, so that they keep their code when the program is built again with other
 * values.
 */
typedef struct level_zero_build {
  atomic_uint references;
  pi_context context;           /* a reference */
  bool is_owned;                /* the modules are destroyed with the build */
  pi_uint32 count;              /* the context's roots */
  ze_module_handle_t modules[]; /* by context_root; NULL: not built for that device */
} level_zero_build;

static inline void build_retain(level_zero_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}
/* NULL is fine. */
void build_release(level_zero_build *build);

typedef enum program_kind {
  PROGRAM_IL,     /* SPIR-V */
  PROGRAM_BINARY, /* the driver's native format, for some devices */
  PROGRAM_LINKED, /* by piProgramLink */
  PROGRAM_NATIVE, /* around a ze_module_handle_t of the application: no code */
} program_kind;

struct pi_program_object {
  pi_handle handle;
  pi_context context; /* a reference */
  program_kind kind;
  unsigned char *code; /* of PROGRAM_IL */
  size_t code_size;
  pi_constants *constants;    /* of PROGRAM_IL; NULL for others */
  pthread_mutex_t build_lock; /* held by a build: there is one at a time */
  pthread_mutex_t lock;       /* of all that follows; never held across a call of the driver */
  level_zero_build *build;    /* the latest one; NULL before it, and when it failed */
  pi_program_build_status status;
  pi_program_binary_type type;
  char *options; /* NULL is "" */
  char *log;     /* NULL is "" */
};

static inline void program_retain(pi_program program) {
  pi_handle_retain(&program->handle);
}
void program_release(pi_program program);

/*
 * The latest build with a reference for the caller; PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there
 * is none.
 */
pi_result program_hold_build(pi_program program, level_zero_build **ret);

#endif

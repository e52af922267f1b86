/*
 * SPIR-V of a program, which its builds and linked programs share: Level Zero tells how many
 * arguments a kernel has and not what they are, so that they are read here.
 */
#ifndef PI_LEVEL_ZERO_CODE_H
#define PI_LEVEL_ZERO_CODE_H

#include "../code/constants.h"

#include <pthread.h>
#include <stdatomic.h>

/* What an argument of a kernel is. */
typedef enum code_argument_kind {
  CODE_UNKNOWN, /* anything: a native binary's, or a type that is not known here */
  CODE_VALUE,   /* size bytes */
  CODE_POINTER, /* to global or constant memory: size bytes */
  CODE_LOCAL,   /* a pointer to local memory, of as many bytes as the host says */
  CODE_IMAGE,
  CODE_SAMPLER,
} code_argument_kind;

typedef struct code_argument {
  code_argument_kind kind;
  pi_uint32 size; /* 0: not known, e.g. because a constant decides it */
} code_argument;

typedef struct code_kernel {
  const char *name; /* in the code's bytes */
  pi_uint32 argument_count;
  code_argument *arguments;
} code_kernel;

typedef struct level_zero_code {
  atomic_uint references;
  unsigned char *bytes;
  size_t size;
  pthread_mutex_t lock; /* of what follows, which is read when it is asked for first */
  bool is_read;
  code_kernel *kernels; /* by name */
  size_t kernel_count;
  code_argument *arguments; /* of all kernels */
} level_zero_code;

/*
 * Code of a module, which is copied in the form for drivers (../code/spirv_copy.h).
 * PI_ERROR_INVALID_VALUE: no SPIR-V module, or a damaged one; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_create(const void *il, size_t length, level_zero_code **ret);

/*
 * The same module with the values that are set now as the defaults of its constants: what a link
 * gives the driver. A new reference to code itself when none is set. Errors as code_create.
 */
pi_result code_specialise(level_zero_code *code, pi_constants *constants, level_zero_code **ret);

static inline void code_retain(level_zero_code *code) {
  atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
}
/* NULL is fine. */
void code_release(level_zero_code *code);

/*
 * The kernel of that name, which stays as long as the code does; *ret is NULL when there is none.
 * Thread safe. PI_ERROR_INVALID_VALUE: damaged SPIR-V; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_find_kernel(level_zero_code *code, const char *name, const code_kernel **ret);

/* Reads the kernels of a code into it, in code_kernels.c; under its lock. Errors as above. */
pi_result code_read_kernels(level_zero_code *code);

#endif

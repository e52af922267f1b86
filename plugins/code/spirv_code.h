/*
 * SPIR-V of a program, which its builds and linked programs share. A driver may report how many
 * arguments a kernel has but not their kinds, so they are read here.
 */
#ifndef CODE_SPIRV_CODE_H
#define CODE_SPIRV_CODE_H

#include "constants.h"

#include <pthread.h>
#include <stdatomic.h>

/* Kinds of a kernel's arguments. */
typedef enum spirv_argument_kind {
  SPIRV_ARGUMENT_UNKNOWN, /* anything: a native binary's, or a type that is not known here */
  SPIRV_ARGUMENT_VALUE,   /* size bytes */
  SPIRV_ARGUMENT_POINTER, /* to global or constant memory: size bytes */
  SPIRV_ARGUMENT_LOCAL,   /* a pointer to local memory, of as many bytes as the host says */
  SPIRV_ARGUMENT_IMAGE,
  SPIRV_ARGUMENT_SAMPLER,
} spirv_argument_kind;

typedef struct spirv_argument {
  spirv_argument_kind kind;
  pi_uint32 size; /* 0: not known, e.g. because a constant decides it */
  pi_uint32 type; /* its id in the module (spirv_types.h) */
  pi_uint32 id;   /* of the parameter */
} spirv_argument;

typedef struct spirv_kernel {
  const char *name; /* in the code's bytes */
  pi_uint32 argument_count;
  spirv_argument *arguments;
} spirv_kernel;

typedef struct spirv_code {
  atomic_uint references;
  unsigned char *bytes;
  size_t size;
  pthread_mutex_t lock; /* guards the rest, which is read when it is first needed */
  bool is_read;
  spirv_kernel *kernels; /* by name */
  size_t kernel_count;
  spirv_argument *arguments; /* of all kernels */
} spirv_code;

/*
 * Code of a module, copied in the form for drivers (../code/spirv_copy.h). PI_ERROR_INVALID_VALUE:
 * no SPIR-V module, or a damaged one; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_create(const void *il, size_t length, spirv_code **ret);

/*
 * The same module with the values set now as the defaults of its constants: the driver's input for
 * a link. Returns a new reference to code itself when none is set. Errors as spirv_code_create.
 */
pi_result spirv_code_specialise(spirv_code *code, code_constants *constants, spirv_code **ret);

static inline void spirv_code_retain(spirv_code *code) {
  atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
}
/* NULL is fine. */
void spirv_code_release(spirv_code *code);

/*
 * The kernel of that name, which stays as long as the code does; *ret is NULL when there is none.
 * Thread safe. PI_ERROR_INVALID_VALUE: damaged SPIR-V; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_find_kernel(spirv_code *code, const char *name, const spirv_kernel **ret);

/* Reads all kernels, unless that was done. Errors as above, thread safe. */
pi_result spirv_code_read_all(spirv_code *code);

/*
 * Reports whether the module has variables in global memory that kernels may write. What one launch
 * leaves in them another one finds, so each program needs its own. Constants do not count, in
 * modules that mark them. True where it cannot tell. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_has_state(const spirv_code *code, bool *ret);

/* Reads the kernels of a code into it, in spirv_kernels.c; under its lock. Errors as above. */
pi_result spirv_code_read_kernels(spirv_code *code);

#endif

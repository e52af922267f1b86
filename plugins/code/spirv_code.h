/*
 * SPIR-V of a program, shared with its builds and with programs linked from it. The kinds of kernel
 * arguments are read from the SPIR-V, because drivers report at most their number.
 */
#ifndef CODE_SPIRV_CODE_H
#define CODE_SPIRV_CODE_H

#include "constants.h"

#include <pthread.h>
#include <stdatomic.h>

/* Kinds of kernel arguments. */
typedef enum spirv_argument_kind {
  SPIRV_ARGUMENT_UNKNOWN, /* of a native binary, or of a type that this reader does not know */
  SPIRV_ARGUMENT_VALUE,
  SPIRV_ARGUMENT_POINTER, /* to global or constant memory */
  SPIRV_ARGUMENT_LOCAL,   /* to local memory, whose size the host sets */
  SPIRV_ARGUMENT_IMAGE,
  SPIRV_ARGUMENT_SAMPLER,
} spirv_argument_kind;

typedef struct spirv_argument {
  spirv_argument_kind kind;
  pi_uint32 size; /* in bytes; 0: unknown, for example because a constant decides it */
  pi_uint32 type; /* id of the type in the module (spirv_types.h) */
  pi_uint32 id;   /* id of the parameter */
} spirv_argument;

typedef struct spirv_kernel {
  const char *name; /* points into the code's bytes */
  pi_uint32 argument_count;
  spirv_argument *arguments;
} spirv_kernel;

typedef struct spirv_code {
  atomic_uint references;
  unsigned char *bytes;
  size_t size;
  pthread_mutex_t lock; /* guards the members below, which are set when first needed */
  bool is_read;
  spirv_kernel *kernels; /* ordered by name */
  size_t kernel_count;
  spirv_argument *arguments; /* of all kernels */
} spirv_code;

/*
 * Makes code with a copy of a module by spirv_copy. PI_ERROR_INVALID_VALUE: the bytes are no SPIR-V
 * module, or it is damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_create(const void *il, size_t length, spirv_code **ret);

/*
 * Copies a module and makes the values that are set now the defaults of its constants. The copy is
 * the driver's input for a link. If no value is set, *ret is a new reference to code. Errors as
 * spirv_code_create.
 */
pi_result spirv_code_specialise(spirv_code *code, code_constants *constants, spirv_code **ret);

static inline void spirv_code_retain(spirv_code *code) {
  atomic_fetch_add_explicit(&code->references, 1, memory_order_relaxed);
}
/* code may be NULL. */
void spirv_code_release(spirv_code *code);

/*
 * Finds a kernel by name; *ret is NULL if there is none. The kernel lives as long as the code.
 * Thread safe. PI_ERROR_INVALID_VALUE: the SPIR-V is damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_find_kernel(spirv_code *code, const char *name, const spirv_kernel **ret);

/* Reads all kernels if that was not done yet. Thread safe. Errors as spirv_code_find_kernel. */
pi_result spirv_code_read_all(spirv_code *code);

/*
 * Reports whether the module has variables in global memory that kernels may write. They keep their
 * values between launches, so two programs must not share them. Variables that the module marks as
 * constant do not count. *ret is true for a damaged module. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_code_has_state(const spirv_code *code, bool *ret);

/* Reads the kernels of code (spirv_kernels.c). The caller holds the lock. Errors as above. */
pi_result spirv_code_read_kernels(spirv_code *code);

#endif

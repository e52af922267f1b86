/*
 * Programs: the code they are made of, the values of their constants, and what a build gives.
 *
 * What the code says is read when a program is made and does not change. The values and the result
 * of the latest build change, under a lock; each build works on a copy of the values.
 */
#ifndef PI_CUDA_PROGRAM_H
#define PI_CUDA_PROGRAM_H

#include "code_info.h"
#include "context.h"
#include "jit.h"

#include "../code/constants.h"
#include "../objects/program_arguments.h"

#include <pthread.h>

/*
 * The result of a build: code on the device. Kernels hold a reference, so that they keep their code
 * when the program is built again with other values.
 */
typedef struct cuda_build {
  atomic_uint references;
  pi_context context; /* a reference */
  CUmodule module;
  code_info *info;     /* the program's, a reference; NULL for a module of the application */
  bool is_owned;       /* the module is unloaded with the build */
  atomic_bool is_used; /* a command with its code or variables may be under way */
  jit_options options;
  unsigned char *values; /* those that were built in, as in the program's constants */
  CUdeviceptr constants; /* the device's copy of them, for kernels with a buffer; else 0 */
  pthread_mutex_t lock;  /* of the next three */
  unsigned char *binary; /* what piProgramGetInfo gives for BINARIES; made when it is asked */
  size_t binary_size;
  CUmodule offsets; /* see build_offsets; NULL before */
  deferred deferred;
} cuda_build;

static inline void build_retain(cuda_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}

/* Tells a build that a command with its code or variables may be under way from now on. */
static inline void build_is_used(cuda_build *build) {
  if (!atomic_load_explicit(&build->is_used, memory_order_relaxed))
    atomic_store_explicit(&build->is_used, true, memory_order_relaxed);
}

/*
 * The last one unloads the code (deferred_free.h). Commands that were enqueued may still run it, so
 * they are waited for, if there were any. NULL is fine.
 */
void build_release(cuda_build *build);

typedef enum program_kind {
  PROGRAM_PTX,
  PROGRAM_CUBIN,
  PROGRAM_FATBIN,
  PROGRAM_LINKED, /* by piProgramLink: code is the cubin */
  PROGRAM_NATIVE, /* around a CUmodule of the application: no code */
} program_kind;

/* What the kernels of one image have in their buffer, in the values of a program. */
typedef struct value_block {
  size_t at, size;
} value_block;

/* Blocks begin at multiples of this, as device memory of their own would. */
enum { VALUE_BLOCK_ALIGN = 256 };

/* A device global: the id that the runtime knows it by, and its name in the code. */
typedef struct program_global {
  char *id;
  char *name;
} program_global;

struct pi_program_object {
  pi_handle handle;
  pi_context context; /* a reference */
  program_kind kind;
  unsigned char *code; /* PTX: text and trailer; else without trailers */
  size_t code_size;
  pi_ptx_image *image; /* of PTX; NULL for others */
  code_info *info;     /* never NULL */
  value_block *blocks; /* of mode emulate, else none */
  size_t block_count;
  pi_constants *constants;
  program_global *globals;
  size_t global_count;
  pi_handle *origin; /* of a CUmodule that is of a program of ours: that program, a reference */

  pthread_mutex_t build_lock; /* held by a build: there is one at a time */
  pthread_mutex_t lock;       /* of all that follows; never held across a call of the driver */
  unsigned char *compiled;    /* those of the latest compilation; NULL when it was not compiled */
  jit_options compiled_options;
  cuda_build *build; /* the latest one; NULL before it, and when it failed */
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
 * An empty program of a context, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_new(pi_context context, program_kind kind, pi_program *ret);

/*
 * A program of code, of which a copy is kept. refused is the failure for what is no code of CUDA;
 * PI_ERROR_INVALID_BINARY for code or trailers that are damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_new_from_code(pi_context context, const void *code, size_t size,
                                pi_result refused, pi_program *ret);

/*
 * Takes what the metadata of a device image says of kernels and variables into a new program.
 * PI_ERROR_INVALID_VALUE: an entry is not as it should be. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_read_metadata(pi_program program, size_t count,
                                const pi_device_binary_property *metadata);

/* The devices of a program's context, for the checks of lists. */
pi_devices program_devices(pi_context context);

/*
 * The latest build with a reference for the caller; PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there
 * is none.
 */
pi_result program_hold_build(pi_program program, cuda_build **ret);

/*
 * Builds values, which the build takes over in any case: writes PTX with them, or copies them to
 * the device, and has the driver load the code. refused is the failure for code that the driver
 * does not take.
 */
pi_result build_new(pi_program program, unsigned char *values, const jit_options *options,
                    pi_result refused, jit_log *log, cuda_build **ret);

/*
 * A build around a module of the application, which it unloads in the end if is_owned.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result build_adopt(pi_context context, CUmodule module, bool is_owned, cuda_build **ret);

/* The code with these values as an input of a link; the caller frees bytes. */
pi_result build_input(pi_program program, const unsigned char *values, jit_input *ret);

/*
 * The program that has the code of a program's build: the program itself, or the one of ours that
 * its CUmodule came from. No new reference.
 */
static inline pi_program program_of_code(pi_program program) {
  while (program->origin)
    program = (pi_program)(void *)program->origin;
  return program;
}

/*
 * Whether the entries of a program for launches with an offset are left out of its builds, because
 * they would take as long to compile as all else; build_offsets has them.
 */
static inline bool program_offsets_are_apart(pi_program program) {
  const pi_ptx_image *image = program_of_code(program)->image;
  return image && image->plain_size < image->text_size;
}

/*
 * The module with the entries for launches with an offset, which is built with the build's values
 * when it is needed first. The context is current afterwards. Errors of the driver.
 */
pi_result build_offsets(pi_program program, cuda_build *build, CUmodule *ret);

/* build->binary, which is linked now if it is not there; errors as jit_link. */
pi_result build_binary(pi_program program, cuda_build *build, const unsigned char **ret,
                       size_t *size);

/* The name in the code of a device global that a runtime knows by id; id itself for others. */
const char *program_global_name(pi_program program, const char *id);

/* ---- Cubins with trailers (binary.c) ---- */

/*
 * Writes code (a cubin) with trailers as docs/ptx.md has them behind it: one for each block, or one
 * of mode default without blocks, with the kernels of it. The caller frees *ret.
 * PI_ERROR_UNSUPPORTED_FEATURE: more blocks than binary_read_trailers takes.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result binary_write(const unsigned char *code, size_t code_size,
                       const struct pi_program_object *of, const unsigned char *values,
                       unsigned char **ret, size_t *ret_size);

/*
 * Reads the trailers behind a cubin into a new program: kernels, blocks and values. *size is that
 * of the image and becomes that of the cubin. PI_ERROR_INVALID_BINARY, PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result binary_read_trailers(pi_program program, const unsigned char *image, size_t *size);

/*
 * Adds a block with a copy of size values, which begins at *at; the size of all grows. An empty
 * block has no place of its own. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_add_block(pi_program program, size_t size, const unsigned char *values,
                            size_t *at);

#endif

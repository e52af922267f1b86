/* The driver's compiler and linker, which make modules and cubins: options, calls and logs. */
#ifndef CUDA_JIT_H
#define CUDA_JIT_H

#include "cuda.h"

#include "../code/form.h"

struct build_log;

/* A build's options for the driver's compiler. */
typedef struct jit_options {
  int level;              /* of optimisation, 0 to 4; -1: the driver's default */
  unsigned max_registers; /* of a thread; 0: the driver's default */
  bool line_info;
  bool debug_info;
  bool verbose; /* the log reports each kernel's use of registers and memory */
} jit_options;

/*
 * Reads the options of piProgramBuild, .._Compile or .._Link, which docs/cuda.md lists. Ignores
 * options of other backends (build_options.h). Fails with the code refused if an option is unknown
 * to all backends, or has a bad value.
 */
pi_result jit_read_options(const char *text, pi_result refused, jit_options *ret);

/*
 * jit_load and jit_link. The context is current. log, unless it is NULL, receives the driver's log.
 * If the code is at fault, they fail with the code refused, and the message has the first line of
 * the driver's log. Other failures are the driver's, such as PI_ERROR_OUT_OF_RESOURCES.
 */

/* Loads code into the current context. Text ends with a zero byte. */
pi_result jit_load(const void *code, const jit_options *options, pi_result refused,
                   struct build_log *log, CUmodule *ret);

/*
 * Links inputs to a cubin, which the caller frees with free. If ret is NULL it only compiles the
 * inputs, to report errors in them.
 */
pi_result jit_link(const code_product *inputs, size_t count, const jit_options *options,
                   pi_result refused, struct build_log *log, unsigned char **ret, size_t *size);

#endif

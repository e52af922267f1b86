/* The driver's compiler and linker: options, logs, code to modules and to cubins. */
#ifndef CUDA_JIT_H
#define CUDA_JIT_H

#include "cuda.h"

#include "../code/form.h"

struct build_log;

/* A build's options for the driver's compiler. */
typedef struct jit_options {
  int level;              /* of optimisation, 0 to 4; -1: the driver's own choice */
  unsigned max_registers; /* of a thread; 0: the driver's own choice */
  bool line_info;
  bool debug_info;
  bool verbose; /* the log has registers and memory of each kernel */
} jit_options;

/*
 * Reads the options of piProgramBuild and its like, words with spaces between them; docs/cuda.md
 * lists them. Options of other backends are ignored (build_options.h). Fails with refused if no
 * backend has an option, or its value is bad.
 */
pi_result jit_read_options(const char *text, pi_result refused, jit_options *ret);

/*
 * When the code is at fault, each of these fails with refused and a message that begins as the
 * driver's log does; otherwise with PI_ERROR_OUT_OF_RESOURCES and the like. The context is current.
 * In either case log receives what the driver reports, unless log is NULL.
 */

/* Loads code, which ends with a zero byte if it is text, into the current context. */
pi_result jit_load(const void *code, const jit_options *options, pi_result refused,
                   struct build_log *log, CUmodule *ret);

/*
 * Links inputs to a cubin, which the caller frees with free. With ret NULL it only compiles them,
 * to find out whether that works.
 */
pi_result jit_link(const code_product *inputs, size_t count, const jit_options *options,
                   pi_result refused, struct build_log *log, unsigned char **ret, size_t *size);

#endif

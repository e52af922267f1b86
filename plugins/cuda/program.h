/*
 * Programs and builds in CUDA: a module for each build.
 */
#ifndef CUDA_PROGRAM_H
#define CUDA_PROGRAM_H

#include "../objects/program.h"

#include "context.h"

/* Returns whether the code names all its kernels. */
bool program_tells_kernels(pi_program program);

/* Returns whether the code is SPIR-V, from which PTX is generated. */
bool program_is_generated(pi_program program);

/*
 * Returns whether the code can be built again beside a build of it: it is compiled, and has no
 * variables, of which each build would have its own.
 */
bool program_is_repeatable(pi_program program);

/* Returns whether the code is a cubin, given or linked. */
bool program_is_cubin(pi_program program);

/* The part of the code that is built. */
typedef enum build_extent {
  BUILD_FIRST, /* what is loaded first: entries for launches with an offset may be left out */
  BUILD_WHOLE,
  BUILD_PART /* of a link, or compiled for one */
} build_extent;

/* Input of a build. */
typedef struct build_order {
  pi_program program;
  pi_context member;     /* of the program's context, whose device it is for */
  unsigned char *values; /* which the build takes over, also when it fails */
  const jit_options *options;
  const char *kernel; /* the only one that is wanted, of text_keep; NULL: all */
  bool is_repeated;   /* beside another build: see program_is_repeatable */
  pi_result refused;  /* the failure for code that the driver does not take */
  build_log *log;
} build_order;

/*
 * Builds values: writes PTX with them, or copies them to the device, and has the driver load the
 * code. Returns an existing build instead if there is one.
 */
pi_result build_new(const build_order *order, program_build **ret);

/*
 * The same without looking for an existing build. load fills in the build's module, kernels and
 * code_size; the plain load is build_load, without data.
 */
typedef pi_result (*build_loader)(const build_order *order, program_build *build, void *data);
pi_result build_make(const build_order *order, build_loader load, void *data, program_build **ret);
pi_result build_load(const build_order *order, program_build *build, void *data);

/*
 * Has the driver link the code's text, and loads the cubin, which the caller frees. The driver may
 * load text all the same that it refuses to link; then, and for code that is no text, *ret is NULL.
 * The context is current.
 */
pi_result build_link(const build_order *order, program_build *build, unsigned char **ret);

/*
 * The build for a root device, or NULL; in a context of one device the build itself.
 * build_first_part: the first one that there is.
 */
static inline program_build *build_part(program_build *build, pi_uint32 root) {
  return build->driver.parts ? build->driver.parts[root] : build;
}
program_build *build_first_part(program_build *build);

/* The target of a program's code. */
code_target build_target(const build_order *order, build_extent extent);

/*
 * code_specialise for the program's device and the options of a build. Unusable code fails with
 * order->refused; the reason also goes to the log, which may be NULL.
 */
pi_result build_specialise(const build_order *order, build_extent extent, code_product *ret);

/* Checks generated code as a whole, without generating any. Codes as build_specialise. */
pi_result build_check(const build_order *order, build_extent extent);

/*
 * The build that has a kernel: where kernels are built apart, another build with a reference, made
 * when it is first wanted; else the same one. kernel NULL: all kernels and variables.
 * PI_ERROR_BUILD_PROGRAM_FAILURE with the reason; errors of the driver.
 */
pi_result build_of_kernel(pi_program program, program_build *build, const char *kernel,
                          program_build **ret);

/*
 * Another build of the same, with at most so many registers for a work-item; the program is
 * repeatable. Codes as build_of_kernel.
 */
pi_result build_with_registers(pi_program program, const program_build *build, unsigned registers,
                               program_build **ret);

/*
 * The module with the entries for launches with an offset, built with the build's values when it is
 * first needed. The context is current afterwards. Errors of the driver.
 */
pi_result build_offsets(pi_program program, program_build *build, CUmodule *ret);

#endif

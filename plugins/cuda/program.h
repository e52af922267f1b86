/*
 * Programs and builds in CUDA. A build is a module.
 */
#ifndef CUDA_PROGRAM_H
#define CUDA_PROGRAM_H

#include "../objects/program.h"

#include "context.h"

/* Returns whether the code lists all its kernels. */
bool program_tells_kernels(pi_program program);

/* Returns whether the code is SPIR-V, from which PTX is generated. */
bool program_is_generated(pi_program program);

/*
 * Returns whether the program's code can be built a second time. It must be PTX or SPIR-V, and have
 * no variables, because each build would have its own copy of them.
 */
bool program_is_repeatable(pi_program program);

/* Returns whether the code is a cubin, from the application or from a link. */
bool program_is_cubin(pi_program program);

/* The part of the code to build. */
typedef enum build_extent {
  BUILD_FIRST, /* the first module, which may lack the entries for launches with an offset */
  BUILD_WHOLE,
  BUILD_PART /* an input of a link, or piProgramCompile's check of one */
} build_extent;

/* Input of a build. */
typedef struct build_order {
  pi_program program;
  pi_context member;     /* the member of the program's context for the build's device */
  unsigned char *values; /* of the constants; the build takes them over, even if it fails */
  const jit_options *options;
  const char *kernel; /* the only kernel to build, from text_keep; NULL for all kernels */
  bool is_repeated;   /* the code is built a second time, see program_is_repeatable */
  pi_result refused;  /* the code of the failure if the driver refuses the code */
  build_log *log;
} build_order;

/*
 * Builds a program with the values of its constants, and loads the module. The values are in the
 * code, or in a buffer on the device. Returns an equal build instead if the cache has one.
 */
pi_result build_new(const build_order *order, program_build **ret);

/*
 * build_make makes a build without the cache. load fills in the build's module, info and code_size.
 * build_load is the usual load, and needs no data.
 */
typedef pi_result (*build_loader)(const build_order *order, program_build *build, void *data);
pi_result build_make(const build_order *order, build_loader load, void *data, program_build **ret);
pi_result build_load(const build_order *order, program_build *build, void *data);

/*
 * Links PTX to a cubin, and loads that; the caller frees *ret, the cubin. Loads the code itself if
 * it is not PTX, or if the driver refuses to link it; then *ret is NULL. The context is current.
 */
pi_result build_link(const build_order *order, program_build *build, unsigned char **ret);

/*
 * Returns the build for a root device, or NULL; in a context of one device the build itself.
 * build_first_part returns the build for the first root device that has one.
 */
static inline program_build *build_part(program_build *build, pi_uint32 root) {
  return build->driver.parts ? build->driver.parts[root] : build;
}
program_build *build_first_part(program_build *build);

/* Returns the target for which a program's code is made. */
code_target build_target(const build_order *order, build_extent extent);

/*
 * Makes the code of an order by code_specialise. Fails with order->refused if the code is unusable;
 * adds the reason to order->log, unless that is NULL.
 */
pi_result build_specialise(const build_order *order, build_extent extent, code_product *ret);

/* Checks SPIR-V as a whole without generating code. Fails with the codes of build_specialise. */
pi_result build_check(const build_order *order, build_extent extent);

/*
 * Returns a build that has a kernel, or all kernels and variables if kernel is NULL, with a
 * reference for the caller. For a divided build it is another build, which is made when it is first
 * wanted; otherwise it is build itself. PI_ERROR_BUILD_PROGRAM_FAILURE with the reason; errors of
 * the driver.
 */
pi_result build_of_kernel(pi_program program, program_build *build, const char *kernel,
                          program_build **ret);

/*
 * Makes another build with the same values and options, but at most so many registers for each
 * work-item. The program is repeatable. Fails with the codes of build_of_kernel.
 */
pi_result build_with_registers(pi_program program, const program_build *build, unsigned registers,
                               program_build **ret);

/*
 * Returns the module with the entries for launches with an offset, which it builds with the build's
 * values when it is first needed. The context is current afterwards. Errors of the driver.
 */
pi_result build_offsets(pi_program program, program_build *build, CUmodule *ret);

#endif

/*
 * Programs and builds as CUDA has them: code in the forms of program_code.c, a module for a build.
 */
#ifndef PI_CUDA_PROGRAM_H
#define PI_CUDA_PROGRAM_H

#include "../objects/program.h"

#include "context.h"

/* Blocks begin at multiples of this, as device memory of their own would. */
enum { VALUE_BLOCK_ALIGN = 256 };

/*
 * Read what the code of a new program says: PI_ERROR_INVALID_BINARY for code or trailers that are
 * damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_read_ptx(pi_program program);
pi_result program_read_cubin(pi_program program);

/*
 * Takes what the metadata of a device image says of kernels and variables into a new program.
 * PI_ERROR_INVALID_VALUE: an entry is not as it should be. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result program_read_metadata(pi_program program, size_t count,
                                const pi_device_binary_property *metadata);

/* The form of a program around a CUmodule of the application. */
extern const code_form program_module_form;

/* Whether the code tells all kernels that there are. */
bool program_tells_kernels(pi_program program);

/* Whether the code is a cubin, as it came or as it was linked. */
bool program_is_cubin(pi_program program);

/*
 * Builds values, which the build takes over in any case: writes PTX with them, or copies them to
 * the device, and has the driver load the code. refused is the failure for code that the driver
 * does not take.
 */
pi_result build_new(pi_program program, unsigned char *values, const jit_options *options,
                    pi_result refused, build_log *log, program_build **ret);

/*
 * A build around a module of the application, which it unloads in the end if is_owned.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result build_adopt(pi_context context, CUmodule module, bool is_owned, program_build **ret);

/* The code with these values as an input of a link; the caller frees bytes. */
pi_result build_input(pi_program program, const unsigned char *values, jit_input *ret);

/*
 * The program that has the code of a program's build: the program itself, or the one of ours that
 * its CUmodule came from. No new reference.
 */
static inline pi_program program_of_code(pi_program program) {
  while (program->driver.origin)
    program = program->driver.origin;
  return program;
}

/*
 * Whether the entries of a program for launches with an offset are left out of its builds, because
 * they would take as long to compile as all else; build_offsets has them.
 */
static inline bool program_offsets_are_apart(pi_program program) {
  const pi_ptx_image *image = program_of_code(program)->driver.image;
  return image && image->plain_size < image->text_size;
}

/*
 * The module with the entries for launches with an offset, which is built with the build's values
 * when it is needed first. The context is current afterwards. Errors of the driver.
 */
pi_result build_offsets(pi_program program, program_build *build, CUmodule *ret);

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

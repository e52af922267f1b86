/*
 * Builds: values and code to a module on the device.
 *
 * The driver compiles the text when it loads it (cuModuleLoadDataEx): one compilation is all that
 * stands between a new value and a kernel, and the code is compiled as a whole program. Going
 * through the linker (cuLink...) would give the cubin as well, but of relocatable code and with a
 * linking and a second loading on top, in each build; so the cubin for BINARIES is linked when it
 * is asked for.
 */
#include "memory.h"
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/*
 * When the context cannot be entered it is lost, and its code with it. Failures of commands are
 * their events' to tell.
 */
void driver_build_destroy(program_build *build) {
  struct driver_build *its = &build->driver;
  (void)cuda_enter(build->context);
  if (atomic_load_explicit(&build->is_used, memory_order_relaxed))
    cu.CtxSynchronize();
  if (its->module && its->is_owned)
    cu.ModuleUnload(its->module);
  if (its->offsets)
    cu.ModuleUnload(its->offsets);
  if (its->constants)
    cu.MemFree(its->constants);
  code_release(its->info);
  free(its->values);
  free(its->binary);
  pthread_mutex_destroy(&its->lock);
}

/* ---- Building ---- */

/* The text with values at its places, whole or without what is apart; the caller frees it. */
static pi_result write_text(pi_program program, const unsigned char *values, bool whole,
                            char **ret) {
  char *text = malloc(program->driver.image->text_size + 1);
  PI_REQUIRE(text, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of PTX",
             program->driver.image->text_size);
  pi_ptx_image_write(program->driver.image, program->driver.code, values, text);
  if (!whole)
    text[program->driver.image->plain_size] = '\0';
  *ret = text;
  return PI_SUCCESS;
}

/* The driver's copy of the values, which all launches of a build share. */
static pi_result copy_values(pi_program program, program_build *build) {
  const size_t size = constants_values_size(program->constants);
  if (program->driver.block_count == 0 || size == 0)
    return PI_SUCCESS;
  CUdeviceptr memory;
  CU_TRY(MemAlloc, &memory, size);
  build->driver.constants = memory;
  return memory_upload(program->context, memory, build->driver.values, size);
}

static pi_result load_code(pi_program program, const program_build *build, bool whole,
                           pi_result refused, build_log *log, CUmodule *ret) {
  PI_TRY(cuda_enter(program->context));
  char *text = NULL;
  if (program->driver.image)
    PI_TRY(write_text(program, build->driver.values, whole, &text));
  const pi_result result = jit_load(text ? (const void *)text : program->driver.code,
                                    &build->driver.options, refused, log, ret);
  free(text);
  return result;
}

static pi_result load(pi_program program, program_build *build, pi_result refused, build_log *log) {
  CUmodule module;
  PI_TRY(load_code(program, build, false, refused, log, &module));
  build->driver.module = module;
  build->driver.is_owned = true;
  return copy_values(program, build);
}

pi_result build_new(pi_program program, unsigned char *values, const jit_options *options,
                    pi_result refused, build_log *log, program_build **ret) {
  program_build *build;
  pi_result result = build_create(program->context, &build);
  if (result != PI_SUCCESS) {
    free(values);
    return result;
  }
  pthread_mutex_init(&build->driver.lock, NULL);
  build->driver.values = values;
  build->driver.options = *options;
  build->driver.info = program->driver.info;
  code_retain(build->driver.info);
  result = load(program, build, refused, log);
  if (result == PI_SUCCESS)
    *ret = build;
  else
    build_release(build);
  return result;
}

pi_result build_adopt(pi_context context, CUmodule module, bool is_owned, program_build **ret) {
  PI_TRY(build_create(context, ret));
  pthread_mutex_init(&(*ret)->driver.lock, NULL);
  (*ret)->driver.module = module;
  (*ret)->driver.is_owned = is_owned;
  (*ret)->driver.options.level = -1;
  return PI_SUCCESS;
}

/* ---- Entries for launches with an offset ---- */

pi_result build_offsets(pi_program program, program_build *build, CUmodule *ret) {
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&build->driver.lock);
  CUmodule module = build->driver.offsets;
  if (!module)
    result = load_code(program_of_code(program), build, true, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
                       NULL, &module);
  else
    result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    *ret = build->driver.offsets = module;
  pthread_mutex_unlock(&build->driver.lock);
  return result;
}

/* ---- The cubin ---- */

pi_result build_input(pi_program program, const unsigned char *values, jit_input *ret) {
  if (program->driver.image) {
    char *text;
    PI_TRY(write_text(program, values, true, &text));
    *ret = (jit_input){CU_JIT_INPUT_PTX, text, program->driver.image->text_size + 1};
    return PI_SUCCESS;
  }
  void *copy = malloc(program->driver.code_size);
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of code",
             program->driver.code_size);
  memcpy(copy, program->driver.code, program->driver.code_size);
  const bool is_cubin = program_is_cubin(program);
  *ret = (jit_input){is_cubin ? CU_JIT_INPUT_CUBIN : CU_JIT_INPUT_FATBINARY, copy,
                     program->driver.code_size};
  return PI_SUCCESS;
}

/* The cubin with its trailers, linked now unless the program is one. */
static pi_result make_binary(pi_program program, const program_build *build, unsigned char **ret,
                             size_t *ret_size) {
  PI_REQUIRE(program->form != &program_module_form, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
             "the program was created from a CUmodule, which does not give its code out");
  if (program_is_cubin(program))
    return binary_write(program->driver.code, program->driver.code_size, program,
                        build->driver.values, ret, ret_size);
  jit_input input = {0};
  unsigned char *cubin = NULL;
  size_t size = 0;
  pi_result result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    result = build_input(program, build->driver.values, &input);
  if (result == PI_SUCCESS)
    result = jit_link(&input, 1, &build->driver.options, PI_ERROR_LINK_PROGRAM_FAILURE, NULL,
                      &cubin, &size);
  free(input.bytes);
  PI_TRY(result);
  result = binary_write(cubin, size, program, build->driver.values, ret, ret_size);
  free(cubin);
  return result;
}

pi_result driver_build_binary(pi_program program, program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size) {
  (void)root;
  struct driver_build *its = &build->driver;
  pi_result result = PI_SUCCESS;
  /* Held across the linking: who asks meanwhile wants the same. */
  pthread_mutex_lock(&its->lock);
  if (!its->binary)
    result = make_binary(program_of_code(program), build, &its->binary, &its->binary_size);
  pthread_mutex_unlock(&its->lock);
  PI_TRY(result);
  *size = its->binary_size;
  if (place)
    memcpy(place, its->binary, its->binary_size);
  return PI_SUCCESS;
}

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

#include <stdlib.h>
#include <string.h>

/* ---- Lifetime ---- */

static pi_result new_build(pi_context context, cuda_build **ret) {
  cuda_build *build = calloc(1, sizeof *build);
  PI_REQUIRE(build, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  pthread_mutex_init(&build->lock, NULL);
  atomic_init(&build->references, 1);
  build->context = context;
  context_retain(context);
  *ret = build;
  return PI_SUCCESS;
}

/*
 * When the context cannot be entered it is lost, and its code with it. Failures of commands are
 * their events' to tell.
 */
static void destroy_build(deferred *node) {
  cuda_build *build = DEFERRED_OWNER(node, cuda_build, deferred);
  (void)cuda_enter(build->context);
  if (atomic_load_explicit(&build->is_used, memory_order_relaxed))
    cu.CtxSynchronize();
  if (build->module && build->is_owned)
    cu.ModuleUnload(build->module);
  if (build->offsets)
    cu.ModuleUnload(build->offsets);
  if (build->constants)
    cu.MemFree(build->constants);
  code_release(build->info);
  free(build->values);
  free(build->binary);
  pthread_mutex_destroy(&build->lock);
  free(build);
}

void build_release(cuda_build *build) {
  if (!build || atomic_fetch_sub_explicit(&build->references, 1, memory_order_acq_rel) != 1)
    return;
  const pi_context context = build->context;
  deferred_free(context, &build->deferred, destroy_build);
  context_release(context);
}

/* ---- Building ---- */

/* The text with values at its places, whole or without what is apart; the caller frees it. */
static pi_result write_text(pi_program program, const unsigned char *values, bool whole,
                            char **ret) {
  char *text = malloc(program->image->text_size + 1);
  PI_REQUIRE(text, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of PTX",
             program->image->text_size);
  pi_ptx_image_write(program->image, program->code, values, text);
  if (!whole)
    text[program->image->plain_size] = '\0';
  *ret = text;
  return PI_SUCCESS;
}

/* The driver's copy of the values, which all launches of a build share. */
static pi_result copy_values(pi_program program, cuda_build *build) {
  const size_t size = constants_values_size(program->constants);
  if (program->block_count == 0 || size == 0)
    return PI_SUCCESS;
  CUdeviceptr memory;
  CU_TRY(MemAlloc, &memory, size);
  build->constants = memory;
  return memory_upload(program->context, memory, build->values, size);
}

static pi_result load_code(pi_program program, const cuda_build *build, bool whole,
                           pi_result refused, jit_log *log, CUmodule *ret) {
  PI_TRY(cuda_enter(program->context));
  char *text = NULL;
  if (program->kind == PROGRAM_PTX)
    PI_TRY(write_text(program, build->values, whole, &text));
  const pi_result result =
      jit_load(text ? (const void *)text : program->code, &build->options, refused, log, ret);
  free(text);
  return result;
}

static pi_result load(pi_program program, cuda_build *build, pi_result refused, jit_log *log) {
  CUmodule module;
  PI_TRY(load_code(program, build, false, refused, log, &module));
  build->module = module;
  build->is_owned = true;
  return copy_values(program, build);
}

pi_result build_new(pi_program program, unsigned char *values, const jit_options *options,
                    pi_result refused, jit_log *log, cuda_build **ret) {
  cuda_build *build;
  pi_result result = new_build(program->context, &build);
  if (result != PI_SUCCESS) {
    free(values);
    return result;
  }
  build->values = values;
  build->options = *options;
  build->info = program->info;
  code_retain(build->info);
  result = load(program, build, refused, log);
  if (result != PI_SUCCESS) {
    build_release(build);
    return result;
  }
  *ret = build;
  return PI_SUCCESS;
}

pi_result build_adopt(pi_context context, CUmodule module, bool is_owned, cuda_build **ret) {
  cuda_build *build;
  PI_TRY(new_build(context, &build));
  build->module = module;
  build->is_owned = is_owned;
  build->options.level = -1;
  *ret = build;
  return PI_SUCCESS;
}

/* ---- Entries for launches with an offset ---- */

pi_result build_offsets(pi_program program, cuda_build *build, CUmodule *ret) {
  jit_log *log = malloc(sizeof *log);
  PI_REQUIRE(log, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a log");
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&build->lock);
  CUmodule module = build->offsets;
  if (!module)
    result = load_code(program_of_code(program), build, true, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
                       log, &module);
  else
    result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    *ret = build->offsets = module;
  pthread_mutex_unlock(&build->lock);
  free(log);
  return result;
}

/* ---- The cubin ---- */

pi_result build_input(pi_program program, const unsigned char *values, jit_input *ret) {
  if (program->kind == PROGRAM_PTX) {
    char *text;
    PI_TRY(write_text(program, values, true, &text));
    *ret = (jit_input){CU_JIT_INPUT_PTX, text, program->image->text_size + 1};
    return PI_SUCCESS;
  }
  void *copy = malloc(program->code_size);
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of code",
             program->code_size);
  memcpy(copy, program->code, program->code_size);
  const bool fatbin = program->kind == PROGRAM_FATBIN;
  *ret =
      (jit_input){fatbin ? CU_JIT_INPUT_FATBINARY : CU_JIT_INPUT_CUBIN, copy, program->code_size};
  return PI_SUCCESS;
}

/* The cubin with its trailers, linked now unless the program is one. */
static pi_result make_binary(pi_program program, const cuda_build *build, unsigned char **ret,
                             size_t *ret_size) {
  PI_REQUIRE(program->kind != PROGRAM_NATIVE, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
             "the program was created from a CUmodule, which does not give its code out");
  if (program->kind == PROGRAM_CUBIN || program->kind == PROGRAM_LINKED)
    return binary_write(program->code, program->code_size, program, build->values, ret, ret_size);
  jit_log *log = malloc(sizeof *log);
  PI_REQUIRE(log, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a log");
  jit_input input = {0};
  unsigned char *cubin = NULL;
  size_t size = 0;
  pi_result result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    result = build_input(program, build->values, &input);
  if (result == PI_SUCCESS)
    result =
        jit_link(&input, 1, &build->options, PI_ERROR_LINK_PROGRAM_FAILURE, log, &cubin, &size);
  free(input.bytes);
  free(log);
  PI_TRY(result);
  result = binary_write(cubin, size, program, build->values, ret, ret_size);
  free(cubin);
  return result;
}

pi_result build_binary(pi_program program, cuda_build *build, const unsigned char **ret,
                       size_t *size) {
  pi_result result = PI_SUCCESS;
  /* Held across the linking: who asks meanwhile wants the same. */
  pthread_mutex_lock(&build->lock);
  if (!build->binary)
    result = make_binary(program_of_code(program), build, &build->binary, &build->binary_size);
  if (result == PI_SUCCESS) {
    *ret = build->binary;
    *size = build->binary_size;
  }
  pthread_mutex_unlock(&build->lock);
  return result;
}

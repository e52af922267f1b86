/*
 * Programs: creation from SPIR-V, lifetime, native handles. Native code is in binary.c, constants
 * are set in constants.c, builds are in program_build.c and program_link.c, queries in
 * program_info.c.
 */
#include "program.h"

#include "checks.h"
#include "given.h"

#include <stdlib.h>
#include <string.h>

/* ---- Builds ---- */

pi_result build_create(pi_context context, pi_uint32 parts, pi_uint32 code_count,
                       level_zero_build **ret) {
  const size_t count = (size_t)context->root_count * parts;
  level_zero_build *build = calloc(1, sizeof *build + count * sizeof build->modules[0]);
  spirv_code **codes = build ? calloc((size_t)code_count + 1, sizeof(spirv_code *)) : NULL;
  if (!codes)
    free(build);
  PI_REQUIRE(codes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  atomic_init(&build->references, 1);
  build->context = context;
  context_retain(context);
  build->is_owned = true;
  build->roots = context->root_count;
  build->parts = parts;
  build->codes = codes;
  *ret = build;
  return PI_SUCCESS;
}

static void destroy_build(deferred *node) {
  level_zero_build *build = DEFERRED_OWNER(node, level_zero_build, deferred);
  const size_t count = (size_t)build->roots * build->parts;
  for (size_t i = 0; i < count; i++) {
    given_forget_native(build->modules[i]);
    if (build->modules[i] && build->is_owned)
      ze.ModuleDestroy(build->modules[i]);
  }
  for (pi_uint32 i = 0; i < build->code_count; i++)
    spirv_code_release(build->codes[i]);
  free(build->codes);
  context_release(build->context);
  free(build);
}

void build_release(level_zero_build *build) {
  if (!build || atomic_fetch_sub_explicit(&build->references, 1, memory_order_acq_rel) != 1)
    return;
  if (atomic_load_explicit(&build->is_used, memory_order_relaxed))
    deferred_free(build->context, &build->deferred, destroy_build);
  else
    destroy_build(&build->deferred);
}

/* ---- Programs ---- */

pi_result program_new(pi_context context, program_kind kind, pi_program *ret) {
  pi_program program = calloc(1, sizeof *program);
  bool *asked = program ? calloc(context->root_count, sizeof *asked) : NULL;
  if (!asked)
    free(program);
  PI_REQUIRE(asked, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a program");
  pthread_mutex_init(&program->build_lock, NULL);
  pthread_mutex_init(&program->lock, NULL);
  pi_handle_init(&program->handle, PI_HANDLE_PROGRAM);
  program->kind = kind;
  program->asked = asked;
  program->status = PI_PROGRAM_BUILD_STATUS_NONE;
  program->type = PI_PROGRAM_BINARY_TYPE_NONE;
  program->context = context;
  context_retain(context);
  *ret = program;
  return PI_SUCCESS;
}

void program_release(pi_program program) {
  if (!pi_handle_release(&program->handle))
    return;
  given_forget(&program->handle);
  build_release(program->build);
  build_release(program->loaded);
  spirv_code_release(program->code);
  spirv_code_release(program->compiled);
  pi_constants_free(program->constants);
  free(program->compiled_flags);
  free(program->asked);
  free(program->options);
  free(program->log);
  pthread_mutex_destroy(&program->build_lock);
  pthread_mutex_destroy(&program->lock);
  context_release(program->context);
  free(program);
}

static bool has_device(const void *context, pi_device device) {
  return pi_handle_is((const pi_handle *)(const void *)device, PI_HANDLE_DEVICE) &&
         context_has((pi_context)(uintptr_t)context, device);
}

pi_devices program_devices(pi_context context) {
  return (pi_devices){context, has_device};
}

pi_result program_hold_build(pi_program program, level_zero_build **ret) {
  pthread_mutex_lock(&program->lock);
  level_zero_build *build = program->build;
  if (build)
    build_retain(build);
  pthread_mutex_unlock(&program->lock);
  PI_REQUIRE_BUILT(build);
  *ret = build;
  return PI_SUCCESS;
}

pi_result program_hold_modules(pi_program program, pi_device device, level_zero_build **ret,
                               ze_module_handle_t **modules) {
  level_zero_build *build;
  PI_TRY(program_hold_build(program, &build));
  ze_module_handle_t *its = build_modules(build, context_root(program->context, device));
  if (!its[0]) {
    build_release(build);
    return pi_error(PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
                    "the program is not built for this device of its context");
  }
  *ret = build;
  *modules = its;
  return PI_SUCCESS;
}

static pi_result take_code(pi_program program, const void *il, size_t length) {
  PI_TRY(spirv_code_create(il, length, &program->code));
  return pi_constants_read(program->code->bytes, program->code->size, &program->constants);
}

pi_result piProgramCreate(pi_context context, const void *il, size_t length,
                          pi_program *res_program) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(il);
  PI_REQUIRE(length != 0, PI_ERROR_INVALID_VALUE, "length is 0");
  REQUIRE_POINTER(res_program);
  bool takes_il = false;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    takes_il = takes_il || context->roots[i]->driver.module.spirvVersionSupported != 0;
  PI_REQUIRE(takes_il, PI_ERROR_INVALID_OPERATION, "no device of the context takes SPIR-V");
  pi_program program;
  PI_TRY(program_new(context, PROGRAM_IL, &program));
  const pi_result result = take_code(program, il, length);
  if (result == PI_SUCCESS)
    *res_program = program;
  else
    program_release(program);
  return result;
}

pi_result piProgramRetain(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_retain(program);
  return PI_SUCCESS;
}

pi_result piProgramRelease(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_release(program);
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

/* The first module of a build, NULL without one. */
static ze_module_handle_t first_module(const level_zero_build *build) {
  const size_t count = (size_t)build->roots * build->parts;
  for (size_t i = 0; i < count; i++)
    if (build->modules[i])
      return build->modules[i];
  return NULL;
}

/*
 * The module of the latest build, of the first device that it was built for. It belongs to the
 * build: it goes when the program and its kernels do, or are built again.
 */
pi_result piextProgramGetNativeHandle(pi_program program, pi_native_handle *native_handle) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(native_handle);
  level_zero_build *build;
  PI_TRY(program_hold_build(program, &build));
  const ze_module_handle_t module = first_module(build);
  const pi_result result = given_remember(module, &program->handle);
  build_release(build);
  PI_TRY(result);
  *native_handle = (pi_native_handle)(void *)module;
  return PI_SUCCESS;
}

/* A program that a module came from is the program around it; it may have been built again since.
 */
static pi_result check_ours(pi_program program, pi_context context, ze_module_handle_t module) {
  PI_REQUIRE(program->context->driver.context == context->driver.context, PI_ERROR_INVALID_CONTEXT,
             "native_handle is a module of another context");
  pthread_mutex_lock(&program->lock);
  const bool is_current = program->build && first_module(program->build) == module;
  pthread_mutex_unlock(&program->lock);
  PI_REQUIRE(is_current, PI_ERROR_INVALID_PROGRAM,
             "native_handle is the module of a program that was built again since");
  return PI_SUCCESS;
}

static pi_result wrap(pi_context context, ze_module_handle_t module, bool is_owned,
                      pi_program *ret) {
  /* A module does not tell its device. */
  if (context->root_count != 1)
    return LEVEL_ZERO_UNSUPPORTED("a module does not tell which device it is for, and the context "
                                  "has %u: make a context of that one",
                                  context->root_count);
  pi_program program;
  PI_TRY(program_new(context, PROGRAM_NATIVE, &program));
  const pi_result result = build_create(context, 1, 0, &program->build);
  if (result != PI_SUCCESS) {
    program_release(program);
    return result;
  }
  program->build->modules[0] = module;
  program->build->is_owned = is_owned;
  program->asked[0] = true;
  program->status = PI_PROGRAM_BUILD_STATUS_SUCCESS;
  program->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  *ret = program;
  return PI_SUCCESS;
}

/*
 * Level Zero counts no references of modules. A module of ours has its program for an owner, which
 * is what comes back, with the caller's reference or a new one.
 */
pi_result piextProgramCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                             bool plugin_owns_native_handle, pi_program *program) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_PROGRAM, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(program);
  const ze_module_handle_t module = (ze_module_handle_t)native_handle;
  const pi_program ours = (pi_program)(void *)given_find(module, PI_HANDLE_PROGRAM);
  if (!ours)
    return wrap(context, module, plugin_owns_native_handle, program);
  const pi_result result = check_ours(ours, context, module);
  /* One reference is the search's; the caller's is taken over in its place, if it is to be. */
  if (result != PI_SUCCESS || plugin_owns_native_handle)
    program_release(ours);
  PI_TRY(result);
  *program = ours;
  return PI_SUCCESS;
}

/*
 * Programs: creation from SPIR-V, what Level Zero has for them and their builds, native handles.
 * Native code is in binary.c, builds are in program_build.c and program_link.c.
 */
#include "program.h"

#include "../code/elf_hash.h"
#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/* ---- Builds ---- */

pi_result build_open(pi_context context, pi_uint32 parts, pi_uint32 code_count,
                     program_build **ret) {
  program_build *build;
  PI_TRY(build_create(context, &build));
  struct driver_build *its = &build->driver;
  its->modules = calloc((size_t)context->root_count * parts, sizeof *its->modules);
  its->codes = calloc((size_t)code_count + 1, sizeof(spirv_code *));
  if (its->modules)
    its->roots = context->root_count;
  its->parts = parts;
  its->is_owned = true;
  const bool has_memory = its->modules && its->codes;
  if (!has_memory)
    build_release(build);
  PI_REQUIRE(has_memory, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  *ret = build;
  return PI_SUCCESS;
}

void driver_build_destroy(program_build *build) {
  struct driver_build *its = &build->driver;
  for (size_t i = 0; i < (size_t)its->roots * its->parts; i++)
    if (its->modules[i] && its->is_owned)
      ze.ModuleDestroy(its->modules[i]);
  for (pi_uint32 i = 0; i < its->code_count; i++)
    spirv_code_release(its->codes[i]);
  free(its->codes);
  free(its->modules);
}

/* ---- Programs ---- */

static const code_form spirv_form = {.origin = "created from SPIR-V", .is_compiled = true};
static const code_form module_form = {
    "created from a module", "it was created from a module, which has its constants built in",
    .is_built = true};

void driver_program_destroy(pi_program program) {
  build_release(program->driver.loaded);
  spirv_code_release(program->driver.code);
}

pi_result program_hold_modules(pi_program program, pi_device device, program_build **ret,
                               ze_module_handle_t **modules) {
  program_build *build;
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

pi_result driver_program_read(pi_program program, const void *code, size_t size) {
  const pi_context context = program->context;
  bool takes_il = false;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    takes_il = takes_il || context->roots[i]->driver.module.spirvVersionSupported != 0;
  PI_REQUIRE(takes_il, PI_ERROR_INVALID_OPERATION, "no device of the context takes SPIR-V");
  program->form = &spirv_form;
  PI_TRY(spirv_code_create(code, size, &program->driver.code));
  const spirv_code *copy = program->driver.code;
  return spirv_declare_constants(copy->bytes, copy->size, program->constants);
}

/* ---- What a build has ---- */

/* Intel's compiler adds these to every module of some kinds; they are no kernels of the program. */
static bool is_kernel_name(const char *name) {
  return strncmp(name, "Intel_Symbol_Table_Void_Program", 31) != 0;
}

static pi_result add_names(ze_module_handle_t module, kernel_names *to) {
  uint32_t count = 0;
  ZE_TRY(ModuleGetKernelNames, module, &count, NULL);
  const char **list = calloc((size_t)count + 1, sizeof *list);
  PI_REQUIRE(list, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %u kernels", count);
  pi_result result = PI_SUCCESS;
  if (count != 0)
    result = ze_result(ze.ModuleGetKernelNames(module, &count, list), "zeModuleGetKernelNames");
  for (uint32_t i = 0; i < count && result == PI_SUCCESS; i++)
    if (is_kernel_name(list[i]))
      result = kernel_names_add(to, list[i]);
  free((void *)list);
  return result;
}

/* Of the first device that the program was built for: the others have the same. */
pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  (void)program;
  pi_uint32 root = 0;
  while (root + 1 < build->driver.roots && !build_modules(build, root)[0])
    root++;
  for (pi_uint32 part = 0; part < build->driver.parts; part++)
    PI_TRY(add_names(build_modules(build, root)[part], names));
  return PI_SUCCESS;
}

pi_result driver_build_binary(pi_program program, program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size) {
  (void)program;
  if (build->driver.parts > 1)
    return LEVEL_ZERO_UNSUPPORTED("the program was linked of %u modules which the driver joined "
                                  "(zeModuleDynamicLink): there is no one binary of it",
                                  build->driver.parts);
  const ze_module_handle_t module = build_modules(build, root)[0];
  if (!module)
    return PI_SUCCESS;
  ZE_TRY(ModuleGetNativeBinary, module, size, NULL);
  if (!place)
    return PI_SUCCESS;
  ZE_TRY(ModuleGetNativeBinary, module, size, place);
  pi_elf_hash_write(place, *size);
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

/* The module of the first device that it was built for. */
pi_native_handle driver_build_native(program_build *build) {
  const size_t count = (size_t)build->driver.roots * build->driver.parts;
  for (size_t i = 0; i < count; i++)
    if (build->driver.modules[i])
      return (pi_native_handle)(void *)build->driver.modules[i];
  return 0;
}

/* A program that a module came from is the program around it; it may have been built again since.
 */
static pi_result check_ours(pi_program program, pi_context context, pi_native_handle native) {
  PI_REQUIRE(program->context->driver.context == context->driver.context, PI_ERROR_INVALID_CONTEXT,
             "native_handle is a module of another context");
  pthread_mutex_lock(&program->lock);
  const bool is_current = program->build && driver_build_native(program->build) == native;
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
  PI_TRY(program_new(context, &module_form, &program));
  program_build *build;
  const pi_result result = build_open(context, 1, 0, &build);
  if (result != PI_SUCCESS) {
    program_release(program);
    return result;
  }
  build->driver.modules[0] = module;
  build->driver.is_owned = is_owned;
  program_set_built(program, build);
  *ret = program;
  return PI_SUCCESS;
}

/*
 * Level Zero counts no references of modules. A module of ours has its program for an owner, which
 * is what comes back, with the caller's reference or a new one.
 */
pi_result driver_program_adopt(pi_context context, pi_native_handle native, bool is_owned,
                               pi_program *ret) {
  const pi_program ours = (pi_program)(void *)registry_find(PI_HANDLE_PROGRAM, native, is_owned);
  if (!ours)
    return wrap(context, (ze_module_handle_t)native, is_owned, ret);
  const pi_result result = check_ours(ours, context, native);
  /* A failure leaves the handle its reference. */
  if (result != PI_SUCCESS && !is_owned)
    program_release(ours);
  PI_TRY(result);
  *ret = ours;
  return PI_SUCCESS;
}

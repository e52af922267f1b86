/*
 * Programs: queries of builds and their modules, native handles. binary.c loads native code,
 * program_build.c and program_link.c make builds.
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
  TRY(build_create(context, &build));
  struct driver_build *driver_build = &build->driver;
  driver_build->modules =
      calloc((size_t)context->root_count * parts, sizeof *driver_build->modules);
  driver_build->codes = calloc((size_t)code_count + 1, sizeof(spirv_code *));
  if (driver_build->modules)
    driver_build->roots = context->root_count;
  driver_build->parts = parts;
  driver_build->is_owned = true;
  const bool has_memory = driver_build->modules && driver_build->codes;
  if (!has_memory)
    build_release(build);
  REQUIRE_MEMORY(has_memory, "a build");
  *ret = build;
  return PI_SUCCESS;
}

void driver_build_destroy(program_build *build) {
  struct driver_build *driver_build = &build->driver;
  for (size_t i = 0; i < (size_t)driver_build->roots * driver_build->parts; i++)
    if (driver_build->modules[i] && driver_build->is_owned)
      ze.ModuleDestroy(driver_build->modules[i]);
  for (pi_uint32 i = 0; i < driver_build->code_count; i++)
    spirv_code_release(driver_build->codes[i]);
  free(driver_build->codes);
  free(driver_build->modules);
}

bool driver_build_is_for(program_build *build, pi_uint32 root) {
  return build_modules(build, root)[0];
}

/* ---- Programs ---- */

const code_form *const driver_forms[] = {&code_form_spirv, NULL};

pi_result driver_check_code(pi_context context, const code_head *head) {
  (void)head;
  bool takes_il = false;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    takes_il = takes_il || context->roots[i]->driver.module.spirvVersionSupported != 0;
  REQUIRE(takes_il, PI_ERROR_INVALID_OPERATION, "no device of the context takes SPIR-V");
  return PI_SUCCESS;
}

/* ---- Queries of builds ---- */

/* Returns false for a name that Intel's compiler adds to some modules and that is no kernel. */
static bool is_kernel_name(const char *name) {
  return strncmp(name, "Intel_Symbol_Table_Void_Program", 31) != 0;
}

static pi_result add_names(ze_module_handle_t module, kernel_names *to) {
  uint32_t count = 0;
  ZE_TRY(ModuleGetKernelNames, module, &count, NULL);
  const char **list = calloc((size_t)count + 1, sizeof *list);
  REQUIRE_MEMORY(list, "a list of %u kernels", count);
  pi_result result = PI_SUCCESS;
  if (count != 0)
    result = ZE_CALL(ModuleGetKernelNames, module, &count, list);
  for (uint32_t i = 0; i < count && result == PI_SUCCESS; i++)
    if (is_kernel_name(list[i]))
      result = kernel_names_add(to, list[i]);
  free((void *)list);
  return result;
}

/* Lists the kernels of the first device of the build; all devices have the same kernels. */
pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  (void)program;
  pi_uint32 root = 0;
  while (root + 1 < build->driver.roots && !build_modules(build, root)[0])
    root++;
  for (pi_uint32 part = 0; part < build->driver.parts; part++)
    TRY(add_names(build_modules(build, root)[part], names));
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
  elf_hash_write(place, *size);
  return PI_SUCCESS;
}

/* ---- Variables and functions ---- */

/* Returns the modules of a build for a root device; fails if the build is not for that device. */
static pi_result find_modules(program_build *build, pi_uint32 root, ze_module_handle_t **ret) {
  ze_module_handle_t *modules = build_modules(build, root);
  REQUIRE_BUILT_FOR_DEVICE(modules[0]);
  *ret = modules;
  return PI_SUCCESS;
}

pi_result driver_build_find_variable(pi_program program, program_build *build, pi_uint32 root,
                                     const char *name, size_t *size, void **ret) {
  (void)program;
  ze_module_handle_t *modules;
  TRY(find_modules(build, root, &modules));
  for (pi_uint32 i = 0; i < build->driver.parts; i++) {
    const ze_result_t code = ze.ModuleGetGlobalPointer(modules[i], name, size, ret);
    if (code != ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)
      return ze_result(code, "zeModuleGetGlobalPointer");
  }
  *ret = NULL;
  return PI_SUCCESS;
}

static bool has_kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = name};
  ze_kernel_handle_t kernel;
  if (ze.KernelCreate(module, &description, &kernel) != ZE_RESULT_SUCCESS)
    return false;
  ze.KernelDestroy(kernel);
  return true;
}

pi_result driver_build_find_function(program_build *build, pi_uint32 root, const char *name,
                                     bool *is_there, pi_uint64 *ret) {
  ze_module_handle_t *modules;
  TRY(find_modules(build, root, &modules));
  for (pi_uint32 i = 0; i < build->driver.parts; i++) {
    void *pointer = NULL;
    const ze_result_t code = ze.ModuleGetFunctionPointer(modules[i], name, &pointer);
    *ret = (pi_uint64)(uintptr_t)pointer;
    if (code != ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)
      return ze_result(code, "zeModuleGetFunctionPointer");
  }
  *is_there = false;
  *ret = 0;
  for (pi_uint32 i = 0; i < build->driver.parts; i++)
    *is_there = *is_there || has_kernel(modules[i], name);
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

/* Returns the module of the first device that the program was built for. */
pi_result driver_build_native(pi_program program, program_build *build, pi_native_handle *ret) {
  (void)program;
  const size_t count = (size_t)build->driver.roots * build->driver.parts;
  *ret = 0;
  for (size_t i = 0; i < count && *ret == 0; i++)
    *ret = (pi_native_handle)(void *)build->driver.modules[i];
  return PI_SUCCESS;
}

pi_result driver_build_adopt(pi_context context, pi_native_handle native, bool is_owned,
                             program_build **ret) {
  /* A module does not report its device. */
  if (context->root_count != 1)
    return LEVEL_ZERO_UNSUPPORTED("a module does not tell which device it is for, and the context "
                                  "has %u: make a context of that one",
                                  context->root_count);
  TRY(build_open(context, 1, 0, ret));
  (*ret)->driver.modules[0] = (ze_module_handle_t)native;
  (*ret)->driver.is_owned = is_owned;
  return PI_SUCCESS;
}

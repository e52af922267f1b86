/*
 * Programs: what CUDA has for them, native handles, kernels' names. What code says of itself is
 * read in program_code.c, builds are in build.c and program_build.c.
 */
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

void driver_program_destroy(pi_program program) {
  struct driver_program *its = &program->driver;
  if (its->origin)
    program_release(its->origin);
  free(its->code);
  pi_ptx_image_free(its->image);
  code_release(its->info);
  free(its->blocks);
  for (size_t i = 0; i < its->global_count; i++) {
    free(its->globals[i].id);
    free(its->globals[i].name);
  }
  free(its->globals);
}

bool driver_program_is_for(pi_program program, pi_uint32 root) {
  (void)program;
  (void)root;
  return true;
}

/* ---- Native handles ---- */

pi_native_handle driver_build_native(program_build *build) {
  return (pi_native_handle)(void *)build->driver.module;
}

/* Makes a new program share the build of origin, which module came from. */
static pi_result share(pi_program made, CUmodule module, pi_program origin) {
  program_build *build;
  PI_TRY(program_hold_build(origin, &build));
  made->build = build;
  PI_REQUIRE(build->driver.module == module, PI_ERROR_INVALID_PROGRAM,
             "native_handle is the module of a program that was built again since");
  PI_REQUIRE(build->context->driver.context == made->context->driver.context,
             PI_ERROR_INVALID_CONTEXT, "native_handle is a module of another context");
  return PI_SUCCESS;
}

/* The build of a program around module; a failure leaves the handle and its reference as they are.
 */
static pi_result take_module(pi_program made, CUmodule module, bool is_owned) {
  const pi_program origin = (pi_program)(void *)registry_find(
      PI_HANDLE_PROGRAM, (pi_native_handle)(void *)module, is_owned);
  if (!origin)
    return build_adopt(made->context, module, is_owned, &made->build);
  made->driver.origin = origin;
  const pi_result result = share(made, module, origin);
  if (result != PI_SUCCESS && is_owned)
    made->driver.origin = NULL;
  return result;
}

/*
 * A CUmodule has no count of references, so that who owns it unloads it, once. One that came from
 * piextProgramGetNativeHandle stays its build's, which the new program shares.
 */
pi_result driver_program_adopt(pi_context context, pi_native_handle native, bool is_owned,
                               pi_program *ret) {
  pi_program made;
  PI_TRY(program_new(context, &program_module_form, &made));
  const pi_result result = take_module(made, (CUmodule)native, is_owned);
  if (result != PI_SUCCESS) {
    program_release(made);
    return result;
  }
  program_set_built(made, made->build);
  *ret = made;
  return PI_SUCCESS;
}

/* ---- Names of kernels ---- */

/* The functions of a module as the driver knows them, in a list of kernels. */
static pi_result read_module(CUmodule module, code_info *info) {
  if (!cu.ModuleGetFunctionCount || !cu.ModuleEnumerateFunctions || !cu.FuncGetName)
    return CUDA_UNSUPPORTED("the names of the program's kernels are not known: its code does not "
                            "tell, and the driver's CUDA %d.%d cannot (12.4 can)",
                            cuda_driver_version / 1000, cuda_driver_version % 1000 / 10);
  unsigned count = 0;
  CU_TRY(ModuleGetFunctionCount, &count, module);
  CUfunction *functions = calloc(count + 1u, sizeof(CUfunction));
  PI_REQUIRE(functions, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %u kernels", count);
  pi_result result = cu_result(cu.ModuleEnumerateFunctions(functions, count, module),
                               "cuModuleEnumerateFunctions");
  for (unsigned i = 0; i < count && result == PI_SUCCESS; i++) {
    const char *name = NULL;
    code_kernel *kernel;
    result = cu_result(cu.FuncGetName(&name, functions[i]), "cuFuncGetName");
    if (result == PI_SUCCESS && name)
      result = code_add_kernel(info, name, strlen(name), &kernel);
  }
  free(functions);
  return result;
}

static pi_result join_names(const code_info *info, kernel_names *ret) {
  for (size_t i = 0; i < info->count; i++)
    if (!code_is_offset_variant(info, &info->kernels[i]))
      PI_TRY(kernel_names_add(ret, info->kernels[i].name));
  return PI_SUCCESS;
}

pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  const pi_program of = program_of_code(program);
  /* Code that is no text need not tell its kernels, and of a fat binary's metadata tells some. */
  if (program_tells_kernels(of) || (program_is_cubin(of) && of->driver.info->count != 0))
    return join_names(of->driver.info, names);
  PI_TRY(cuda_enter(program->context));
  code_info *info = code_new();
  PI_REQUIRE(info, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of kernels");
  pi_result result = read_module(build->driver.module, info);
  code_sort(info);
  if (result == PI_SUCCESS)
    result = join_names(info, names);
  code_release(info);
  return result;
}

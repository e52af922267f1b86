/*
 * Programs: forms of code, native handles, kernels' names. Builds are in build.c and
 * program_build.c.
 */
#include "program.h"

#include "device.h"

#include "../code/ptx_name.h"
#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

const code_form *const driver_forms[] = {&code_form_ptx, &code_form_cubin, &code_form_fatbin,
                                         &code_form_generated, NULL};

static pi_result check_code(pi_device device, const code_head *head) {
  const ptx_target target = device_ptx_target(device);
  char text[64];
  code_head_describe(head, text, sizeof text);
  REQUIRE(head->kind != CODE_IS_SPIRV || !target.no_spirv, PI_ERROR_INVALID_VALUE,
          "the code is %s, which %s", text, target.no_spirv);
  REQUIRE(head->kind != CODE_IS_CUBIN || code_head_rank(head, &target) != 0,
          PI_ERROR_INVALID_BINARY, "the code is %s, which the device of sm_%d does not run", text,
          target.capability);
  return PI_SUCCESS;
}

/* Checks that a device can run the code, as far as its head tells; the compiler finds the rest. */
pi_result driver_check_code(pi_context context, const code_head *head) {
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    result = check_code(context->roots[i], head);
    if (result == PI_SUCCESS)
      break;
  }
  return result;
}

/* Reads the binaries, which must be equal. *ret_at is the first unusable binary, or the count. */
static pi_result read_binaries(pi_program program, const binary_array *all, pi_uint32 *ret_at) {
  const size_t size = all->lengths[0];
  *ret_at = 0;
  TRY(program_read(program, all->bytes[0], size, PI_ERROR_INVALID_BINARY));
  for (*ret_at = 1; *ret_at < all->count; ++*ret_at)
    REQUIRE(all->lengths[*ret_at] == size && memcmp(all->bytes[*ret_at], all->bytes[0], size) == 0,
            PI_ERROR_INVALID_BINARY,
            "binaries 0 and %u differ; a program for several CUDA devices has one code", *ret_at);
  return PI_SUCCESS;
}

pi_result driver_program_load(pi_program program, const binary_array *all, pi_int32 *status) {
  pi_uint32 at;
  const pi_result result = read_binaries(program, all, &at);
  /* The status of the refused binary is the only output after a failure. */
  if (status && result == PI_ERROR_INVALID_BINARY)
    status[at] = (pi_int32)result;
  for (pi_uint32 i = 0; status && result == PI_SUCCESS && i < all->count; i++)
    status[i] = PI_SUCCESS;
  TRY(result);
  return code_read_metadata(&program->code, all->metadata_count, all->metadata);
}

bool program_is_cubin(pi_program program) {
  return program->code.form == &code_form_cubin || program->code.form == &program_linked_form;
}

bool program_is_generated(pi_program program) {
  return program->code.form == &code_form_generated || program->code.form == &code_form_joined;
}

bool program_is_repeatable(pi_program program) {
  const program_code *code = &program->code;
  if (program_is_generated(program))
    return !code->has_state;
  return code->form == &code_form_ptx &&
         !ptx_declares_variables((const char *)code->bytes, code->image->text_size);
}

bool program_tells_kernels(pi_program program) {
  return program->code.form->is_compiled || program->code.form == &program_linked_form ||
         program->code.form == &code_form_joined;
}

bool driver_build_is_for(program_build *build, pi_uint32 root) {
  return build_part(build, root) != NULL;
}

/* Finds the build for a root device. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: there is none. */
static pi_result find_part(program_build *build, pi_uint32 root, program_build **ret) {
  program_build *part = build_part(build, root);
  REQUIRE_BUILT_FOR_DEVICE(part);
  *ret = part;
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

pi_result driver_build_native(pi_program program, program_build *build, pi_native_handle *ret) {
  program_build *whole;
  TRY(build_of_kernel(program, build_first_part(build), NULL, &whole));
  *ret = (pi_native_handle)(void *)whole->driver.module;
  build_release(whole);
  return PI_SUCCESS;
}

/* Makes a build from a CUmodule. CUDA counts no references to it: an owned one is unloaded once. */
pi_result driver_build_adopt(pi_context context, pi_native_handle native, bool is_owned,
                             program_build **ret) {
  REQUIRE(!context->driver.members, PI_ERROR_UNSUPPORTED_FEATURE,
          "a CUmodule does not name its device, and the context has %u: use a context of one",
          context->root_count);
  TRY(build_create(context, ret));
  struct driver_build *build = &(*ret)->driver;
  pthread_mutex_init(&build->lock, NULL);
  build->module = (CUmodule)native;
  build->is_owned = is_owned;
  build->options.level = -1;
  return PI_SUCCESS;
}

/* ---- Variables and functions ---- */

/*
 * Finds a variable by its name on the host. Tries three names: the one that metadata maps the name
 * to, the name itself (as in specpi-codegen's code), and the name with all characters that PTX does
 * not allow replaced.
 */
static CUresult find_global(const program_code *code, CUmodule module, const char *name,
                            size_t *size, CUdeviceptr *ret) {
  char made[4096];
  const char *const mapped = code_global_name(code, name);
  CUresult result = cu.ModuleGetGlobal(ret, size, module, mapped);
  if (result == CUDA_ERROR_NOT_FOUND && mapped != name)
    result = cu.ModuleGetGlobal(ret, size, module, name);
  if (result != CUDA_ERROR_NOT_FOUND || ptx_name_is_identifier(name) ||
      strlen(name) + 2 > sizeof made)
    return result;
  ptx_name_make(name, made);
  return cu.ModuleGetGlobal(ret, size, module, made);
}

pi_result driver_build_find_variable(pi_program program, program_build *build, pi_uint32 root,
                                     const char *name, size_t *size, void **ret) {
  CUdeviceptr pointer = 0;
  program_build *whole;
  TRY(find_part(build, root, &build));
  TRY(build_of_kernel(program, build, NULL, &whole));
  pi_result result = cuda_enter(build->context);
  if (result == PI_SUCCESS) {
    build_is_used(whole);
    const CUresult code = find_global(&program->code, whole->driver.module, name, size, &pointer);
    result = code == CUDA_ERROR_NOT_FOUND ? PI_SUCCESS : cu_result(code, "cuModuleGetGlobal");
  }
  build_release(whole);
  TRY(result);
  *ret = (void *)(uintptr_t)pointer;
  return PI_SUCCESS;
}

/*
 * Finds out if a build has a function. *ret is always 0: the driver does not report the function's
 * address on the device, only a handle (piextKernelGetNativeHandle).
 */
pi_result driver_build_find_function(program_build *build, pi_uint32 root, const char *name,
                                     bool *is_there, pi_uint64 *ret) {
  CUfunction function;
  TRY(find_part(build, root, &build));
  *ret = 0;
  *is_there = build->driver.is_divided && code_find(build->driver.info, name);
  if (build->driver.is_divided)
    return PI_SUCCESS;
  TRY(cuda_enter(build->context));
  const CUresult code = cu.ModuleGetFunction(&function, build->driver.module, name);
  *is_there = code == CUDA_SUCCESS;
  return code == CUDA_ERROR_NOT_FOUND ? PI_SUCCESS : cu_result(code, "cuModuleGetFunction");
}

/* ---- Names of kernels ---- */

/* Lists the kernels of a module that the driver reports. */
static pi_result read_module(CUmodule module, code_info *info) {
  if (!cu.ModuleGetFunctionCount || !cu.ModuleEnumerateFunctions || !cu.FuncGetName)
    return CUDA_UNSUPPORTED("the names of the program's kernels are not known: its code does not "
                            "list them, and neither can the driver of CUDA %d.%d (12.4 can)",
                            cuda_driver_version / 1000, cuda_driver_version % 1000 / 10);
  unsigned count = 0;
  CU_TRY(ModuleGetFunctionCount, &count, module);
  CUfunction *functions = calloc(count + 1u, sizeof(CUfunction));
  REQUIRE_MEMORY(functions, "a list of %u kernels", count);
  pi_result result = CU_CALL(ModuleEnumerateFunctions, functions, count, module);
  for (unsigned i = 0; i < count && result == PI_SUCCESS; i++) {
    const char *name = NULL;
    code_kernel *kernel;
    result = CU_CALL(FuncGetName, &name, functions[i]);
    if (result == PI_SUCCESS && name)
      result = code_add_kernel(info, name, strlen(name), &kernel);
  }
  free(functions);
  return result;
}

static pi_result join_names(const code_info *info, kernel_names *ret) {
  for (size_t i = 0; i < info->count; i++)
    if (!code_is_offset_variant(info, &info->kernels[i]))
      TRY(kernel_names_add(ret, info->kernels[i].name));
  return PI_SUCCESS;
}

pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  /* Binary code need not list its kernels, and a fat binary's metadata may list only some. */
  if (program_tells_kernels(program) ||
      (program_is_cubin(program) && program->code.info->count != 0))
    return join_names(program->code.info, names);
  build = build_first_part(build);
  TRY(cuda_enter(build->context));
  code_info *info = code_new();
  REQUIRE_MEMORY(info, "a list of kernels");
  pi_result result = read_module(build->driver.module, info);
  code_sort(info);
  if (result == PI_SUCCESS)
    result = join_names(info, names);
  code_release(info);
  return result;
}

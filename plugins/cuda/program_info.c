/* Programs: queries about a program and its latest build. */
#include "program.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names of kernels ---- */

/* Text that grows. */
typedef struct names {
  char *text;
  size_t length, capacity;
  size_t count;
} names;

static pi_result add_name(names *to, const char *name) {
  const size_t length = strlen(name);
  const size_t needed = to->length + length + 2;
  if (needed > to->capacity) {
    char *text = realloc(to->text, 2 * needed);
    PI_REQUIRE(text, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the names of %zu kernels",
               to->count + 1);
    to->text = text;
    to->capacity = 2 * needed;
  }
  if (to->count++ != 0)
    to->text[to->length++] = ';';
  memcpy(to->text + to->length, name, length + 1);
  to->length += length;
  return PI_SUCCESS;
}

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

static pi_result join_names(const code_info *info, names *ret) {
  for (size_t i = 0; i < info->count; i++)
    if (!code_is_offset_variant(info, &info->kernels[i]))
      PI_TRY(add_name(ret, info->kernels[i].name));
  return PI_SUCCESS;
}

/* Code that is no text need not tell its kernels, and of a fat binary's metadata tells some. */
static bool tells_kernels(pi_program program) {
  const program_kind kind = program_of_code(program)->kind;
  return kind == PROGRAM_PTX || kind == PROGRAM_LINKED ||
         (kind != PROGRAM_FATBIN && program->info->count != 0);
}

static pi_result collect_names(pi_program program, CUmodule module, names *ret) {
  if (tells_kernels(program))
    return join_names(program->info, ret);
  PI_TRY(cuda_enter(program->context));
  code_info *info = code_new();
  PI_REQUIRE(info, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of kernels");
  pi_result result = read_module(module, info);
  code_sort(info);
  if (result == PI_SUCCESS)
    result = join_names(info, ret);
  code_release(info);
  return result;
}

static pi_result get_kernels(pi_program program, pi_program_info query, const pi_answer *answer) {
  cuda_build *build;
  PI_TRY(program_hold_build(program, &build));
  names all = {0};
  pi_result result = collect_names(program, build->module, &all);
  if (result == PI_SUCCESS)
    result = query == PI_PROGRAM_INFO_NUM_KERNELS
                 ? pi_answer_size(answer, all.count)
                 : pi_answer_text(answer, all.text ? all.text : "");
  free(all.text);
  build_release(build);
  return result;
}

/* ---- Binaries ---- */

/* Whether there is no build that would have a binary: then its size is 0. */
static bool is_unbuilt(pi_program program) {
  pthread_mutex_lock(&program->lock);
  const bool unbuilt = !program->build;
  pthread_mutex_unlock(&program->lock);
  return unbuilt;
}

static pi_result answer_binary(const pi_answer *answer, const unsigned char *binary, size_t size) {
  unsigned char *place = NULL;
  if (answer->value) {
    PI_REQUIRE(answer->size >= sizeof place, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, the answer has %zu bytes", answer->size, sizeof place);
    memcpy(&place, answer->value, sizeof place);
  }
  /* A NULL in the list: this binary is not wanted. */
  if (place && size != 0)
    memcpy(place, binary, size);
  if (answer->size_ret)
    *answer->size_ret = sizeof place;
  return PI_SUCCESS;
}

static pi_result get_binary(pi_program program, pi_program_info query, const pi_answer *answer) {
  const bool size_only = query == PI_PROGRAM_INFO_BINARY_SIZES;
  if (is_unbuilt(program))
    return size_only ? pi_answer_size(answer, 0) : answer_binary(answer, NULL, 0);
  cuda_build *build;
  PI_TRY(program_hold_build(program, &build));
  const unsigned char *binary = NULL;
  size_t size = 0;
  /* How large the list of pointers is can be told without what they point to. */
  pi_result result =
      size_only || answer->value ? build_binary(program, build, &binary, &size) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    result = size_only ? pi_answer_size(answer, size) : answer_binary(answer, binary, size);
  build_release(build);
  return result;
}

pi_result piProgramGetInfo(pi_program program, pi_program_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_PROGRAM_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&program->handle));
  case PI_PROGRAM_INFO_CONTEXT:
    return pi_answer_handle(&answer, program->context);
  case PI_PROGRAM_INFO_NUM_DEVICES:
    return pi_answer_uint32(&answer, 1);
  case PI_PROGRAM_INFO_DEVICES:
    return pi_answer_handle(&answer, program->context->devices[0]);
  case PI_PROGRAM_INFO_SOURCE:
    return pi_answer_unsupported("pi_program_info", PI_PROGRAM_INFO_SOURCE,
                                 "the program was not created from source");
  case PI_PROGRAM_INFO_BINARY_SIZES:
  case PI_PROGRAM_INFO_BINARIES:
    return get_binary(program, param_name, &answer);
  case PI_PROGRAM_INFO_NUM_KERNELS:
  case PI_PROGRAM_INFO_KERNEL_NAMES:
    return get_kernels(program, param_name, &answer);
  }
  return pi_answer_unknown("pi_program_info", (pi_uint32)param_name);
}

/* A text that the lock guards. */
static pi_result get_text(pi_program program, char *const *text, const pi_answer *answer) {
  pthread_mutex_lock(&program->lock);
  const pi_result result = pi_answer_text(answer, *text ? *text : "");
  pthread_mutex_unlock(&program->lock);
  return result;
}

pi_result piProgramGetBuildInfo(pi_program program, pi_device device,
                                pi_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE(device);
  PI_REQUIRE(device == program->context->devices[0], PI_ERROR_INVALID_DEVICE,
             "the device is not the one of the program's context");
  PI_TRY(pi_answer_check(&answer));
  pthread_mutex_lock(&program->lock);
  const pi_program_build_status status = program->status;
  const pi_program_binary_type type = program->type;
  pthread_mutex_unlock(&program->lock);
  switch (param_name) {
  case PI_PROGRAM_BUILD_INFO_STATUS:
    return pi_answer_uint32(&answer, (pi_uint32)status);
  case PI_PROGRAM_BUILD_INFO_BINARY_TYPE:
    return pi_answer_uint32(&answer, (pi_uint32)type);
  case PI_PROGRAM_BUILD_INFO_OPTIONS:
    return get_text(program, &program->options, &answer);
  case PI_PROGRAM_BUILD_INFO_LOG:
    return get_text(program, &program->log, &answer);
  }
  return pi_answer_unknown("pi_program_build_info", (pi_uint32)param_name);
}

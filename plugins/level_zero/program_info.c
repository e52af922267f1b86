/* Programs: queries about a program and its latest build. */
#include "program.h"

#include "checks.h"

#include "../code/elf_hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- Devices ---- */

/* Native code is for the devices that it came for, all else for those of the context. */
static bool is_for(pi_program program, pi_uint32 index) {
  const pi_context context = program->context;
  if (!program->loaded)
    return true;
  return build_modules(program->loaded, context_root(context, context->devices[index]))[0] != NULL;
}

pi_uint32 program_device_count(pi_program program) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < program->context->device_count; i++)
    count += is_for(program, i);
  return count;
}

pi_device program_device(pi_program program, pi_uint32 index) {
  const pi_context context = program->context;
  for (pi_uint32 i = 0; i < context->device_count; i++)
    if (is_for(program, i) && index-- == 0)
      return context->devices[i];
  return NULL;
}

static pi_result get_devices(pi_program program, const pi_answer *answer) {
  const pi_uint32 count = program_device_count(program);
  pi_device *devices = calloc((size_t)count + 1, sizeof(pi_device));
  PI_REQUIRE(devices, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %u devices", count);
  for (pi_uint32 i = 0; i < count; i++)
    devices[i] = program_device(program, i);
  const pi_result result = pi_answer_bytes(answer, devices, count * sizeof(pi_device));
  free(devices);
  return result;
}

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

/* Intel's compiler adds these to every module of some kinds; they are no kernels of the program. */
static bool is_kernel_name(const char *name) {
  return strncmp(name, "Intel_Symbol_Table_Void_Program", 31) != 0;
}

static pi_result add_names(ze_module_handle_t module, names *to) {
  uint32_t count = 0;
  ZE_TRY(ModuleGetKernelNames, module, &count, NULL);
  const char **list = calloc((size_t)count + 1, sizeof *list);
  PI_REQUIRE(list, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %u kernels", count);
  pi_result result = PI_SUCCESS;
  if (count != 0)
    result = ze_result(ze.ModuleGetKernelNames(module, &count, list), "zeModuleGetKernelNames");
  for (uint32_t i = 0; i < count && result == PI_SUCCESS; i++)
    if (is_kernel_name(list[i]))
      result = add_name(to, list[i]);
  free((void *)list);
  return result;
}

/* Of the first device that the program was built for: the others have the same. */
static pi_result collect_names(level_zero_build *build, names *ret) {
  pi_uint32 root = 0;
  while (root + 1 < build->roots && !build_modules(build, root)[0])
    root++;
  for (pi_uint32 part = 0; part < build->parts; part++)
    PI_TRY(add_names(build_modules(build, root)[part], ret));
  return PI_SUCCESS;
}

static pi_result get_kernels(pi_program program, pi_program_info query, const pi_answer *answer) {
  level_zero_build *build;
  PI_TRY(program_hold_build(program, &build));
  names all = {0};
  pi_result result = collect_names(build, &all);
  if (result == PI_SUCCESS)
    result = query == PI_PROGRAM_INFO_NUM_KERNELS
                 ? pi_answer_size(answer, all.count)
                 : pi_answer_text(answer, all.text ? all.text : "");
  free(all.text);
  build_release(build);
  return result;
}

/* ---- Binaries ---- */

/* The module of a device; NULL when the program was not built for it, or not at all. */
static ze_module_handle_t module_of(pi_program program, level_zero_build *build, pi_uint32 index) {
  if (!build)
    return NULL;
  return build_modules(build, context_root(program->context, program_device(program, index)))[0];
}

static pi_result get_sizes(pi_program program, level_zero_build *build, pi_uint32 count,
                           const pi_answer *answer) {
  size_t *sizes = calloc((size_t)count + 1, sizeof *sizes);
  PI_REQUIRE(sizes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the sizes of %u binaries", count);
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < count && result == PI_SUCCESS; i++) {
    const ze_module_handle_t module = module_of(program, build, i);
    if (module)
      result =
          ze_result(ze.ModuleGetNativeBinary(module, &sizes[i], NULL), "zeModuleGetNativeBinary");
  }
  if (result == PI_SUCCESS)
    result = pi_answer_bytes(answer, sizes, count * sizeof *sizes);
  free(sizes);
  return result;
}

/* Copies each binary to its place in the caller's list; a NULL there: it is not wanted. */
static pi_result get_bytes(pi_program program, level_zero_build *build, pi_uint32 count,
                           const pi_answer *answer) {
  const size_t needed = count * sizeof(unsigned char *);
  PI_REQUIRE(!answer->value || answer->size >= needed, PI_ERROR_INVALID_VALUE,
             "param_value_size is %zu, the answer has %zu bytes", answer->size, needed);
  for (pi_uint32 i = 0; answer->value && i < count; i++) {
    const ze_module_handle_t module = module_of(program, build, i);
    unsigned char *place;
    size_t size = 0;
    memcpy(&place, (char *)answer->value + i * sizeof place, sizeof place);
    if (!place || !module)
      continue;
    ZE_TRY(ModuleGetNativeBinary, module, &size, NULL);
    ZE_TRY(ModuleGetNativeBinary, module, &size, place);
    pi_elf_hash_write(place, size);
  }
  if (answer->size_ret)
    *answer->size_ret = needed;
  return PI_SUCCESS;
}

/* The code as it was built, with the values that were set; before a build there is none. */
static pi_result get_binaries(pi_program program, pi_program_info query, const pi_answer *answer) {
  const pi_uint32 count = program_device_count(program);
  pthread_mutex_lock(&program->lock);
  level_zero_build *build = program->build;
  if (build)
    build_retain(build);
  pthread_mutex_unlock(&program->lock);
  pi_result result = PI_SUCCESS;
  if (build && build->parts > 1)
    result = LEVEL_ZERO_UNSUPPORTED("the program was linked of %u modules which the driver joined "
                                    "(zeModuleDynamicLink): there is no one binary of it",
                                    build->parts);
  else if (query == PI_PROGRAM_INFO_BINARY_SIZES)
    result = get_sizes(program, build, count, answer);
  else
    result = get_bytes(program, build, count, answer);
  build_release(build);
  return result;
}

/* ---- Entries ---- */

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
    return pi_answer_uint32(&answer, program_device_count(program));
  case PI_PROGRAM_INFO_DEVICES:
    return get_devices(program, &answer);
  case PI_PROGRAM_INFO_SOURCE:
    return pi_answer_unsupported("pi_program_info", PI_PROGRAM_INFO_SOURCE,
                                 "the program was not created from source");
  case PI_PROGRAM_INFO_BINARY_SIZES:
  case PI_PROGRAM_INFO_BINARIES:
    return get_binaries(program, param_name, &answer);
  case PI_PROGRAM_INFO_NUM_KERNELS:
  case PI_PROGRAM_INFO_KERNEL_NAMES:
    return get_kernels(program, param_name, &answer);
  }
  return pi_answer_unknown("pi_program_info", (pi_uint32)param_name);
}

/* A text that the lock guards; "" for a device that the build was not for. */
static pi_result get_text(pi_program program, char *const *text, pi_uint32 root,
                          const pi_answer *answer) {
  pthread_mutex_lock(&program->lock);
  const pi_result result = pi_answer_text(answer, *text && program->asked[root] ? *text : "");
  pthread_mutex_unlock(&program->lock);
  return result;
}

pi_result piProgramGetBuildInfo(pi_program program, pi_device device,
                                pi_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE_OF(program->context, device);
  PI_TRY(pi_answer_check(&answer));
  const pi_uint32 root = context_root(program->context, device);
  pthread_mutex_lock(&program->lock);
  const bool asked = program->asked[root] || program->status == PI_PROGRAM_BUILD_STATUS_IN_PROGRESS;
  const pi_program_build_status status = asked ? program->status : PI_PROGRAM_BUILD_STATUS_NONE;
  const pi_program_binary_type type = asked ? program->type : PI_PROGRAM_BINARY_TYPE_NONE;
  pthread_mutex_unlock(&program->lock);
  switch (param_name) {
  case PI_PROGRAM_BUILD_INFO_STATUS:
    return pi_answer_uint32(&answer, (pi_uint32)status);
  case PI_PROGRAM_BUILD_INFO_BINARY_TYPE:
    return pi_answer_uint32(&answer, (pi_uint32)type);
  case PI_PROGRAM_BUILD_INFO_OPTIONS:
    return get_text(program, &program->options, root, &answer);
  case PI_PROGRAM_BUILD_INFO_LOG:
    return get_text(program, &program->log, root, &answer);
  }
  return pi_answer_unknown("pi_program_build_info", (pi_uint32)param_name);
}

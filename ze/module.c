/* Entries for modules, which are built programs. */
#define _DEFAULT_SOURCE /* strsep */
#include "../plugins/base/text_keep.h"
#include "../plugins/objects/program_symbol.h"
#include "ze.h"

#include <stdlib.h>
#include <string.h>

/* A module's build log. */
struct _ze_module_build_log_handle_t {
  char text[1]; /* allocated with the size of the log */
};

/* ---- Constants ---- */

/* Sets constants. Level Zero passes values without sizes, so each takes the size in the module. */
static pi_result set_constants(pi_program program, const ze_module_constants_t *given) {
  for (uint32_t i = 0; i < given->numConstants; i++) {
    const uint32_t id = given->pConstantIds[i];
    const constant_setting one = {id, constants_size_of(program->code.constants, id),
                                  given->pConstantValues[i]};
    TRY(program_set_constants(program, &one, 1));
  }
  return PI_SUCCESS;
}

/* ---- Creation ---- */

static ze_result_t check_description(const ze_module_desc_t *desc) {
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE(desc->format == ZE_MODULE_FORMAT_IL_SPIRV || desc->format == ZE_MODULE_FORMAT_NATIVE,
             INVALID_ENUMERATION, "desc->format is %d, neither SPIR-V nor native",
             (int)desc->format);
  ZE_REQUIRE(desc->pInputModule, INVALID_NULL_POINTER, "desc->pInputModule is NULL");
  ZE_REQUIRE(desc->inputSize, INVALID_SIZE, "desc->inputSize is 0");
  ZE_REQUIRE(!desc->pNext, UNSUPPORTED_FEATURE,
             "desc->pNext has a structure of type 0x%x, and a module is of one piece of code",
             *(const unsigned *)desc->pNext);
  const ze_module_constants_t *constants = desc->pConstants;
  if (constants && constants->numConstants)
    ZE_REQUIRE(constants->pConstantIds && constants->pConstantValues, INVALID_NULL_POINTER,
               "desc->pConstants has %u constants, and no ids or values", constants->numConstants);
  return ZE_RESULT_SUCCESS;
}

static pi_result build(pi_program program, pi_device device, const ze_module_desc_t *desc) {
  if (desc->pConstants)
    TRY(set_constants(program, desc->pConstants));
  const build_request request = {.count = 1, .devices = &device, .options = desc->pBuildFlags};
  return program_make(program, &request);
}

pi_device ze_module_device(pi_program program) {
  const pi_context context = program->context;
  pi_uint32 i = 0;
  pthread_mutex_lock(&program->lock);
  while (i + 1 < context->device_count &&
         !program->asked[context_root(context, context->devices[i])])
    i++;
  pthread_mutex_unlock(&program->lock);
  return context->devices[i];
}

/* Copies the log of a program's latest build. Returns NULL without memory; the build still
 * succeeds. */
static ze_module_build_log_handle_t keep_log(pi_program program, pi_device device) {
  size_t size = 0;
  const pi_program_build_info query = PI_PROGRAM_BUILD_INFO_LOG;
  if (program_answer_build(program, device, query, &(info_answer){0, NULL, &size}) != PI_SUCCESS)
    size = 0;
  ze_module_build_log_handle_t log = calloc(1, sizeof *log + size);
  if (!log)
    return NULL;
  if (size)
    (void)program_answer_build(program, device, query, &(info_answer){size, log->text, NULL});
  return log;
}

/* Returns the handle of a new module; releases the module if result is an error or it has none. */
static pi_result give_module(pi_program program, pi_result result, ze_module_handle_t *ret) {
  pi_native_handle handle;
  if (result == PI_SUCCESS)
    result = program_native(program, &handle);
  if (result == PI_SUCCESS)
    *ret = program_handle(program);
  else
    program_release(program);
  return result;
}

ze_result_t zeModuleCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                           const ze_module_desc_t *desc, ze_module_handle_t *phModule,
                           ze_module_build_log_handle_t *phBuildLog) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(phModule);
  const pi_context context = context_of(hContext);
  ZE_REQUIRE(context_has(context, device_of(hDevice)), INVALID_ARGUMENT,
             "hDevice is not a device of hContext");
  const ze_result_t checked = check_description(desc);
  if (checked != ZE_RESULT_SUCCESS)
    return checked;
  pi_program program;
  const pi_result made = program_create(context, desc->pInputModule, desc->inputSize, &program);
  if (made != PI_SUCCESS)
    return made == PI_ERROR_INVALID_VALUE ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ze_answer(made);
  program->takes_wide_values = true;
  const pi_result result = build(program, device_of(hDevice), desc);
  if (phBuildLog)
    *phBuildLog = keep_log(program, device_of(hDevice));
  return ze_answer(give_module(program, result, phModule));
}

ze_result_t zeModuleDestroy(ze_module_handle_t hModule) {
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  program_release(program_of(hModule));
  return ZE_RESULT_SUCCESS;
}

/* ---- Logs ---- */

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t hModuleBuildLog) {
  free(hModuleBuildLog);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t hModuleBuildLog, size_t *pSize,
                                      char *pBuildLog) {
  ZE_REQUIRE(hModuleBuildLog, INVALID_NULL_HANDLE, "hModuleBuildLog is NULL");
  ZE_REQUIRE_POINTER(pSize);
  return ze_text(pSize, hModuleBuildLog->text, pBuildLog);
}

/* ---- Queries ---- */

/* Refuses, because programs would take the binary for code of Intel's hardware. */
ze_result_t zeModuleGetNativeBinary(ze_module_handle_t hModule, size_t *pSize,
                                    uint8_t *pModuleNativeBinary) {
  (void)pSize;
  (void)pModuleNativeBinary;
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  ZE_REQUIRE(false, UNSUPPORTED_FEATURE,
             "zeModuleGetNativeBinary: the code of a module is NVIDIA's, which users of Level Zero "
             "have no use for");
}

/* Writes names, which stay allocated until the process ends, like the names of kernels. */
static pi_result write_names(char *names, uint32_t room, const char **ret) {
  char *rest = names;
  for (uint32_t i = 0; i < room; i++) {
    ret[i] = text_keep(strsep(&rest, ";"));
    REQUIRE_MEMORY(ret[i], "the names of kernels");
  }
  return PI_SUCCESS;
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t hModule, uint32_t *pCount,
                                   const char **pNames) {
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  ZE_REQUIRE_POINTER(pCount);
  kernel_names names = {0};
  pi_result result = program_name_kernels(program_of(hModule), &names);
  if (result == PI_SUCCESS)
    result = write_names(names.text, ze_list(pCount, (uint32_t)names.count, pNames), pNames);
  free(names.text);
  return ze_answer(result);
}

ze_result_t zeModuleGetProperties(ze_module_handle_t hModule,
                                  ze_module_properties_t *pModuleProperties) {
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  ZE_REQUIRE_POINTER(pModuleProperties);
  pModuleProperties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t hModule, const char *pGlobalName,
                                     size_t *pSize, void **pptr) {
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  ZE_REQUIRE_POINTER(pGlobalName);
  const pi_program program = program_of(hModule);
  size_t size;
  void *address;
  const pi_result result =
      program_find_variable(program, ze_module_device(program), pGlobalName, &size, &address);
  if (result != PI_SUCCESS)
    return result == PI_ERROR_INVALID_VALUE ? ZE_RESULT_ERROR_INVALID_GLOBAL_NAME
                                            : ze_answer(result);
  if (pSize)
    *pSize = size;
  if (pptr)
    *pptr = address;
  return ZE_RESULT_SUCCESS;
}

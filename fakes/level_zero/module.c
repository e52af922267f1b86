/* Modules of the fake Level Zero driver. */
#include "module.h"

#include <stdlib.h>

const fake_entry *fake_module_entry(const fake_module *module, const char *name) {
  const fake_entry *entry = NULL;
  for (size_t i = 0; i < module->source->count && !entry; i++)
    entry = fake_reflection_entry(&module->source->inputs[i].reflection, name);
  return entry;
}

/* Reads a ze_module_program_exp_desc_t. Returns NULL with a line in log if it is bad. */
static fake_source *read_program(const ze_module_program_exp_desc_t *desc, fake_text *log) {
  fake_source *source = fake_source_new(desc->count);
  bool fine = true;
  while (fine && source->count < desc->count) {
    const size_t i = source->count;
    fine = fake_input_make(desc->pInputModules[i], desc->inputSizes[i],
                           desc->pBuildFlags ? desc->pBuildFlags[i] : NULL,
                           desc->pConstants ? desc->pConstants[i] : NULL, &source->inputs[i], log);
    source->count += fine;
  }
  if (fine)
    return source;
  fake_source_release(source);
  return NULL;
}

static fake_source *read_single(const ze_module_desc_t *desc, fake_text *log) {
  fake_source *source = fake_source_new(1);
  if (fake_input_make(desc->pInputModule, desc->inputSize, desc->pBuildFlags, desc->pConstants,
                      &source->inputs[0], log)) {
    source->count = 1;
    return source;
  }
  fake_source_release(source);
  return NULL;
}

/* Checks a descriptor. *ret is its descriptor for several inputs, or NULL. */
static ze_result_t check_desc(const ze_module_desc_t *desc,
                              const ze_module_program_exp_desc_t **ret) {
  const ze_module_program_exp_desc_t *program = NULL;
  if (!fake_is_left_out(ZE_MODULE_PROGRAM_EXP_NAME))
    program = fake_next(desc->pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
  FAKE_REQUIRE(desc->format == ZE_MODULE_FORMAT_IL_SPIRV ||
                   (desc->format == ZE_MODULE_FORMAT_NATIVE && !program),
               INVALID_ENUMERATION, "zeModuleCreate: format %d", (int)desc->format);
  if (program) {
    FAKE_REQUIRE(program->count != 0, INVALID_SIZE, "zeModuleCreate: a program of no modules");
    FAKE_REQUIRE(program->inputSizes && program->pInputModules, INVALID_NULL_POINTER,
                 "zeModuleCreate: inputSizes or pInputModules is NULL");
    for (uint32_t i = 0; i < program->count; i++)
      FAKE_REQUIRE(program->pInputModules[i], INVALID_NULL_POINTER,
                   "zeModuleCreate: module %u of the program is NULL", i);
  } else {
    FAKE_REQUIRE(desc->pInputModule, INVALID_NULL_POINTER, "zeModuleCreate: pInputModule is NULL");
    FAKE_REQUIRE(desc->inputSize != 0, INVALID_SIZE, "zeModuleCreate: inputSize is 0");
  }
  *ret = program;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t new_module(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                              fake_source *source, fake_text *log, ze_module_handle_t *ret) {
  fake_code *code = NULL;
  FAKE_TRY(fake_cl_enter());
  const fake_build_result result = fake_build(&source, 1, &code, log);
  fake_cl_leave();
  if (result == FAKE_BUILD_FAILED)
    return fake_deny(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "zeModuleCreate: %s",
                     log->text ? log->text : "");
  /* Looks the handles up again, because other threads may have destroyed the objects. */
  fake_context *context = fake_find(context_handle, FAKE_CONTEXT);
  fake_device *device = fake_find(device_handle, FAKE_DEVICE);
  if (!context || !device) {
    fake_code_release(code);
    return fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                       "zeModuleCreate: the context was destroyed meanwhile");
  }
  fake_module *module = fake_new(FAKE_MODULE, sizeof *module, context, false);
  module->device = device;
  module->code = code;
  module->imports = result == FAKE_BUILD_UNRESOLVED;
  module->source = source;
  source->references++;
  *ret = FAKE_HANDLE(ze_module_handle_t, module);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleCreate(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                           const ze_module_desc_t *desc, ze_module_handle_t *ret,
                           ze_module_build_log_handle_t *ret_log) {
  FAKE_ENTER(zeModuleCreate);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_STRUCT(desc, MODULE_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeModuleCreate: phModule is NULL");
  FAKE_REQUIRE(fake_context_has(context, device), INVALID_ARGUMENT,
               "zeModuleCreate: the device is none of the context's");
  const ze_module_program_exp_desc_t *program = NULL;
  FAKE_TRY(check_desc(desc, &program));
  fake_text log = {0};
  fake_source *source;
  if (program)
    source = read_program(program, &log);
  else if (desc->format == ZE_MODULE_FORMAT_NATIVE)
    source = fake_binary_read(desc->pInputModule, desc->inputSize, &log);
  else
    source = read_single(desc, &log);
  ze_result_t result;
  if (source)
    result = new_module(context_handle, device_handle, source, &log, ret);
  else
    result =
        fake_deny(desc->format == ZE_MODULE_FORMAT_NATIVE ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
                                                          : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
                  "zeModuleCreate: %s", log.text ? log.text : "");
  fake_source_release(source);
  if (fake_find(context_handle, FAKE_CONTEXT))
    fake_log_give(context, &log, ret_log);
  fake_text_end(&log);
  return result;
}

ze_result_t zeModuleDestroy(ze_module_handle_t handle) {
  FAKE_ENTER_ALONE(zeModuleDestroy, handle);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_REQUIRE(module->kernels == 0, HANDLE_OBJECT_IN_USE,
               "zeModuleDestroy: %u kernels of it are there", module->kernels);
  FAKE_TRY(fake_check_unused(&module->head, "zeModuleDestroy"));
  while (module->variables) {
    fake_variable *variable = module->variables;
    module->variables = variable->next;
    fake_memory_forget(variable->memory);
    free(variable->name);
    free(variable);
  }
  fake_code_release(module->code);
  fake_source_release(module->source);
  fake_delete(module);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t handle, size_t *size, uint8_t *binary) {
  FAKE_ENTER(zeModuleGetNativeBinary);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_REQUIRE(size, INVALID_NULL_POINTER, "zeModuleGetNativeBinary: pSize is NULL");
  size_t whole;
  void *bytes = fake_binary_write(module->source, &whole);
  if (binary && *size < whole) {
    free(bytes);
    return fake_refuse(ZE_RESULT_ERROR_INVALID_SIZE,
                       "zeModuleGetNativeBinary: space for %zu bytes of %zu", *size, whole);
  }
  if (binary)
    memcpy(binary, bytes, whole);
  free(bytes);
  *size = whole;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t handle, uint32_t *count, const char **names) {
  FAKE_ENTER(zeModuleGetKernelNames);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeModuleGetKernelNames: pCount is NULL");
  uint32_t there = 0;
  for (size_t i = 0; i < module->source->count; i++) {
    const fake_reflection *reflection = &module->source->inputs[i].reflection;
    for (size_t k = 0; k < reflection->entry_count; k++, there++)
      if (names && there < *count)
        names[there] = reflection->entries[k].name;
  }
  if (!names || *count == 0 || *count > there)
    *count = there;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetProperties(ze_module_handle_t handle, ze_module_properties_t *properties) {
  FAKE_ENTER(zeModuleGetProperties);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_STRUCT(properties, MODULE_PROPERTIES);
  properties->flags = module->imports ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
  return ZE_RESULT_SUCCESS;
}

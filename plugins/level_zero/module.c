/* Modules: the driver's results of builds and links. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* ---- Logs ---- */

/* Adds the driver's log to log and destroys it; handle may be NULL. */
static void take_log(ze_module_build_log_handle_t handle, build_log *log) {
  size_t size = 0;
  char *text = NULL;
  if (!handle)
    return;
  if (ze.ModuleBuildLogGetString(handle, &size, NULL) == ZE_RESULT_SUCCESS && size != 0)
    text = calloc(1, size + 1);
  if (text && ze.ModuleBuildLogGetString(handle, &size, text) == ZE_RESULT_SUCCESS)
    build_log_add(log, text);
  free(text);
  ze.ModuleBuildLogDestroy(handle);
}

/* ---- Constants ---- */

/* Values of constants for the driver, as pointers into the module_input. */
typedef struct constant_list {
  ze_module_constants_t constants;
  pi_uint32 *ids;
  const void **values;
} constant_list;

static void free_list(constant_list *list) {
  free(list->ids);
  free((void *)list->values);
}

/*
 * Lists the constants that are set. For each one the driver reads as many bytes as the module
 * declares. A value was checked against that size when it was set, and has space for eight bytes.
 */
static pi_result make_list(const module_input *input, constant_list *ret) {
  size_t set = 0;
  *ret = (constant_list){.ids = NULL};
  for (size_t i = 0; i < input->value_count; i++)
    set += input->values[i].is_set;
  if (set == 0)
    return PI_SUCCESS;
  ret->ids = calloc(set, sizeof *ret->ids);
  ret->values = calloc(set, sizeof *ret->values);
  const bool has_memory = ret->ids && ret->values;
  if (!has_memory)
    free_list(ret);
  REQUIRE_MEMORY(has_memory, "a list of %zu constants", set);
  set = 0;
  for (size_t i = 0; i < input->value_count; i++)
    if (input->values[i].is_set) {
      ret->ids[set] = input->values[i].id;
      ret->values[set++] = input->values[i].value;
    }
  ret->constants = (ze_module_constants_t){(uint32_t)set, ret->ids, ret->values};
  return PI_SUCCESS;
}

/* ---- Creation ---- */

/* Returns the PI result of creating or linking a module; refused if the code is at fault. */
static pi_result build_result(ze_result_t code, const char *call, pi_result refused) {
  if (code == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE || code == ZE_RESULT_ERROR_MODULE_LINK_FAILURE)
    return plugin_error(refused,
                        "%s failed: the driver does not take the code (0x%x); the build log "
                        "has what it says",
                        call, (unsigned)code);
  return ze_result(code, call);
}

pi_result module_link(pi_uint32 count, ze_module_handle_t *modules, pi_result refused,
                      build_log *log) {
  ze_module_build_log_handle_t handle = NULL;
  const ze_result_t code = ze.ModuleDynamicLink(count, modules, &handle);
  take_log(handle, log);
  return build_result(code, "zeModuleDynamicLink", refused);
}

/*
 * Checks that a module imports no functions of other modules. If it does, linking the module with
 * itself alone fails and writes the names of the missing functions to the log.
 */
static pi_result complete_build(ze_module_handle_t module, pi_result refused, build_log *log) {
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  ZE_TRY(ModuleGetProperties, module, &properties);
  if (!(properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS))
    return PI_SUCCESS;
  return module_link(1, &module, refused, log);
}

static pi_result create_module(pi_context context, pi_uint32 root,
                               const ze_module_desc_t *description, bool is_complete,
                               pi_result refused, build_log *log, ze_module_handle_t *ret) {
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t handle = NULL;
  const ze_result_t code = ze.ModuleCreate(
      context->driver.context, context->roots[root]->driver.device, description, &module, &handle);
  take_log(handle, log);
  TRY(build_result(code, "zeModuleCreate", refused));
  const pi_result result = is_complete ? complete_build(module, refused, log) : PI_SUCCESS;
  if (result == PI_SUCCESS)
    *ret = module;
  else
    ze.ModuleDestroy(module);
  return result;
}

pi_result module_create(pi_context context, pi_uint32 root, ze_module_format_t format,
                        const module_input *input, bool is_complete, pi_result refused,
                        build_log *log, ze_module_handle_t *ret) {
  constant_list list;
  TRY(make_list(input, &list));
  const ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = format,
                                        .inputSize = input->size,
                                        .pInputModule = input->bytes,
                                        .pBuildFlags = input->flags,
                                        .pConstants = list.ids ? &list.constants : NULL};
  const pi_result result =
      create_module(context, root, &description, is_complete, refused, log, ret);
  free_list(&list);
  return result;
}

pi_result module_create_linked(pi_context context, pi_uint32 root, pi_uint32 count,
                               const module_input *inputs, pi_result refused, build_log *log,
                               ze_module_handle_t *ret) {
  size_t *sizes = calloc(count, sizeof *sizes);
  const uint8_t **bytes = calloc(count, sizeof *bytes);
  const char **flags = calloc(count, sizeof *flags);
  pi_result result = PI_SUCCESS;
  if (sizes && bytes && flags) {
    for (pi_uint32 i = 0; i < count; i++) {
      sizes[i] = inputs[i].size;
      bytes[i] = inputs[i].bytes;
      flags[i] = inputs[i].flags;
    }
    const ze_module_program_exp_desc_t parts = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
                                                .count = count,
                                                .inputSizes = sizes,
                                                .pInputModules = bytes,
                                                .pBuildFlags = flags};
    /* The driver reads only parts, but the loader's validation layer requires an input here. */
    const ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                          .pNext = &parts,
                                          .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                          .inputSize = sizes[0],
                                          .pInputModule = bytes[0],
                                          .pBuildFlags = flags[0]};
    result = create_module(context, root, &description, true, refused, log, ret);
  } else {
    result = plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u inputs of a link", count);
  }
  free(sizes);
  free((void *)bytes);
  free((void *)flags);
  return result;
}

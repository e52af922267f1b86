/* Addresses of modules' variables and functions, and dynamic linking of modules. */
#include "module.h"

#include <stdlib.h>

static fake_variable *find_variable(const fake_module *module, const char *name) {
  fake_variable *variable = module->variables;
  while (variable && strcmp(variable->name, name) != 0)
    variable = variable->next;
  return variable;
}

static ze_result_t find_module(ze_module_handle_t handle, const char *function, fake_module **ret) {
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_REQUIRE(module->code, INVALID_MODULE_UNLINKED,
               "%s: the module imports what zeModuleDynamicLink has not given", function);
  *ret = module;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t handle, const char *name, size_t *size,
                                     void **pointer) {
  FAKE_ENTER(zeModuleGetGlobalPointer);
  fake_module *module;
  FAKE_TRY(find_module(handle, "zeModuleGetGlobalPointer", &module));
  FAKE_REQUIRE(name, INVALID_NULL_POINTER, "zeModuleGetGlobalPointer: the name is NULL");
  fake_variable *variable = find_variable(module, name);
  if (!variable) {
    const fake_symbol *symbol = fake_source_export(module->source, name);
    if (!symbol || symbol->is_function)
      return fake_deny(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME,
                       "zeModuleGetGlobalPointer: the module exports no variable \"%s\"", name);
    cl_program program = module->code->program;
    size_t bytes = 0;
    void *address = NULL;
    FAKE_TRY(fake_cl_enter());
    const cl_int code =
        fake_cl.GetDeviceGlobalVariablePointer(fake_cl.device, program, name, &bytes, &address);
    fake_cl_leave();
    FAKE_TRY(find_module(handle, "zeModuleGetGlobalPointer", &module));
    FAKE_REQUIRE(code == CL_SUCCESS && address, INVALID_GLOBAL_NAME,
                 "zeModuleGetGlobalPointer: OpenCL has no variable \"%s\": %s", name,
                 fake_cl_code(code));
    variable = find_variable(module, name); /* another thread may have added it */
    if (!variable) {
      variable = fake_allocate(sizeof *variable);
      *variable = (fake_variable){
          .next = module->variables,
          .name = fake_copy(name, strlen(name) + 1),
          .memory = fake_memory_of(module->head.context, module->device, address, bytes)};
      module->variables = variable;
    }
  }
  if (size)
    *size = variable->memory->size;
  if (pointer)
    *pointer = variable->memory->base;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetFunctionPointer(ze_module_handle_t handle, const char *name,
                                       void **pointer) {
  FAKE_ENTER(zeModuleGetFunctionPointer);
  fake_module *module;
  FAKE_TRY(find_module(handle, "zeModuleGetFunctionPointer", &module));
  FAKE_REQUIRE(name && pointer, INVALID_NULL_POINTER,
               "zeModuleGetFunctionPointer: the name or pfnFunction is NULL");
  /* Checks the name first, because OpenCL ends the process for an unknown one. */
  const fake_symbol *symbol = fake_source_export(module->source, name);
  if (!fake_module_entry(module, name) &&
      !(symbol && symbol->is_function && module->code->keeps_functions))
    return fake_deny(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME,
                     "zeModuleGetFunctionPointer: the module exports no function \"%s\"", name);
  cl_program program = module->code->program;
  cl_ulong address = 0;
  FAKE_TRY(fake_cl_enter());
  const cl_int code = fake_cl.GetDeviceFunctionPointer(fake_cl.device, program, name, &address);
  fake_cl_leave();
  FAKE_REQUIRE(code == CL_SUCCESS && address, INVALID_FUNCTION_NAME,
               "zeModuleGetFunctionPointer: OpenCL has no function \"%s\": %s", name,
               fake_cl_code(code));
  *pointer = (void *)(uintptr_t)address;
  return ZE_RESULT_SUCCESS;
}

/* Finds the modules of handles, which must be of one context. The caller frees the list. */
static ze_result_t find_modules(uint32_t count, ze_module_handle_t *handles, const char *function,
                                fake_module ***ret) {
  FAKE_REQUIRE(handles, INVALID_NULL_POINTER, "%s: phModules is NULL", function);
  FAKE_REQUIRE(count != 0, INVALID_SIZE, "%s: no modules", function);
  fake_module **modules = fake_allocate(count * sizeof(fake_module *));
  for (uint32_t i = 0; i < count; i++) {
    modules[i] = fake_find(handles[i], FAKE_MODULE);
    if (!modules[i] || modules[i]->head.context != modules[0]->head.context) {
      const bool found = modules[i];
      free(modules);
      return fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT, "%s: module %u is %s", function, i,
                         found ? "of another context" : "no live one");
    }
  }
  *ret = modules;
  return ZE_RESULT_SUCCESS;
}

/* Calls function for each import that the module itself does not export. */
static void each_import(const fake_module *module,
                        void (*function)(const fake_symbol *symbol, void *user), void *user) {
  for (size_t i = 0; i < module->source->count; i++) {
    const fake_reflection *reflection = &module->source->inputs[i].reflection;
    for (size_t k = 0; k < reflection->symbol_count; k++)
      if (fake_source_imports(module->source, &reflection->symbols[k]))
        function(&reflection->symbols[k], user);
  }
}

/* The modules passed to zeModuleDynamicLink, in which imports are searched. */
typedef struct search {
  fake_module **modules;
  uint32_t count;
  bool *wanted; /* by module: whether it must be linked */
  bool more;    /* another wanted module was found */
  fake_text *log;
} search;

static void want_exporters(const fake_symbol *symbol, void *user) {
  search *among = user;
  for (uint32_t i = 0; i < among->count; i++)
    if (!among->wanted[i] && fake_source_export(among->modules[i]->source, symbol->name))
      among->wanted[i] = among->more = true;
}

/* Marks as wanted the modules with missing imports and, transitively, the modules they import. */
static size_t find_wanted(search *among) {
  for (uint32_t i = 0; i < among->count; i++)
    among->wanted[i] = !among->modules[i]->code;
  do {
    among->more = false;
    for (uint32_t i = 0; i < among->count; i++)
      if (among->wanted[i])
        each_import(among->modules[i], want_exporters, among);
  } while (among->more);
  size_t wanted = 0;
  for (uint32_t i = 0; i < among->count; i++)
    wanted += among->wanted[i];
  return wanted;
}

/*
 * Links the wanted modules into one program for all of them, so that they share variables and
 * functions.
 */
static ze_result_t link_wanted(search *among, size_t wanted, const ze_module_handle_t *handles) {
  fake_source **sources = fake_allocate(wanted * sizeof(fake_source *));
  size_t count = 0;
  for (uint32_t i = 0; i < among->count; i++)
    if (among->wanted[i]) {
      sources[count] = among->modules[i]->source;
      sources[count++]->references++;
    }
  fake_code *code = NULL;
  fake_build_result built = FAKE_BUILD_FAILED;
  ze_result_t result = fake_cl_enter();
  if (result == ZE_RESULT_SUCCESS) {
    built = fake_build(sources, count, &code, among->log);
    fake_cl_leave();
  }
  for (size_t i = 0; i < count; i++)
    fake_source_release(sources[i]);
  free(sources);
  if (result == ZE_RESULT_SUCCESS && built != FAKE_BUILD_DONE)
    result = fake_deny(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "zeModuleDynamicLink: %s",
                       among->log->text ? among->log->text : "");
  for (uint32_t i = 0; i < among->count && result == ZE_RESULT_SUCCESS; i++)
    if (among->wanted[i] && fake_find(handles[i], FAKE_MODULE) == among->modules[i]) {
      fake_code_release(among->modules[i]->code);
      among->modules[i]->code = code;
      code->references++;
    }
  fake_code_release(code);
  return result;
}

ze_result_t zeModuleDynamicLink(uint32_t count, ze_module_handle_t *handles,
                                ze_module_build_log_handle_t *ret_log) {
  FAKE_ENTER(zeModuleDynamicLink);
  fake_module **modules;
  FAKE_TRY(find_modules(count, handles, "zeModuleDynamicLink", &modules));
  fake_context *context = modules[0]->head.context;
  fake_text log = {0};
  search among = {modules, count, fake_allocate(count * sizeof(bool)), false, &log};
  const size_t wanted = find_wanted(&among);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    if (among.wanted[i] && (modules[i]->kernels != 0 || modules[i]->variables))
      result = fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                         "zeModuleDynamicLink: module %u has kernels or addresses of variables "
                         "already, which this driver cannot give to another module",
                         i);
  if (result == ZE_RESULT_SUCCESS && wanted != 0)
    result = link_wanted(&among, wanted, handles);
  free(among.wanted);
  free(modules);
  fake_log_give(context, &log, ret_log);
  return result;
}

static void list_import(const fake_symbol *symbol, void *user) {
  search *among = user;
  fake_text_add(among->log, "%s\n", symbol->name);
}

static void list_unresolvable(const fake_symbol *symbol, void *user) {
  search *among = user;
  for (uint32_t i = 0; i < among->count; i++)
    if (fake_source_export(among->modules[i]->source, symbol->name))
      return;
  fake_text_add(among->log, "%s\n", symbol->name);
}

static void list_exports(const fake_module *module, fake_text *log) {
  for (size_t i = 0; i < module->source->count; i++) {
    const fake_reflection *reflection = &module->source->inputs[i].reflection;
    for (size_t k = 0; k < reflection->symbol_count; k++)
      if (!reflection->symbols[k].is_import)
        fake_text_add(log, "%s\n", reflection->symbols[k].name);
  }
}

ze_result_t zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t *desc, uint32_t count,
                                      ze_module_handle_t *handles,
                                      ze_module_build_log_handle_t *ret_log) {
  FAKE_ENTER(zeModuleInspectLinkageExt);
  if (fake_is_left_out(ZE_LINKAGE_INSPECTION_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "zeModuleInspectLinkageExt is left out");
  FAKE_STRUCT(desc, LINKAGE_INSPECTION_EXT_DESC);
  FAKE_REQUIRE(ret_log, INVALID_NULL_POINTER, "zeModuleInspectLinkageExt: phLog is NULL");
  FAKE_REQUIRE(desc->flags < 8, INVALID_ENUMERATION, "zeModuleInspectLinkageExt: flags 0x%x",
               desc->flags);
  fake_module **modules;
  FAKE_TRY(find_modules(count, handles, "zeModuleInspectLinkageExt", &modules));
  fake_text log = {0};
  search among = {modules, count, NULL, false, &log};
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS) {
    fake_text_add(&log, "Imports:\n");
    for (uint32_t i = 0; i < count; i++)
      each_import(modules[i], list_import, &among);
  }
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS) {
    fake_text_add(&log, "Unresolvable imports:\n");
    for (uint32_t i = 0; i < count; i++)
      each_import(modules[i], list_unresolvable, &among);
  }
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS) {
    fake_text_add(&log, "Exports:\n");
    for (uint32_t i = 0; i < count; i++)
      list_exports(modules[i], &log);
  }
  fake_log_give(modules[0]->head.context, &log, ret_log);
  free(modules);
  return ZE_RESULT_SUCCESS;
}

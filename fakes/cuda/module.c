/* Modules of the fake CUDA driver, with memory for variables and a function per entry. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/*
 * Estimates an entry's resources from the text, for use without ptxas. limit is the maximum number
 * of registers, or 0; the others go to the stack.
 */
static fake_resources guess(const ptx_entry *entry, unsigned limit) {
  const unsigned wanted = entry->register_count < 16 ? 16 : entry->register_count;
  const unsigned most = entry->maxnreg != 0 ? entry->maxnreg : limit; /* the same rule as ptxas's */
  const unsigned registers = most != 0 ? least(wanted, most) : wanted;
  return (fake_resources){
      .registers = registers,
      .stack = entry->local_bytes + 4 * (wanted - registers),
      .shared = entry->shared_bytes,
      .constant = entry->parameter_bytes,
  };
}

static unsigned product(const uint32_t extents[3]) {
  const uint64_t whole = (uint64_t)extents[0] * extents[1] * extents[2];
  return whole > UINT32_MAX ? UINT32_MAX : (unsigned)whole;
}

static unsigned most_threads(const ptx_entry *entry, unsigned registers) {
  unsigned most = (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  if (entry->reqntid[0] != 0)
    most = least(most, product(entry->reqntid));
  if (entry->maxntid[0] != 0)
    most = least(most, product(entry->maxntid));
  /* Registers are allocated per warp in units of 256. */
  const unsigned of_warp = (registers * 32 + 255) / 256 * 256;
  const unsigned all = (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  return of_warp == 0 ? most : least(most, all / of_warp * 32);
}

static fake_function *new_function(fake_module *module, const ptx_entry *entry, unsigned limit) {
  fake_function *function = fake_new(FAKE_FUNCTION, sizeof *function, module->head.context, true);
  function->module = module;
  function->entry = entry;
  function->resources = guess(entry, limit);
  const fake_code *code = module->code;
  for (size_t i = 0; i < code->count; i++)
    if (code->assemblies[i] &&
        fake_resources_find(code->assemblies[i]->words, entry->name, &function->resources))
      break;
  /* The linker's number may be larger than ptxas's: it includes variables of other texts. */
  if (function->resources.shared < entry->shared_bytes)
    function->resources.shared = entry->shared_bytes;
  function->most_threads = most_threads(entry, function->resources.registers);
  const unsigned shared = (unsigned)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  function->dynamic_shared =
      shared > function->resources.shared ? shared - function->resources.shared : 0;
  function->carveout = CU_SHAREDMEM_CARVEOUT_DEFAULT;
  return function;
}

static CUresult place_variables(fake_module *module) {
  const ptx_variable *variables = ptx_variables(module->code->program, &module->variable_count);
  ptx_place *places = fake_allocate(module->variable_count * sizeof *places);
  module->variables = fake_allocate(module->variable_count * sizeof(fake_memory *));
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < module->variable_count && result == CUDA_SUCCESS; i++) {
    const ptx_variable *variable = &variables[i];
    if (variable->kind != PTX_VARIABLE_GLOBAL && variable->kind != PTX_VARIABLE_CONSTANT)
      continue;
    /* At least one byte, because empty variables have an address, too. */
    result = fake_memory_new(module->head.context, variable->size ? variable->size : 1, true,
                             &module->variables[i]);
    if (result != CUDA_SUCCESS)
      continue;
    fake_memory *memory = module->variables[i];
    memory->read_only = variable->kind == PTX_VARIABLE_CONSTANT;
    memset(memory->host, 0, memory->size);
    places[i] = (ptx_place){memory->base, memory->host};
  }
  if (result == CUDA_SUCCESS)
    ptx_initialise(module->code->program, places);
  free(places);
  return result;
}

void fake_module_end(fake_module *module) {
  for (size_t i = 0; i < module->function_count; i++)
    fake_delete(module->functions[i]);
  for (size_t i = 0; i < module->variable_count; i++)
    if (module->variables[i])
      fake_memory_end(module->variables[i]);
  free(module->functions);
  free(module->variables);
  fake_code_release(module->code);
  fake_delete(module);
}

/* Makes a module from linked code, which it takes over. limit: maximum of registers, or 0. */
static CUresult make_module(fake_code *code, unsigned limit, fake_module **ret) {
  fake_module *module = fake_new(FAKE_MODULE, sizeof *module, fake_current(), false);
  module->code = code;
  const CUresult result = place_variables(module);
  if (result != CUDA_SUCCESS) {
    fake_module_end(module);
    return result;
  }
  const ptx_entry *entries = ptx_entries(code->program, &module->function_count);
  module->functions = fake_allocate(module->function_count * sizeof(fake_function *));
  for (size_t i = 0; i < module->function_count; i++)
    module->functions[i] = new_function(module, &entries[i], limit);
  *ret = module;
  return CUDA_SUCCESS;
}

static CUresult load_module(const void *image, size_t size, fake_jit *jit, CUmodule *ret) {
  fake_code *code = fake_code_new();
  CUresult result = fake_image_read(image, size, false, code, jit);
  if (result == CUDA_SUCCESS)
    result = fake_code_link(code, jit);
  fake_jit_finish(jit);
  if (result != CUDA_SUCCESS) {
    fake_code_release(code);
    return result;
  }
  /* Checks again, because the lock was released while ptxas ran. */
  result = fake_check_current();
  if (result != CUDA_SUCCESS) {
    fake_code_release(code);
    return result;
  }
  fake_module *module;
  FAKE_TRY(make_module(code, jit->registers, &module));
  *ret = FAKE_HANDLE(CUmodule, module);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *ret, const void *image) {
  FAKE_ENTER(cuModuleLoadData, CONTEXT);
  FAKE_REQUIRE(ret && image, INVALID_VALUE, "cuModuleLoadData: NULL");
  fake_jit jit;
  FAKE_TRY(fake_jit_read(0, NULL, NULL, "cuModuleLoadData", &jit));
  return load_module(image, 0, &jit, ret);
}

CUresult cuModuleLoadDataEx(CUmodule *ret, const void *image, unsigned int count,
                            CUjit_option *options, void **values) {
  FAKE_ENTER(cuModuleLoadDataEx, CONTEXT);
  FAKE_REQUIRE(ret && image, INVALID_VALUE, "cuModuleLoadDataEx: NULL");
  fake_jit jit;
  FAKE_TRY(fake_jit_read(count, options, values, "cuModuleLoadDataEx", &jit));
  return load_module(image, 0, &jit, ret);
}

/* Reads a file and adds a NUL; NULL if it cannot be read. */
static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file)
    return NULL;
  char *bytes = fake_allocate(1);
  size_t length = 0;
  char chunk[4096];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, file)) != 0) {
    bytes = fake_grow(bytes, length + got + 1);
    memcpy(bytes + length, chunk, got);
    length += got;
    bytes[length] = '\0';
  }
  fclose(file);
  *size = length;
  return bytes;
}

CUresult cuModuleLoad(CUmodule *ret, const char *name) {
  FAKE_ENTER(cuModuleLoad, CONTEXT);
  FAKE_REQUIRE(ret && name, INVALID_VALUE, "cuModuleLoad: NULL");
  size_t size = 0;
  char *bytes = read_file(name, &size);
  if (!bytes)
    return fake_deny(CUDA_ERROR_FILE_NOT_FOUND, "cuModuleLoad: %s cannot be read", name);
  fake_jit jit;
  CUresult result = fake_jit_read(0, NULL, NULL, "cuModuleLoad", &jit);
  if (result == CUDA_SUCCESS)
    result = size == 0 ? fake_deny(CUDA_ERROR_INVALID_IMAGE, "cuModuleLoad: %s is empty", name)
                       : load_module(bytes, size, &jit, ret);
  free(bytes);
  return result;
}

CUresult cuModuleUnload(CUmodule handle) {
  FAKE_ENTER(cuModuleUnload, CONTEXT);
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_TRY(fake_check_owner(&module->head, "cuModuleUnload"));
  fake_stream_wait_all(module->head.context);
  fake_module_end(module);
  return fake_current()->sticky;
}

CUresult cuModuleGetFunction(CUfunction *ret, CUmodule handle, const char *name) {
  FAKE_ENTER(cuModuleGetFunction, CONTEXT);
  FAKE_REQUIRE(ret && name, INVALID_VALUE, "cuModuleGetFunction: NULL");
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_TRY(fake_check_owner(&module->head, "cuModuleGetFunction"));
  for (size_t i = 0; i < module->function_count; i++)
    if (strcmp(module->functions[i]->entry->name, name) == 0) {
      *ret = FAKE_HANDLE(CUfunction, module->functions[i]);
      return CUDA_SUCCESS;
    }
  return fake_deny(CUDA_ERROR_NOT_FOUND, "cuModuleGetFunction: no kernel is called '%s'", name);
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule handle) {
  FAKE_ENTER(cuModuleGetFunctionCount, CONTEXT);
  FAKE_REQUIRE(count, INVALID_VALUE, "cuModuleGetFunctionCount: NULL");
  FAKE_FIND(fake_module, module, handle, MODULE);
  *count = (unsigned)module->function_count;
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule handle) {
  FAKE_ENTER(cuModuleEnumerateFunctions, CONTEXT);
  FAKE_REQUIRE(functions || count == 0, INVALID_VALUE, "cuModuleEnumerateFunctions: NULL");
  FAKE_FIND(fake_module, module, handle, MODULE);
  for (size_t i = 0; i < module->function_count && i < count; i++)
    functions[i] = FAKE_HANDLE(CUfunction, module->functions[i]);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule handle, const char *name) {
  FAKE_ENTER(cuModuleGetGlobal, CONTEXT);
  FAKE_REQUIRE(name && (pointer || size), INVALID_VALUE, "cuModuleGetGlobal: NULL");
  FAKE_FIND(fake_module, module, handle, MODULE);
  FAKE_TRY(fake_check_owner(&module->head, "cuModuleGetGlobal"));
  const ptx_variable *found = ptx_find_variable(module->code->program, name);
  size_t count;
  const ptx_variable *all = ptx_variables(module->code->program, &count);
  if (!found || !module->variables[found - all])
    return fake_deny(CUDA_ERROR_NOT_FOUND, "cuModuleGetGlobal: no variable is called '%s'", name);
  if (pointer)
    *pointer = module->variables[found - all]->base;
  if (size)
    *size = found->size;
  return CUDA_SUCCESS;
}

/*
 * Implements test/gpu/cuda.h with the interpreter, so that its checks run without a GPU and
 * libcuda. Functions that the checks do not use are NULL.
 */
#include "../../../test/gpu/cuda.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 999 };

cuda_functions cuda;
static device_memory memory;

struct cuda_module {
  ptx_program *program;
  device_memory variables;
};

/* A kernel: its module and entry. The checks use few kernels, so all are in a linked list. */
struct cuda_function {
  cuda_module module;
  const ptx_entry *entry;
  struct cuda_function *next;
};

static cuda_function functions;

void cuda_require(cuda_result result, const char *call) {
  if (result == 0)
    return;
  fprintf(stderr, "%s: %d\n", call, result);
  exit(1);
}

static bool find_range(void *user, uint64_t address, ptx_range *ret) {
  cuda_module module = user;
  return device_find(&memory, address, ret) || device_find(&module->variables, address, ret);
}

static cuda_result allocate_memory(cuda_pointer *ret, size_t size) {
  *ret = (cuda_pointer)(uintptr_t)device_allocate(&memory, size, true);
  return 0;
}

static cuda_result release_memory(cuda_pointer pointer) {
  device_free(&memory, (void *)(uintptr_t)pointer);
  return 0;
}

static cuda_result write_memory(cuda_pointer to, const void *from, size_t size) {
  memcpy((void *)(uintptr_t)to, from, size);
  return 0;
}

static cuda_result read_memory(void *to, cuda_pointer from, size_t size) {
  memcpy(to, (const void *)(uintptr_t)from, size);
  return 0;
}

static cuda_result set_memory(cuda_pointer to, unsigned char value, size_t size) {
  memset((void *)(uintptr_t)to, value, size);
  return 0;
}

static cuda_result synchronize(void) {
  return 0;
}

static cuda_result find_function(cuda_function *ret, cuda_module module, const char *name) {
  const ptx_entry *entry = ptx_find_entry(module->program, name);
  cuda_function function = entry ? malloc(sizeof(*function)) : NULL;
  if (!function)
    return FAILED;
  *function = (struct cuda_function){module, entry, functions};
  *ret = functions = function;
  return 0;
}

static cuda_result unload_module(cuda_module module) {
  for (cuda_function *link = &functions; *link;) {
    cuda_function function = *link;
    if (function->module == module) {
      *link = function->next;
      free(function);
    } else
      link = &function->next;
  }
  ptx_program_free(module->program);
  device_free_all(&module->variables);
  free(module);
  return 0;
}

static cuda_result launch_function(cuda_function function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, cuda_stream stream,
                                   void **arguments, void **extra) {
  (void)stream;
  (void)extra;
  const ptx_entry *entry = function->entry;
  unsigned char *parameters = calloc(1, entry->parameter_bytes + 1u);
  if (!parameters)
    return FAILED;
  for (uint32_t i = 0; i < entry->parameter_count; i++)
    memcpy(parameters + entry->parameters[i].offset, arguments[i], entry->parameters[i].size);
  const ptx_launch description = {.entry = entry,
                                  .grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .dynamic_shared = shared,
                                  .parameters = parameters};
  const ptx_hooks hooks = {.user = function->module, .memory = find_range};
  ptx_log log;
  const ptx_status status = ptx_run(function->module->program, &description, &hooks, &log);
  free(parameters);
  if (status != PTX_OK && status != PTX_INVALID_LAUNCH)
    fprintf(stderr, "%s: %s\n", ptx_status_text(status), log.text);
  return (cuda_result)status;
}

bool cuda_open(void) {
  cuda = (cuda_functions){.synchronize = synchronize,
                          .module_unload = unload_module,
                          .module_function = find_function,
                          .memory_allocate = allocate_memory,
                          .memory_free = release_memory,
                          .memory_write = write_memory,
                          .memory_read = read_memory,
                          .memory_set = set_memory,
                          .launch = launch_function};
  return true;
}

void cuda_close(void) {
  device_free_all(&memory);
}

cuda_module cuda_load(const char *text, const char *what) {
  const ptx_limits limits = {84, 90};
  ptx_module *parsed = NULL;
  ptx_log log;
  cuda_module module = calloc(1, sizeof(*module));
  ptx_status status = ptx_parse(text, strlen(text), &limits, &parsed, &log);
  if (status == PTX_OK) {
    status = ptx_link(&parsed, 1, &module->program, &log);
    if (status != PTX_OK)
      ptx_module_free(parsed);
  }
  if (status == PTX_OK) {
    device_place(&module->variables, module->program);
    return module;
  }
  fprintf(stderr, "%s: %s: %s\n", what, ptx_status_text(status), log.text);
  free(module);
  return NULL;
}

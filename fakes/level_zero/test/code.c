#include "code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

code_world world;

void code_check(ze_result_t result, ze_result_t expected, const char *expression, const char *file,
                int line) {
  if (result == expected)
    return;
  char fault[256];
  fake_ze_fault(fault, sizeof fault);
  print_error("%s:%d: %s is 0x%x, not 0x%x: %s; %s\n", file, line, expression, (unsigned)result,
              (unsigned)expected, fake_ze_reason(), fault);
  _fail(file, line);
}

int code_begin(void **state) {
  (void)state;
  uint32_t one = 1;
  assert_fine(zeInit(0));
  assert_fine(zeDriverGet(&one, &world.driver));
  one = 1;
  assert_fine(zeDeviceGet(world.driver, &one, &world.device));
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  assert_fine(zeContextCreate(world.driver, &context, &world.context));
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  assert_fine(zeCommandListCreateImmediate(world.context, world.device, &queue, &world.list));
  return 0;
}

int code_end(void **state) {
  (void)state;
  assert_fine(zeCommandListDestroy(world.list));
  assert_fine(zeContextDestroy(world.context));
  char text[1024];
  if (fake_ze_list(text, sizeof text) != 0)
    print_error("%s", text);
  assert_int_equal(fake_ze_live_all(), 0);
  return 0;
}

void *code_memory(size_t size) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  assert_fine(zeMemAllocShared(world.context, &device, &host, size, 64, world.device, &memory));
  memset(memory, 0, size);
  return memory;
}

void code_free(void *memory) {
  assert_fine(zeMemFree(world.context, memory));
}

ze_module_desc_t code_module_desc(const void *il, size_t size) {
  return (ze_module_desc_t){.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                            .format = ZE_MODULE_FORMAT_IL_SPIRV,
                            .inputSize = size,
                            .pInputModule = il};
}

ze_module_handle_t code_module(const void *il, size_t size) {
  const ze_module_desc_t desc = code_module_desc(il, size);
  ze_module_handle_t module = NULL;
  assert_fine(zeModuleCreate(world.context, world.device, &desc, &module, NULL));
  return module;
}

ze_kernel_handle_t code_kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  assert_fine(zeKernelCreate(module, &desc, &kernel));
  return kernel;
}

void code_launch(ze_kernel_handle_t kernel, uint32_t groups, uint32_t size) {
  const ze_group_count_t counts = {groups, 1, 1};
  assert_fine(zeKernelSetGroupSize(kernel, size, 1, 1));
  assert_fine(zeCommandListAppendLaunchKernel(world.list, kernel, &counts, NULL, 0, NULL));
}

const char *code_log(ze_module_build_log_handle_t log) {
  static char text[16384];
  size_t size = 0;
  assert_non_null(log);
  assert_fine(zeModuleBuildLogGetString(log, &size, NULL));
  assert_true(size != 0 && size <= sizeof text);
  assert_fine(zeModuleBuildLogGetString(log, &size, text));
  assert_int_equal(strlen(text) + 1, size);
  assert_fine(zeModuleBuildLogDestroy(log));
  return text;
}

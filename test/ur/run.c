#include "run.h"

#include "../support/embed.h"

#include <stdlib.h>
#include <string.h>

run_place place;

#define RUN_MODULE(name) SPECPI_EMBED(name, #name ".spv")
RUN_MODULES(RUN_MODULE)
#undef RUN_MODULE

const unsigned char *run_code(run_module module, size_t *size) {
  switch (module) {
#define RUN_MODULE(name)                                                                           \
  case MODULE_##name:                                                                              \
    *size = SPECPI_EMBED_SIZE(name);                                                               \
    return name##_begin;
    RUN_MODULES(RUN_MODULE)
#undef RUN_MODULE
  }
  *size = 0;
  return NULL;
}

int run_open(void **state) {
  (void)state;
  place.device_count = getenv("UR_TEST_TWO_DEVICES") ? 2 : 1;
  place.device = world_device(place.device_count - 1);
  place.context = world_context(place.device_count);
  return UR(urQueueCreate)(place.context, place.device, NULL, &place.queue) != UR_RESULT_SUCCESS;
}

int run_close(void **state) {
  (void)state;
  assert_ok(UR(urQueueRelease)(place.queue));
  assert_ok(UR(urContextRelease)(place.context));
  return 0;
}

void *run_memory(size_t size) {
  void *memory = NULL;
  assert_ok(UR(urUSMSharedAlloc)(place.context, place.device, NULL, NULL, size, &memory));
  memset(memory, 0, size);
  return memory;
}

void run_free(void *memory) {
  assert_ok(UR(urUSMFree)(place.context, memory));
}

/* ---- Programs ---- */

ur_program_handle_t run_program(run_module module) {
  ur_program_handle_t program = NULL;
  size_t size;
  const unsigned char *code = run_code(module, &size);
  assert_ok(UR(urProgramCreateWithIL)(place.context, code, size, NULL, &program));
  return program;
}

ur_result_t run_build(ur_program_handle_t program, const char *options) {
  if (HAS(urProgramBuildExp))
    return UR(urProgramBuildExp)(program, 1, &place.device, 0, options);
  return UR(urProgramBuildExp_2025_0)(program, 1, &place.device, options);
}

ur_kernel_handle_t run_kernel(run_module module, const char *name) {
  const ur_program_handle_t program = run_program(module);
  ur_kernel_handle_t kernel = NULL;
  assert_ok(run_build(program, ""));
  assert_ok(UR(urKernelCreate)(program, name, &kernel));
  assert_ok(UR(urProgramRelease)(program));
  return kernel;
}

/* ---- Launches ---- */

run_argument run_value(uint32_t index, size_t size, const void *value) {
  return (run_argument){
      .type = UR_EXP_KERNEL_ARG_TYPE_VALUE, .index = index, .size = size, .value.value = value};
}

run_argument run_pointer(uint32_t index, const void *pointer) {
  return (run_argument){
      .type = UR_EXP_KERNEL_ARG_TYPE_POINTER, .index = index, .value.pointer = pointer};
}

run_argument run_memory_object(uint32_t index, ur_mem_handle_t memory) {
  return (run_argument){.type = UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ,
                        .index = index,
                        .value.memObjTuple = {memory, UR_MEM_FLAG_READ_WRITE}};
}

run_argument run_local(uint32_t index, size_t size) {
  return (run_argument){.type = UR_EXP_KERNEL_ARG_TYPE_LOCAL, .index = index, .size = size};
}

static ur_result_t set_one(ur_kernel_handle_t kernel, const run_argument *argument) {
  switch ((int)argument->type) {
  case UR_EXP_KERNEL_ARG_TYPE_VALUE:
    return UR(urKernelSetArgValue)(kernel, argument->index, argument->size, NULL,
                                   argument->value.value);
  case UR_EXP_KERNEL_ARG_TYPE_POINTER:
    return UR(urKernelSetArgPointer)(kernel, argument->index, NULL, argument->value.pointer);
  case UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ:
    return UR(urKernelSetArgMemObj)(kernel, argument->index, NULL,
                                    argument->value.memObjTuple.hMem);
  case UR_EXP_KERNEL_ARG_TYPE_LOCAL:
    return UR(urKernelSetArgLocal)(kernel, argument->index, argument->size, NULL);
  }
  return UR(urKernelSetArgSampler)(kernel, argument->index, NULL, argument->value.sampler);
}

ur_result_t run_set(ur_kernel_handle_t kernel, uint32_t count, const run_argument *arguments) {
  ur_result_t result = UR_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == UR_RESULT_SUCCESS; i++)
    result = set_one(kernel, &arguments[i]);
  return result;
}

static ur_result_t launch(ur_kernel_handle_t kernel, uint32_t dimensions, const size_t *global,
                          const size_t *local) {
  if (HAS(urEnqueueKernelLaunch_2025_0))
    return UR(urEnqueueKernelLaunch_2025_0)(place.queue, kernel, dimensions, NULL, global, local, 0,
                                            NULL, NULL);
  return UR(urEnqueueKernelLaunch_2025_3)(place.queue, kernel, dimensions, NULL, global, local, 0,
                                          NULL, 0, NULL, NULL);
}

ur_result_t run_launch(ur_kernel_handle_t kernel, uint32_t dimensions, const size_t *global,
                       const size_t *local, uint32_t count, const run_argument *arguments) {
  ur_result_t result;
  if (HAS(urEnqueueKernelLaunchWithArgsExp)) {
    result = UR(urEnqueueKernelLaunchWithArgsExp)(place.queue, kernel, dimensions, NULL, global,
                                                  local, count, arguments, NULL, 0, NULL, NULL);
  } else {
    result = run_set(kernel, count, arguments);
    if (result == UR_RESULT_SUCCESS)
      result = launch(kernel, dimensions, global, local);
  }
  if (result == UR_RESULT_SUCCESS)
    assert_ok(UR(urQueueFinish)(place.queue));
  return result;
}

/* Builds and launches of the fake Level Zero driver in several threads at once. */
#include "code.h"

#include "../../../test/support/embed.h"

#include <pthread.h>
#include <stdlib.h>

SPECPI_EMBED(code_il, "code.spv")

enum { THREADS = 4, ROUNDS = 3, ITEMS = 64 };

/* A worker thread. It records its first failure, because only the main thread may use cmocka. */
typedef struct worker {
  pthread_t thread;
  int number;
  ze_module_handle_t shared;
  const char *failure;
} worker;

#define TRY(worker, condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      (worker)->failure = #condition;                                                              \
      return NULL;                                                                                 \
    }                                                                                              \
  } while (0)

static ze_result_t build(int value, ze_module_handle_t *ret) {
  const uint32_t id = 0;
  const void *values[] = {&value};
  const ze_module_constants_t constants = {1, &id, values};
  ze_module_desc_t desc = code_module_desc(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  desc.pConstants = &constants;
  return zeModuleCreate(world.context, world.device, &desc, ret, NULL);
}

static ze_result_t launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                          uint32_t items) {
  const ze_group_count_t groups = {items, 1, 1};
  const ze_result_t result = zeKernelSetGroupSize(kernel, 1, 1, 1);
  return result == ZE_RESULT_SUCCESS
             ? zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL)
             : result;
}

static ze_result_t new_memory(size_t size, void *ret) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  return zeMemAllocShared(world.context, &device, &host, size, 64, world.device, ret);
}

static ze_result_t new_kernel(ze_module_handle_t module, const char *name,
                              ze_kernel_handle_t *ret) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  return zeKernelCreate(module, &desc, ret);
}

#define FINE(expression) TRY(self, (expression) == ZE_RESULT_SUCCESS)

static void *work(void *argument) {
  worker *self = argument;
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list = NULL;
  FINE(zeCommandListCreateImmediate(world.context, world.device, &queue, &list));
  double *out = NULL;
  int *items = NULL;
  FINE(new_memory(5 * sizeof *out, (void **)&out));
  FINE(new_memory(ITEMS * sizeof *items, (void **)&items));
  for (int round = 0; round < ROUNDS; round++) {
    const int value = self->number * 100 + round;
    ze_module_handle_t module = NULL;
    ze_kernel_handle_t constants = NULL;
    ze_kernel_handle_t add = NULL;
    FINE(build(value, &module));
    FINE(new_kernel(module, "constants", &constants));
    FINE(zeKernelSetArgumentValue(constants, 0, sizeof out, &out));
    FINE(launch(list, constants, 1));
    TRY(self, out[0] == value);
    /* A kernel of a module that all threads share. */
    FINE(new_kernel(self->shared, "add", &add));
    for (int i = 0; i < ITEMS; i++)
      items[i] = i;
    FINE(zeKernelSetArgumentValue(add, 0, sizeof items, &items));
    FINE(zeKernelSetArgumentValue(add, 1, sizeof items, &items));
    FINE(zeKernelSetArgumentValue(add, 2, sizeof value, &value));
    FINE(launch(list, add, ITEMS));
    for (int i = 0; i < ITEMS; i++)
      TRY(self, items[i] == i + value);
    void *pointer = NULL;
    FINE(zeModuleGetGlobalPointer(self->shared, "counter", NULL, &pointer));
    FINE(zeKernelDestroy(constants));
    FINE(zeKernelDestroy(add));
    FINE(zeModuleDestroy(module));
  }
  FINE(zeMemFree(world.context, out));
  FINE(zeMemFree(world.context, items));
  FINE(zeCommandListDestroy(list));
  return NULL;
}

TEST(threads_build_and_launch_at_once) {
  ze_module_handle_t shared = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  worker workers[THREADS] = {0};
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i + 1;
    workers[i].shared = shared;
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(workers[i].thread, NULL);
  for (int i = 0; i < THREADS; i++)
    if (workers[i].failure)
      fail_msg("thread %d: %s", i, workers[i].failure);
  assert_fine(zeModuleDestroy(shared));
}

int main(void) {
  return tests_run(code_begin, code_end);
}

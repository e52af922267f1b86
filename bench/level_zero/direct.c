#include "direct.h"

#include "../support/report.h"

#include "../../test/support/embed.h"

#include <dlfcn.h>
#include <string.h>

SPECPI_EMBED(module, "level_zero_launch.spv")

const unsigned char *const direct_module_begin = module_begin, *const direct_module_end =
                                                                   module_end;

void direct_check(ze_result_t result, const char *call) {
  if (__builtin_expect(result != ZE_RESULT_SUCCESS, 0))
    bench_die("%s returned 0x%x", call, (unsigned)result);
}

static void load_loader(direct *on) {
  void *library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    bench_die("libze_loader.so.1 could not be loaded: %s", dlerror());
#define LOAD(name)                                                                                 \
  {                                                                                                \
    void *address = dlsym(library, "ze" #name);                                                    \
    if (!address)                                                                                  \
      bench_die("libze_loader.so.1 has no ze%s", #name);                                           \
    memcpy(&on->ze.name, &address, sizeof address);                                                \
  }
  LEVEL_ZERO_REQUIRED(LOAD)
#undef LOAD
}

static void open_device(direct *on) {
  DIRECT_ZE(on, Init, 0);
  uint32_t count = 1;
  DIRECT_ZE(on, DriverGet, &count, &on->driver);
  count = 1;
  DIRECT_ZE(on, DeviceGet, on->driver, &count, &on->device);
  if (count == 0)
    bench_die("there is no device to measure; specpi doctor says why");
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  DIRECT_ZE(on, DeviceGetProperties, on->device, &properties);
  memcpy(on->name, properties.name, sizeof on->name);
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  DIRECT_ZE(on, ContextCreate, on->driver, &description, &on->context);
}

static uint32_t compute_group(direct *on) {
  ze_command_queue_group_properties_t groups[16];
  uint32_t count = sizeof groups / sizeof groups[0];
  for (uint32_t i = 0; i < count; i++)
    groups[i] = (ze_command_queue_group_properties_t){
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
  DIRECT_ZE(on, DeviceGetCommandQueueGroupProperties, on->device, &count, groups);
  for (uint32_t i = 0; i < count; i++)
    if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE)
      return i;
  bench_die("the device has no queues for kernels");
}

static void open_lists(direct *on) {
  const uint32_t ordinal = compute_group(on);
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .ordinal = ordinal,
                                         .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  DIRECT_ZE(on, CommandListCreateImmediate, on->context, on->device, &queue, &on->immediate);
  DIRECT_ZE(on, CommandQueueCreate, on->context, on->device, &queue, &on->queue);
  const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                       .commandQueueGroupOrdinal = ordinal};
  const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  for (unsigned i = 0; i < DIRECT_LISTS; i++) {
    DIRECT_ZE(on, CommandListCreate, on->context, on->device, &list, &on->lists[i].list);
    DIRECT_ZE(on, FenceCreate, on->queue, &fence, &on->lists[i].fence);
  }
}

static void open_events(direct *on) {
  const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                     .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                     .count = DIRECT_EVENTS};
  DIRECT_ZE(on, EventPoolCreate, on->context, &pool, 1, &on->device, &on->pool);
  for (uint32_t i = 0; i < DIRECT_EVENTS; i++) {
    const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                   .index = i,
                                   .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                   .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    DIRECT_ZE(on, EventCreate, on->pool, &event, &on->events[i]);
  }
}

void direct_open(direct *on, unsigned batch_size) {
  memset(on, 0, sizeof *on);
  on->batch_size = batch_size;
  load_loader(on);
  open_device(on);
  const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                   .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                   .inputSize = SPECPI_EMBED_SIZE(module),
                                   .pInputModule = module_begin};
  DIRECT_ZE(on, ModuleCreate, on->context, on->device, &module, &on->module, NULL);
  open_lists(on);
  open_events(on);
}

void direct_close(direct *on) {
  for (unsigned i = 0; i < DIRECT_EVENTS; i++)
    DIRECT_ZE(on, EventDestroy, on->events[i]);
  DIRECT_ZE(on, EventPoolDestroy, on->pool);
  for (unsigned i = 0; i < DIRECT_LISTS; i++) {
    DIRECT_ZE(on, FenceDestroy, on->lists[i].fence);
    DIRECT_ZE(on, CommandListDestroy, on->lists[i].list);
  }
  DIRECT_ZE(on, CommandListDestroy, on->immediate);
  DIRECT_ZE(on, CommandQueueDestroy, on->queue);
  DIRECT_ZE(on, ModuleDestroy, on->module);
  DIRECT_ZE(on, ContextDestroy, on->context);
}

ze_kernel_handle_t direct_kernel(direct *on, const char *name) {
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = name};
  ze_kernel_handle_t kernel;
  DIRECT_ZE(on, KernelCreate, on->module, &description, &kernel);
  DIRECT_ZE(on, KernelSetGroupSize, kernel, 1, 1, 1);
  return kernel;
}

void direct_flush(direct *on, direct_way way) {
  if (way == DIRECT_IMMEDIATE || on->filled == 0)
    return;
  DIRECT_ZE(on, CommandListClose, on->lists[on->current].list);
  DIRECT_ZE(on, CommandQueueExecuteCommandLists, on->queue, 1, &on->lists[on->current].list,
            on->lists[on->current].fence);
  on->lists[on->current].is_running = true;
  on->filled = 0;
  /* The next list of the ring must have finished and be reset before commands are appended. */
  on->current = (on->current + 1) % DIRECT_LISTS;
  if (!on->lists[on->current].is_running)
    return;
  DIRECT_ZE(on, FenceHostSynchronize, on->lists[on->current].fence, UINT64_MAX);
  DIRECT_ZE(on, FenceReset, on->lists[on->current].fence);
  DIRECT_ZE(on, CommandListReset, on->lists[on->current].list);
  on->lists[on->current].is_running = false;
}

ze_event_handle_t direct_launch(direct *on, direct_way way, ze_kernel_handle_t kernel, bool signals,
                                ze_event_handle_t after) {
  static const ze_group_count_t one = {1, 1, 1};
  ze_event_handle_t signal = NULL;
  if (signals) {
    signal = on->events[on->next_event];
    on->next_event = (on->next_event + 1) % DIRECT_EVENTS;
    DIRECT_ZE(on, EventHostReset, signal);
  }
  const ze_command_list_handle_t list =
      way == DIRECT_IMMEDIATE ? on->immediate : on->lists[on->current].list;
  DIRECT_ZE(on, CommandListAppendLaunchKernel, list, kernel, &one, signal, after ? 1 : 0,
            after ? &after : NULL);
  if (way == DIRECT_BATCH && ++on->filled == on->batch_size)
    direct_flush(on, way);
  return signal;
}

void direct_wait(direct *on, direct_way way, ze_event_handle_t event) {
  direct_flush(on, way);
  DIRECT_ZE(on, EventHostSynchronize, event, UINT64_MAX);
}

void direct_finish(direct *on, direct_way way) {
  if (way == DIRECT_BATCH) {
    direct_flush(on, way);
    DIRECT_ZE(on, CommandQueueSynchronize, on->queue, UINT64_MAX);
    return;
  }
  const ze_event_handle_t event = on->events[on->next_event];
  on->next_event = (on->next_event + 1) % DIRECT_EVENTS;
  DIRECT_ZE(on, EventHostReset, event);
  DIRECT_ZE(on, CommandListAppendBarrier, on->immediate, event, 0, NULL);
  DIRECT_ZE(on, EventHostSynchronize, event, UINT64_MAX);
}

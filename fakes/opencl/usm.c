/*
 * Unified shared memory of the fake OpenCL: cl_intel_unified_shared_memory. The first parameter is
 * the number of the platform whose function was called. It refuses objects of other platforms.
 */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 1 << 28, DEFAULT_ALIGNMENT = 128 };

static fake_usm *usm_first;

fake_usm *fake_usm_find(cl_context context, const void *ptr) {
  const uintptr_t at = (uintptr_t)ptr;
  for (fake_usm *usm = usm_first; usm; usm = usm->next)
    if (usm->context == context && at >= (uintptr_t)usm->bytes &&
        at < (uintptr_t)usm->bytes + usm->size)
      return usm;
  return NULL;
}

void fake_end_usm(fake_usm *usm) {
  fake_usm **place = &usm_first;
  while (*place != usm)
    place = &(*place)->next;
  *place = usm->next;
  free(usm->bytes);
  fake_unpin(usm->context);
}

static bool is_context(cl_context context, unsigned platform) {
  return fake_is(context, FAKE_CONTEXT) && context->platform->index == platform;
}

static bool is_queue(cl_command_queue queue, unsigned platform) {
  return fake_is(queue, FAKE_QUEUE) && queue->context->platform->index == platform;
}

static void *allocate_memory(unsigned platform, cl_unified_shared_memory_type_intel type,
                             cl_context context, cl_device_id device,
                             const cl_mem_properties_intel *properties, size_t size,
                             cl_uint alignment, cl_int *errcode_ret) {
  FAKE_REQUIRE_CREATE(is_context(context, platform), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(type == CL_MEM_TYPE_HOST_INTEL ||
                          (!device && type == CL_MEM_TYPE_SHARED_INTEL) ||
                          (fake_is(device, FAKE_DEVICE) && fake_has_device(context, device)),
                      CL_INVALID_DEVICE);
  cl_mem_alloc_flags_intel flags = 0;
  for (const cl_mem_properties_intel *p = properties; p && *p; p += 2) {
    FAKE_REQUIRE_CREATE(*p == CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY);
    flags = p[1];
  }
  FAKE_REQUIRE_CREATE((alignment & (alignment - 1)) == 0 && alignment <= 4096, CL_INVALID_VALUE);
  FAKE_REQUIRE_CREATE(size != 0 && size <= MAX_SIZE, CL_INVALID_BUFFER_SIZE);
  const size_t step = alignment > DEFAULT_ALIGNMENT ? alignment : DEFAULT_ALIGNMENT;
  const size_t room = (size + step - 1) / step * step;
  unsigned char *bytes = aligned_alloc(step, room);
  FAKE_REQUIRE_CREATE(bytes, CL_OUT_OF_HOST_MEMORY);
  memset(bytes, 0, room);
  fake_usm *usm = fake_new(FAKE_USM);
  if (!usm)
    free(bytes);
  FAKE_REQUIRE_CREATE(usm, CL_OUT_OF_RESOURCES);
  fake_pin(usm->context = context);
  usm->device = device;
  usm->type = type;
  usm->flags = flags;
  usm->bytes = bytes;
  usm->size = size;
  usm->next = usm_first;
  usm_first = usm;
  FAKE_CREATED(bytes);
}

void *fake_host_mem_alloc(unsigned platform, cl_context context,
                          const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                          cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EXT_HostMemAlloc);
  return allocate_memory(platform, CL_MEM_TYPE_HOST_INTEL, context, NULL, properties, size,
                         alignment, errcode_ret);
}

void *fake_device_mem_alloc(unsigned platform, cl_context context, cl_device_id device,
                            const cl_mem_properties_intel *properties, size_t size,
                            cl_uint alignment, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EXT_DeviceMemAlloc);
  return allocate_memory(platform, CL_MEM_TYPE_DEVICE_INTEL, context, device, properties, size,
                         alignment, errcode_ret);
}

void *fake_shared_mem_alloc(unsigned platform, cl_context context, cl_device_id device,
                            const cl_mem_properties_intel *properties, size_t size,
                            cl_uint alignment, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EXT_SharedMemAlloc);
  return allocate_memory(platform, CL_MEM_TYPE_SHARED_INTEL, context, device, properties, size,
                         alignment, errcode_ret);
}

static cl_int release_memory(unsigned platform, cl_context context, void *ptr) {
  FAKE_REQUIRE(is_context(context, platform), CL_INVALID_CONTEXT);
  if (!ptr)
    return CL_SUCCESS;
  fake_usm *usm = fake_usm_find(context, ptr);
  FAKE_REQUIRE(usm && usm->bytes == ptr, CL_INVALID_VALUE);
  fake_release(usm);
  return CL_SUCCESS;
}

cl_int fake_mem_free(unsigned platform, cl_context context, void *ptr) {
  FAKE_ENTER(EXT_MemFree);
  return release_memory(platform, context, ptr);
}

cl_int fake_mem_blocking_free(unsigned platform, cl_context context, void *ptr) {
  FAKE_ENTER(EXT_MemBlockingFree);
  while (fake_context_busy(context))
    fake_wait();
  return release_memory(platform, context, ptr);
}

cl_int fake_get_mem_alloc_info(unsigned platform, cl_context context, const void *ptr,
                               cl_mem_info_intel param_name, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(EXT_GetMemAllocInfo);
  FAKE_REQUIRE(is_context(context, platform), CL_INVALID_CONTEXT);
  const fake_usm *usm = fake_usm_find(context, ptr);
  switch (param_name) {
  case CL_MEM_ALLOC_TYPE_INTEL:
    return FAKE_ANSWER_AS(cl_unified_shared_memory_type_intel,
                          usm ? usm->type : CL_MEM_TYPE_UNKNOWN_INTEL);
  case CL_MEM_ALLOC_BASE_PTR_INTEL:
    return FAKE_ANSWER_AS(void *, usm ? usm->bytes : NULL);
  case CL_MEM_ALLOC_SIZE_INTEL:
    return FAKE_ANSWER_AS(size_t, usm ? usm->size : 0);
  case CL_MEM_ALLOC_DEVICE_INTEL:
    return FAKE_ANSWER_AS(cl_device_id, usm ? usm->device : NULL);
  case CL_MEM_ALLOC_FLAGS_INTEL:
    return FAKE_ANSWER_AS(cl_mem_alloc_flags_intel, usm ? usm->flags : 0);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int fake_enqueue_mem_fill(unsigned platform, cl_command_queue queue, void *ptr,
                             const void *pattern, size_t pattern_size, size_t size,
                             cl_uint num_events, const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueMemFill);
  FAKE_REQUIRE(is_queue(queue, platform), CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE(ptr && pattern && pattern_size != 0 && pattern_size <= FAKE_PATTERN_MAX &&
                   (pattern_size & (pattern_size - 1)) == 0 && size % pattern_size == 0 &&
                   (uintptr_t)ptr % pattern_size == 0,
               CL_INVALID_VALUE);
  fake_command command = {.type = CL_COMMAND_MEMFILL_INTEL,
                          .work = FAKE_WORK_FILL,
                          .to = {ptr, 0, 0},
                          .region = {size, 1, 1},
                          .pattern_size = pattern_size};
  memcpy(command.pattern, pattern, pattern_size);
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

cl_int fake_enqueue_memcpy(unsigned platform, cl_command_queue queue, cl_bool blocking, void *to,
                           const void *from, size_t size, cl_uint num_events,
                           const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueMemcpy);
  FAKE_REQUIRE(is_queue(queue, platform), CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE(to && from, CL_INVALID_VALUE);
  const uintptr_t first = (uintptr_t)to;
  const uintptr_t second = (uintptr_t)from;
  FAKE_REQUIRE(first + size <= second || second + size <= first, CL_MEM_COPY_OVERLAP);
  fake_command command = {.type = CL_COMMAND_MEMCPY_INTEL,
                          .work = FAKE_WORK_COPY,
                          .to = {to, 0, 0},
                          .region = {size, 1, 1}};
  memcpy(&command.from.bytes, &from, sizeof from);
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int fake_enqueue_migrate_mem(unsigned platform, cl_command_queue queue, const void *ptr,
                                size_t size, cl_mem_migration_flags flags, cl_uint num_events,
                                const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueMigrateMem);
  (void)size;
  FAKE_REQUIRE(is_queue(queue, platform), CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE(ptr && flags < 4, CL_INVALID_VALUE);
  const fake_command command = {.type = CL_COMMAND_MIGRATEMEM_INTEL};
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

cl_int fake_enqueue_mem_advise(unsigned platform, cl_command_queue queue, const void *ptr,
                               size_t size, cl_mem_advice_intel advice, cl_uint num_events,
                               const cl_event *events, cl_event *event) {
  FAKE_ENTER(EXT_EnqueueMemAdvise);
  (void)size;
  (void)advice;
  FAKE_REQUIRE(is_queue(queue, platform), CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE(ptr, CL_INVALID_VALUE);
  const fake_command command = {.type = CL_COMMAND_MEMADVISE_INTEL};
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

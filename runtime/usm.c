/* Unified shared memory. Allocations are plain pointers, so libspecpi needs no objects for them. */
#include "command.h"

static const struct {
  const char *name;
  pi_device_info query;
  pi_usm_type type;
} kinds[] = {
#define SPECPI_MEMORY_KIND(NAME, name, query) {#name, query, PI_MEM_TYPE_##NAME},
    SPECPI_MEMORY_KINDS(SPECPI_MEMORY_KIND)
#undef SPECPI_MEMORY_KIND
};

/* Returns whether the device has memory of a kind; false if the driver does not report it. */
static bool has_kind(specpi_device device, specpi_memory_kind kind) {
  pi_usm_capabilities capabilities = 0;
  return specpiDeviceGetFunctions(device)->piDeviceGetInfo(specpiDeviceGetHandle(device),
                                                           kinds[kind].query, sizeof capabilities,
                                                           &capabilities, NULL) == PI_SUCCESS &&
         (capabilities & PI_USM_ACCESS) != 0;
}

static pi_result allocate_memory(specpi_device device, pi_context context, specpi_memory_kind kind,
                                 size_t size, pi_uint32 alignment, void **ret) {
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  const pi_device handle = specpiDeviceGetHandle(device);
  pi_usm_mem_properties none[] = {0};
  switch (kind) {
  case SPECPI_MEMORY_HOST:
    return pi->piextUSMHostAlloc(ret, context, none, size, alignment);
  case SPECPI_MEMORY_DEVICE:
    return pi->piextUSMDeviceAlloc(ret, context, handle, none, size, alignment);
  case SPECPI_MEMORY_SHARED:
  case SPECPI_MEMORY_KIND_COUNT:
    break;
  }
  return pi->piextUSMSharedAlloc(ret, context, handle, none, size, alignment);
}

specpi_result specpiMemoryAllocate(specpi_device device, specpi_memory_kind kind, size_t size,
                                   size_t alignment, void **pointer) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE((size_t)kind < SPECPI_MEMORY_KIND_COUNT, "%d is not a kind of memory", (int)kind);
  ERROR_REQUIRE(size != 0, "size is 0");
  ERROR_REQUIRE((alignment & (alignment - 1)) == 0 && alignment <= UINT32_MAX,
                "alignment is %zu, not 0 or a power of two up to 2147483648", alignment);
  ERROR_REQUIRE(pointer, "pointer is NULL");
  if (!has_kind(device, kind))
    return error_set(SPECPI_ERROR_UNSUPPORTED, "%s has no %s memory",
                     specpiDeviceGetSelector(device), kinds[kind].name);
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  void *made = NULL;
  DRIVER_TRY(specpiDeviceGetFunctions(device),
             allocate_memory(device, context, kind, size, (pi_uint32)alignment, &made),
             "allocation of %zu bytes of %s memory on %s", size, kinds[kind].name,
             specpiDeviceGetSelector(device));
  *pointer = made;
  return SPECPI_SUCCESS;
}

specpi_result specpiMemoryFree(specpi_device device, void *pointer) {
  ERROR_REQUIRE(device, "device is NULL");
  if (!pointer)
    return SPECPI_SUCCESS;
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  DRIVER_TRY(pi, pi->piextUSMFree(context, pointer), "piextUSMFree on %s",
             specpiDeviceGetSelector(device));
  return SPECPI_SUCCESS;
}

specpi_result specpiMemoryGetKind(specpi_device device, const void *pointer,
                                  specpi_memory_kind *kind) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(pointer, "pointer is NULL");
  ERROR_REQUIRE(kind, "kind is NULL");
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_usm_type type = PI_MEM_TYPE_UNKNOWN;
  DRIVER_TRY(
      pi,
      pi->piextUSMGetMemAllocInfo(context, pointer, PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL),
      "piextUSMGetMemAllocInfo on %s", specpiDeviceGetSelector(device));
  size_t i = 0;
  while (i < SPECPI_MEMORY_KIND_COUNT && kinds[i].type != type)
    i++;
  *kind = (specpi_memory_kind)i;
  return SPECPI_SUCCESS;
}

specpi_result specpiMemoryCopy(specpi_queue queue, void *destination, const void *source,
                               size_t size, size_t wait_count, const specpi_event *waits,
                               specpi_event *event) {
  ERROR_REQUIRE(queue, "queue is NULL");
  ERROR_REQUIRE(destination, "destination is NULL");
  ERROR_REQUIRE(source, "source is NULL");
  ERROR_REQUIRE(size != 0, "size is 0");
  const uintptr_t to = (uintptr_t)destination;
  const uintptr_t from = (uintptr_t)source;
  ERROR_REQUIRE(size <= UINTPTR_MAX - (to > from ? to : from),
                "%zu bytes reach past the end of the address space", size);
  ERROR_REQUIRE(to + size <= from || from + size <= to,
                "the %zu bytes of source and of destination overlap", size);
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_bool blocking = event ? PI_FALSE : PI_TRUE;
  const pi_result code = queue->pi->piextUSMEnqueueMemcpy(queue->handle, blocking, destination,
                                                          source, size, COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piextUSMEnqueueMemcpy of %zu bytes", size);
}

specpi_result specpiMemoryFill(specpi_queue queue, void *pointer, unsigned char value, size_t size,
                               size_t wait_count, const specpi_event *waits, specpi_event *event) {
  ERROR_REQUIRE(queue, "queue is NULL");
  ERROR_REQUIRE(pointer, "pointer is NULL");
  ERROR_REQUIRE(size != 0, "size is 0");
  ERROR_REQUIRE(size <= UINTPTR_MAX - (uintptr_t)pointer,
                "%zu bytes reach past the end of the address space", size);
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_result code = queue->pi->piextUSMEnqueueMemset(queue->handle, pointer, value, size,
                                                          COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piextUSMEnqueueMemset of %zu bytes", size);
}

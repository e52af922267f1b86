/*
 * Semaphores of another interface (Vulkan), imported by file descriptor, where the driver has
 * ZE_extension_external_semaphores (version 1.12). As with memory (interop_memory.c) the descriptor
 * is the plugin's from a successful import on.
 */
#include "../objects/deferred_free.h"
#include "../objects/registry.h"
#include "bindless.h"
#include "checks.h"
#include "newer.h"
#include "queue.h"

#include <fcntl.h>
#include <unistd.h>

/* An entry of the registry, whose number is the address of the entry. */
typedef struct external_semaphore {
  registry_entry entry;
  deferred deferred;
  int file_descriptor;
  newer_semaphore_handle semaphore;
} external_semaphore;

bool interop_has_semaphores(pi_device device) {
  const level_zero_extensions *extensions = &device->platform->driver.extensions;
  return platform_has_extension(device->platform, NEWER_SEMAPHORES_NAME) &&
         extensions->DeviceImportExternalSemaphore && extensions->DeviceReleaseExternalSemaphore &&
         extensions->CommandListAppendSignalExternalSemaphore &&
         extensions->CommandListAppendWaitExternalSemaphore;
}

static pi_result require_semaphores(pi_device device) {
  if (!interop_has_semaphores(device))
    return LEVEL_ZERO_UNSUPPORTED("the driver has no " NEWER_SEMAPHORES_NAME
                                  ", which semaphores of other interfaces need");
  return PI_SUCCESS;
}

static pi_result import(pi_device device, int file_descriptor, newer_semaphore_handle *ret) {
  const newer_semaphore_fd_desc file = {.stype = NEWER_STYPE_EXTERNAL_SEMAPHORE_FD_DESC,
                                        .fd = file_descriptor};
  const newer_semaphore_desc description = {.stype = NEWER_STYPE_EXTERNAL_SEMAPHORE_DESC,
                                            .next = &file,
                                            .flags = NEWER_SEMAPHORE_OPAQUE_FD};
  return ze_result(device->platform->driver.extensions.DeviceImportExternalSemaphore(
                       newer_handle(NEWER_HANDLE_DEVICE, device->driver.device), &description, ret),
                   "zeDeviceImportExternalSemaphoreExt");
}

pi_result piextImportExternalSemaphoreOpaqueFD(pi_context context, pi_device device,
                                               int file_descriptor,
                                               pi_interop_semaphore_handle *ret_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  REQUIRE_POINTER(ret_handle);
  PI_REQUIRE(file_descriptor >= 0, PI_ERROR_INVALID_VALUE, "file_descriptor is %d",
             file_descriptor);
  PI_TRY(require_semaphores(device));
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_EXTERNAL_SEMAPHORE, 0, context, sizeof(external_semaphore), &entry));
  external_semaphore *semaphore = (external_semaphore *)(void *)entry;
  const pi_result result = import(device, file_descriptor, &semaphore->semaphore);
  if (result != PI_SUCCESS) {
    registry_free(entry);
    return result;
  }
  semaphore->file_descriptor = file_descriptor;
  entry->number = (uintptr_t)entry;
  *ret_handle = entry->number;
  registry_add(entry); /* an address is there once */
  return PI_SUCCESS;
}

/* No command that was enqueued before uses it any more. */
static void destroy_semaphore(deferred *node) {
  external_semaphore *semaphore = DEFERRED_OWNER(node, external_semaphore, deferred);
  const level_zero_extensions *extensions = &semaphore->entry.context->platform->driver.extensions;
  extensions->DeviceReleaseExternalSemaphore(semaphore->semaphore);
  close(semaphore->file_descriptor);
  registry_free(&semaphore->entry);
}

pi_result piextDestroyExternalSemaphore(pi_context context, pi_device device,
                                        pi_interop_semaphore_handle sem_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(require_semaphores(device));
  registry_entry *entry = registry_take(REGISTRY_EXTERNAL_SEMAPHORE, sem_handle, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "sem_handle is no imported semaphore of the context");
  deferred_free(context, &((external_semaphore *)(void *)entry)->deferred, destroy_semaphore);
  return PI_SUCCESS;
}

/* Checks what both commands have in common. */
static pi_result find_semaphore(pi_queue queue, pi_interop_semaphore_handle handle,
                                newer_semaphore_handle *ret) {
  PI_TRY(require_semaphores(queue->device));
  external_semaphore semaphore;
  PI_REQUIRE(registry_read(REGISTRY_EXTERNAL_SEMAPHORE, handle, queue->context, &semaphore,
                           sizeof semaphore),
             PI_ERROR_INVALID_VALUE, "sem_handle is no imported semaphore of the queue's context");
  if (!queue->driver.is_immediate)
    return LEVEL_ZERO_UNSUPPORTED("the queue gathers commands in batches, and Level Zero has "
                                  "semaphores for immediate command lists only");
  *ret = semaphore.semaphore;
  return PI_SUCCESS;
}

static newer_semaphore_params params_of(uint32_t stype) {
  return (newer_semaphore_params){.stype = stype};
}

static pi_result append_wait(const sink *sink, newer_semaphore_handle semaphore) {
  newer_semaphore_params params = params_of(NEWER_STYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS);
  return ze_result(
      sink->queue->device->platform->driver.extensions.CommandListAppendWaitExternalSemaphore(
          newer_handle(NEWER_HANDLE_COMMAND_LIST, sink->command.list), 1, &semaphore, &params, NULL,
          0, NULL),
      "zeCommandListAppendWaitExternalSemaphoreExt");
}

static pi_result append_signal(const sink *sink, newer_semaphore_handle semaphore) {
  newer_semaphore_params params = params_of(NEWER_STYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);
  return ze_result(
      sink->queue->device->platform->driver.extensions.CommandListAppendSignalExternalSemaphore(
          newer_handle(NEWER_HANDLE_COMMAND_LIST, sink->command.list), 1, &semaphore, &params, NULL,
          0, NULL),
      "zeCommandListAppendSignalExternalSemaphoreExt");
}

/* What is enqueued later waits, in whatever list it runs. */
static pi_result wait_steps(sink *sink, newer_semaphore_handle semaphore) {
  sink->command.event->driver.is_external = true;
  PI_TRY(command_first_step(sink));
  PI_TRY(append_wait(sink, semaphore));
  PI_TRY(command_order_steps(sink));
  return driver_barrier(sink, true);
}

static pi_result signal_steps(sink *sink, newer_semaphore_handle semaphore) {
  PI_TRY(command_first_step(sink));
  PI_TRY(command_order_steps(sink));
  PI_TRY(append_signal(sink, semaphore));
  return command_last_step(sink);
}

pi_result piextWaitExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  newer_semaphore_handle semaphore = NULL;
  PI_TRY(find_semaphore(queue, sem_handle, &semaphore));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  return sink_end(&sink, wait_steps(&sink, semaphore));
}

/* A barrier comes first, for which the command then waits: what is before may be in other lists. */
static pi_result join_all(pi_queue queue) {
  if (queue->is_in_order)
    return PI_SUCCESS;
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, 0, NULL, false, NULL);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  return sink_end(&sink, driver_barrier(&sink, true));
}

pi_result piextSignalExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  newer_semaphore_handle semaphore = NULL;
  PI_TRY(find_semaphore(queue, sem_handle, &semaphore));
  PI_TRY(join_all(queue));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, num_events_in_wait_list,
                            event_wait_list, false, event);
  PI_TRY(sink_begin(&sink, SINK_COMPUTE));
  return sink_end(&sink, signal_steps(&sink, semaphore));
}

/*
 * Semaphores of another interface (Vulkan), imported by file descriptor. They need a driver with
 * ZE_extension_external_semaphores (version 1.12). A successful import passes the descriptor to the
 * plugin.
 */
#include "../objects/interop.h"
#include "bindless.h"
#include "checks.h"
#include "newer.h"
#include "queue.h"

#include <fcntl.h>
#include <unistd.h>

bool interop_has_semaphores(pi_device device) {
  const level_zero_extensions *extensions = &device->platform->driver.extensions;
  return platform_has_extension(device->platform, NEWER_SEMAPHORES_NAME) &&
         extensions->DeviceImportExternalSemaphore && extensions->DeviceReleaseExternalSemaphore &&
         extensions->CommandListAppendSignalExternalSemaphore &&
         extensions->CommandListAppendWaitExternalSemaphore;
}

pi_result interop_require_semaphores(pi_device device) {
  if (!interop_has_semaphores(device))
    return LEVEL_ZERO_UNSUPPORTED("the driver has no " NEWER_SEMAPHORES_NAME
                                  ", which semaphores of other interfaces need");
  return PI_SUCCESS;
}

pi_result driver_semaphore_open(external *external) {
  const newer_semaphore_fd_desc file = {.stype = NEWER_STYPE_EXTERNAL_SEMAPHORE_FD_DESC,
                                        .fd = external->file_descriptor};
  const newer_semaphore_desc description = {.stype = NEWER_STYPE_EXTERNAL_SEMAPHORE_DESC,
                                            .next = &file,
                                            .flags = NEWER_SEMAPHORE_OPAQUE_FD};
  newer_semaphore_handle semaphore = NULL;
  TRY(ze_result(external->device->platform->driver.extensions.DeviceImportExternalSemaphore(
                    newer_handle(NEWER_HANDLE_DEVICE, external->device->driver.device),
                    &description, &semaphore),
                "zeDeviceImportExternalSemaphoreExt"));
  external->handle = semaphore;
  return PI_SUCCESS;
}

/* Runs when every command enqueued before the release has ended. */
static void free_semaphore(deferred *node) {
  external *semaphore = OWNER_OF(node, external, deferred);
  semaphore->entry.context->platform->driver.extensions.DeviceReleaseExternalSemaphore(
      semaphore->handle);
  close(semaphore->file_descriptor);
  registry_free(&semaphore->entry);
}

pi_result driver_semaphore_close(external *external) {
  deferred_free(external->entry.context, &external->deferred, free_semaphore);
  return PI_SUCCESS;
}

static pi_result check_queue(pi_queue queue) {
  if (!queue->driver.is_immediate)
    return LEVEL_ZERO_UNSUPPORTED("the queue gathers commands in batches, and Level Zero has "
                                  "semaphores for immediate command lists only");
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

/* Appends the wait and a barrier, so that later commands in all lists wait, too. */
static pi_result wait_steps(sink *sink, newer_semaphore_handle semaphore) {
  sink->command.event->driver.is_external = true;
  TRY(command_first_step(sink));
  TRY(append_wait(sink, semaphore));
  TRY(command_order_steps(sink));
  return driver_barrier(sink, true);
}

static pi_result signal_steps(sink *sink, newer_semaphore_handle semaphore) {
  TRY(command_first_step(sink));
  TRY(command_order_steps(sink));
  TRY(append_signal(sink, semaphore));
  return command_last_step(sink);
}

pi_result driver_semaphore_wait(sink *sink, const external *semaphore) {
  TRY(check_queue(sink->queue));
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, wait_steps(sink, semaphore->handle));
}

/* Enqueues a barrier for the signal to wait for, because earlier commands may be in other lists. */
static pi_result join_all(pi_queue queue) {
  if (queue->is_in_order)
    return PI_SUCCESS;
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_BARRIER, 0, NULL, false, NULL);
  TRY(sink_begin(&sink, SINK_COMPUTE));
  return sink_end(&sink, driver_barrier(&sink, true));
}

pi_result driver_semaphore_signal(sink *sink, const external *semaphore) {
  TRY(check_queue(sink->queue));
  TRY(join_all(sink->queue));
  TRY(sink_begin(sink, SINK_COMPUTE));
  return sink_end(sink, signal_steps(sink, semaphore->handle));
}

/* Command buffers, and bindless images, which OpenCL lacks. */
#include "scenarios.h"

/* The last arguments of every recording call: after command 0, return a sync point. */
#define AFTER_FIRST 1, &first, &w->out.sync_point

static const pi_ext_sync_point first;
static pi_buff_rect_offset_struct origin = {0, 0, 0};
static pi_buff_rect_region_struct rect = {16, 4, 2};

CALL(piextCommandBufferCreate) {
  const pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  return piextCommandBufferCreate(w->context, w->device, &desc, &w->out.command_buffer);
}

CALL(piextCommandBufferRetain) {
  const pi_result result = piextCommandBufferRetain(w->command_buffer);
  if (result == PI_SUCCESS)
    w->out.command_buffer = w->command_buffer;
  return result;
}

CALL(piextCommandBufferRelease) {
  const pi_result result = piextCommandBufferRelease(w->spare.command_buffer);
  if (result == PI_SUCCESS)
    w->spare.command_buffer = NULL;
  return result;
}

CALL(piextCommandBufferFinalize) {
  return piextCommandBufferFinalize(w->spare.command_buffer);
}

CALL(piextCommandBufferNDRangeKernel) {
  const size_t global = 64;
  const size_t local = 16;
  return piextCommandBufferNDRangeKernel(w->command_buffer, w->kernel, 1, NULL, &global, &local,
                                         AFTER_FIRST);
}

CALL(piextCommandBufferMemcpyUSM) {
  return piextCommandBufferMemcpyUSM(w->command_buffer, w->usm, w->second_usm, 64, AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferCopy) {
  return piextCommandBufferMemBufferCopy(w->command_buffer, w->buffer, w->second, 0, 0, 64,
                                         AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferCopyRect) {
  return piextCommandBufferMemBufferCopyRect(w->command_buffer, w->buffer, w->second, &origin,
                                             &origin, &rect, 64, 0, 64, 0, AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferWrite) {
  return piextCommandBufferMemBufferWrite(w->command_buffer, w->second, 0, 64, w->host,
                                          AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferWriteRect) {
  return piextCommandBufferMemBufferWriteRect(w->command_buffer, w->second, &origin, &origin, &rect,
                                              64, 0, 0, 0, w->host, AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferRead) {
  return piextCommandBufferMemBufferRead(w->command_buffer, w->buffer, 0, 64, w->host, AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferReadRect) {
  return piextCommandBufferMemBufferReadRect(w->command_buffer, w->buffer, &origin, &origin, &rect,
                                             64, 0, 0, 0, w->host, AFTER_FIRST);
}

CALL(piextCommandBufferMemBufferFill) {
  const pi_uint32 pattern = 9;
  return piextCommandBufferMemBufferFill(w->command_buffer, w->second, &pattern, sizeof pattern, 0,
                                         64, AFTER_FIRST);
}

CALL(piextCommandBufferFillUSM) {
  const pi_uint32 pattern = 9;
  return piextCommandBufferFillUSM(w->command_buffer, w->usm, &pattern, sizeof pattern, 64,
                                   AFTER_FIRST);
}

CALL(piextCommandBufferPrefetchUSM) {
  return piextCommandBufferPrefetchUSM(w->command_buffer, w->usm, 64, 0, AFTER_FIRST);
}

CALL(piextCommandBufferAdviseUSM) {
  return piextCommandBufferAdviseUSM(w->command_buffer, w->usm, 64, PI_MEM_ADVICE_RESET,
                                     AFTER_FIRST);
}

/* After a failure, the first commands in the command buffer may have run. */
CALL(piextEnqueueCommandBuffer) {
  return piextEnqueueCommandBuffer(w->finalized, w->queue, 1, &w->event, &w->out.event);
}

static pi_image_offset_struct image_origin = {0, 0, 0};
static pi_image_region_struct image_region = {WORLD_IMAGE, WORLD_IMAGE, 1};

/* Bindless images, where the backend has them; otherwise w->bindless is empty. */
#define BINDLESS(result) expect_where(backend.bindless_images, (result))

CALL(piextMemUnsampledImageHandleDestroy) {
  const pi_result result =
      piextMemUnsampledImageHandleDestroy(w->context, w->device, w->spare.unsampled);
  if (result == PI_SUCCESS)
    w->spare.unsampled = 0;
  return BINDLESS(result);
}

CALL(piextMemSampledImageHandleDestroy) {
  const pi_result result =
      piextMemSampledImageHandleDestroy(w->context, w->device, w->spare.sampled);
  if (result == PI_SUCCESS)
    w->spare.sampled = 0;
  return BINDLESS(result);
}

CALL(piextBindlessImageSamplerCreate) {
  const pi_sampler_properties none = 0;
  return expect_where(backend.bindless_samplers,
                      piextBindlessImageSamplerCreate(w->context, &none, 0, 1, 1, &w->out.sampler));
}

CALL(piextMemImageAllocate) {
  return BINDLESS(
      piextMemImageAllocate(w->context, w->device, &world_format, &world_desc, &w->out.image_mem));
}

CALL(piextMemImageFree) {
  const pi_result result = piextMemImageFree(w->context, w->device, w->spare.image_mem);
  if (result == PI_SUCCESS)
    w->spare.image_mem = NULL;
  return BINDLESS(result);
}

CALL(piextMemUnsampledImageCreate) {
  return BINDLESS(piextMemUnsampledImageCreate(w->context, w->device, w->image_mem, &world_format,
                                               &world_desc, &w->out.mem, &w->out.unsampled));
}

CALL(piextMemSampledImageCreate) {
  return BINDLESS(piextMemSampledImageCreate(w->context, w->device, w->image_mem, &world_format,
                                             &world_desc, w->bindless_sampler, &w->out.mem,
                                             &w->out.sampled));
}

CALL(piextMemImageCopy) {
  return BINDLESS(piextMemImageCopy(w->queue, w->image_mem, w->host, &world_format, &world_desc,
                                    PI_IMAGE_COPY_HOST_TO_DEVICE, &image_origin, &image_origin,
                                    &image_region, &image_region, 1, &w->event, &w->out.event));
}

CALL(piextMemImageGetInfo) {
  return BINDLESS(
      piextMemImageGetInfo(w->image_mem, PI_IMAGE_INFO_WIDTH, w->out.bytes, &w->out.size));
}

CALL(piextMemMipmapGetLevel) {
  return expect_where(backend.mipmaps,
                      piextMemMipmapGetLevel(w->context, w->device, w->mipmap, 1, &w->out.level));
}

CALL(piextMemMipmapFree) {
  const pi_result result = piextMemMipmapFree(w->context, w->device, w->spare.mipmap);
  if (result == PI_SUCCESS)
    w->spare.mipmap = NULL;
  return expect_where(backend.mipmaps, result);
}

/* --- memory and semaphores of other interfaces, from files that the fake driver imports */

#define EXTERNAL_MEMORY(result) expect_where(backend.external_memory, (result))
#define EXTERNAL_SEMAPHORE(result) expect_where(backend.external_semaphores, (result))

CALL(piextMemImportOpaqueFD) {
  return EXTERNAL_MEMORY(piextMemImportOpaqueFD(w->context, w->device, WORLD_BYTES, w->memory_file,
                                                &w->out.interop_mem));
}

CALL(piextMemReleaseInterop) {
  const pi_result result = piextMemReleaseInterop(w->context, w->device, w->spare.interop_mem);
  if (result == PI_SUCCESS)
    w->spare.interop_mem = 0;
  return EXTERNAL_MEMORY(result);
}

CALL(piextMemMapExternalArray) {
  return EXTERNAL_MEMORY(piextMemMapExternalArray(w->context, w->device, &world_format, &world_desc,
                                                  w->interop_mem, &w->out.image_mem));
}

CALL(piextImportExternalSemaphoreOpaqueFD) {
  return EXTERNAL_SEMAPHORE(piextImportExternalSemaphoreOpaqueFD(
      w->context, w->device, w->semaphore_file, &w->out.semaphore));
}

CALL(piextDestroyExternalSemaphore) {
  const pi_result result = piextDestroyExternalSemaphore(w->context, w->device, w->spare.semaphore);
  if (result == PI_SUCCESS)
    w->spare.semaphore = 0;
  return EXTERNAL_SEMAPHORE(result);
}

CALL(piextWaitExternalSemaphore) {
  return EXTERNAL_SEMAPHORE(
      piextWaitExternalSemaphore(w->queue, w->signalled, 1, &w->event, &w->out.event));
}

CALL(piextSignalExternalSemaphore) {
  return EXTERNAL_SEMAPHORE(
      piextSignalExternalSemaphore(w->queue, w->semaphore, 1, &w->event, &w->out.event));
}

/* Command buffers, and the bindless images which OpenCL does not have. */
#include "scenarios.h"

/* What every recording call ends with: after command 0, give a sync point. */
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

/* After a failure the first of its commands may have run. */
CALL(piextEnqueueCommandBuffer) {
  return piextEnqueueCommandBuffer(w->finalized, w->queue, 1, &w->event, &w->out.event);
}

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
static pi_image_desc desc = {
    .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 8, .image_height = 8};
static pi_image_offset_struct image_origin = {0, 0, 0};
static pi_image_region_struct image_region = {8, 8, 1};

CALL(piextMemUnsampledImageHandleDestroy) {
  return expect_unsupported(piextMemUnsampledImageHandleDestroy(w->context, w->device, 1));
}

CALL(piextMemSampledImageHandleDestroy) {
  return expect_unsupported(piextMemSampledImageHandleDestroy(w->context, w->device, 1));
}

CALL(piextBindlessImageSamplerCreate) {
  const pi_sampler_properties none = 0;
  return expect_unsupported(
      piextBindlessImageSamplerCreate(w->context, &none, 0, 1, 1, &w->out.sampler));
}

CALL(piextMemImageAllocate) {
  return expect_unsupported(
      piextMemImageAllocate(w->context, w->device, &format, &desc, &w->out.image_mem));
}

CALL(piextMemImageFree) {
  return expect_unsupported(piextMemImageFree(w->context, w->device, w->host));
}

CALL(piextMemUnsampledImageCreate) {
  return expect_unsupported(piextMemUnsampledImageCreate(w->context, w->device, w->host, &format,
                                                         &desc, &w->out.mem, &w->out.image_handle));
}

CALL(piextMemSampledImageCreate) {
  return expect_unsupported(piextMemSampledImageCreate(w->context, w->device, w->host, &format,
                                                       &desc, w->sampler, &w->out.mem,
                                                       &w->out.image_handle));
}

CALL(piextMemImageCopy) {
  return expect_unsupported(piextMemImageCopy(w->queue, w->host, w->host, &format, &desc, 0,
                                              &image_origin, &image_origin, &image_region,
                                              &image_region, 0, NULL, &w->out.event));
}

CALL(piextMemImageGetInfo) {
  return expect_unsupported(
      piextMemImageGetInfo(w->host, PI_IMAGE_INFO_WIDTH, w->out.bytes, &w->out.size));
}

CALL(piextMemMipmapGetLevel) {
  return expect_unsupported(
      piextMemMipmapGetLevel(w->context, w->device, w->host, 0, &w->out.image_mem));
}

CALL(piextMemMipmapFree) {
  return expect_unsupported(piextMemMipmapFree(w->context, w->device, w->host));
}

CALL(piextMemImportOpaqueFD) {
  return expect_unsupported(
      piextMemImportOpaqueFD(w->context, w->device, 64, 0, &w->out.interop_mem));
}

CALL(piextMemReleaseInterop) {
  return expect_unsupported(piextMemReleaseInterop(w->context, w->device, 1));
}

CALL(piextMemMapExternalArray) {
  return expect_unsupported(
      piextMemMapExternalArray(w->context, w->device, &format, &desc, 1, &w->out.image_mem));
}

CALL(piextImportExternalSemaphoreOpaqueFD) {
  return expect_unsupported(
      piextImportExternalSemaphoreOpaqueFD(w->context, w->device, 0, &w->out.semaphore));
}

CALL(piextDestroyExternalSemaphore) {
  return expect_unsupported(piextDestroyExternalSemaphore(w->context, w->device, 1));
}

CALL(piextWaitExternalSemaphore) {
  return expect_unsupported(piextWaitExternalSemaphore(w->queue, 1, 0, NULL, &w->out.event));
}

CALL(piextSignalExternalSemaphore) {
  return expect_unsupported(piextSignalExternalSemaphore(w->queue, 1, 0, NULL, &w->out.event));
}

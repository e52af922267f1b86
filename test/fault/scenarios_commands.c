/* Memory, commands, unified shared memory. */
#include "scenarios.h"

#include <string.h>

/* The last arguments of every enqueue call: wait for w->event, return an event. */
#define WAIT_AND_EVENT 1, &w->event, &w->out.event

enum { HALF = WORLD_BYTES / 2 };

static pi_buff_rect_offset_struct origin = {0, 0, 0};
static pi_buff_rect_region_struct rect = {16, 4, 2};
static pi_image_offset_struct image_origin = {0, 0, 0};
static pi_image_region_struct image_region = {WORLD_IMAGE, WORLD_IMAGE, 1};

CALL(piMemBufferCreate) {
  return piMemBufferCreate(w->context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY,
                           WORLD_BYTES, w->host, &w->out.mem, NULL);
}

CALL(piMemImageCreate) {
  return piMemImageCreate(w->context, PI_MEM_FLAGS_ACCESS_RW, &world_format, &world_desc, NULL,
                          &w->out.mem);
}

CALL(piMemRetain) {
  const pi_result result = piMemRetain(w->buffer);
  if (result == PI_SUCCESS)
    w->out.mem = w->buffer;
  return result;
}

CALL(piMemRelease) {
  const pi_result result = piMemRelease(w->spare.mem);
  if (result == PI_SUCCESS)
    w->spare.mem = NULL;
  return result;
}

CALL(piMemBufferPartition) {
  pi_buffer_region_struct region = {1024, 512};
  return piMemBufferPartition(w->buffer, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION,
                              &region, &w->out.mem);
}

CALL(piextMemGetNativeHandle) {
  return piextMemGetNativeHandle(w->buffer, w->device, &w->out.native);
}

CALL(piextMemCreateWithNativeHandle) {
  return piextMemCreateWithNativeHandle(w->native.buffer, w->context, false, &w->out.mem);
}

CALL(piextMemImageCreateWithNativeHandle) {
  return piextMemImageCreateWithNativeHandle(w->native.image, w->context, false, &world_format,
                                             &world_desc, &w->out.mem);
}

CALL(piEnqueueKernelLaunch) {
  const size_t global = 64;
  const size_t local = 16;
  return piEnqueueKernelLaunch(w->queue, w->kernel, 1, NULL, &global, &local, WAIT_AND_EVENT);
}

CALL(piextEnqueueCooperativeKernelLaunch) {
  const size_t global = 64;
  const size_t local = 64;
  return piextEnqueueCooperativeKernelLaunch(w->queue, w->kernel, 1, NULL, &global, &local,
                                             WAIT_AND_EVENT);
}

CALL(piEnqueueEventsWait) {
  return piEnqueueEventsWait(w->queue, WAIT_AND_EVENT);
}

CALL(piEnqueueEventsWaitWithBarrier) {
  return piEnqueueEventsWaitWithBarrier(w->queue, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferRead) {
  return piEnqueueMemBufferRead(w->queue, w->buffer, PI_TRUE, 0, HALF, w->out.bytes,
                                WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferReadRect) {
  return piEnqueueMemBufferReadRect(w->queue, w->buffer, PI_TRUE, &origin, &origin, &rect, 64, 0, 0,
                                    0, w->out.bytes, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferWrite) {
  return piEnqueueMemBufferWrite(w->queue, w->second, PI_TRUE, 0, HALF, w->host, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferWriteRect) {
  return piEnqueueMemBufferWriteRect(w->queue, w->second, PI_TRUE, &origin, &origin, &rect, 64, 0,
                                     0, 0, w->host, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferCopy) {
  return piEnqueueMemBufferCopy(w->queue, w->buffer, w->second, 0, 0, HALF, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferCopyRect) {
  return piEnqueueMemBufferCopyRect(w->queue, w->buffer, w->second, &origin, &origin, &rect, 64, 0,
                                    32, 0, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferFill) {
  const pi_uint32 pattern = 0x01020304;
  return piEnqueueMemBufferFill(w->queue, w->second, &pattern, sizeof pattern, 0, HALF,
                                WAIT_AND_EVENT);
}

CALL(piEnqueueMemImageRead) {
  return piEnqueueMemImageRead(w->queue, w->image, PI_TRUE, &image_origin, &image_region, 0, 0,
                               w->out.bytes, WAIT_AND_EVENT);
}

CALL(piEnqueueMemImageWrite) {
  return piEnqueueMemImageWrite(w->queue, w->image, PI_TRUE, &image_origin, &image_region, 0, 0,
                                w->host, WAIT_AND_EVENT);
}

CALL(piEnqueueMemImageCopy) {
  return piEnqueueMemImageCopy(w->queue, w->image, w->second_image, &image_origin, &image_origin,
                               &image_region, WAIT_AND_EVENT);
}

CALL(piEnqueueMemImageFill) {
  const float color[4] = {1, 2, 3, 4};
  const size_t from[3] = {0, 0, 0};
  const size_t size[3] = {WORLD_IMAGE, WORLD_IMAGE, 1};
  return piEnqueueMemImageFill(w->queue, w->image, color, from, size, WAIT_AND_EVENT);
}

CALL(piEnqueueMemBufferMap) {
  return piEnqueueMemBufferMap(w->queue, w->buffer, PI_TRUE, PI_MAP_READ, 0, HALF, WAIT_AND_EVENT,
                               &w->out.map);
}

CALL(piEnqueueMemUnmap) {
  const pi_result result = piEnqueueMemUnmap(w->queue, w->mapped, w->spare.map, WAIT_AND_EVENT);
  if (result == PI_SUCCESS)
    w->spare.map = NULL;
  return result;
}

CALL(piextUSMHostAlloc) {
  return piextUSMHostAlloc(&w->out.usm, w->context, NULL, WORLD_BYTES, 64);
}

CALL(piextUSMDeviceAlloc) {
  return piextUSMDeviceAlloc(&w->out.usm, w->context, w->device, NULL, WORLD_BYTES, 64);
}

CALL(piextUSMSharedAlloc) {
  return piextUSMSharedAlloc(&w->out.usm, w->context, w->device, NULL, WORLD_BYTES, 64);
}

CALL(piextUSMPitchedAlloc) {
  return piextUSMPitchedAlloc(&w->out.usm, &w->out.pitch, w->context, w->device, NULL, 100, 10, 4);
}

CALL(piextUSMFree) {
  const pi_result result = piextUSMFree(w->context, w->spare.usm);
  if (result == PI_SUCCESS)
    w->spare.usm = NULL;
  return result;
}

CALL(piextUSMEnqueueMemset) {
  return piextUSMEnqueueMemset(w->queue, w->usm, 3, HALF, WAIT_AND_EVENT);
}

CALL(piextUSMEnqueueMemcpy) {
  return piextUSMEnqueueMemcpy(w->queue, PI_TRUE, w->usm, w->host, HALF, WAIT_AND_EVENT);
}

CALL(piextUSMEnqueuePrefetch) {
  return piextUSMEnqueuePrefetch(w->queue, w->usm, HALF, 0, WAIT_AND_EVENT);
}

CALL(piextUSMEnqueueMemAdvise) {
  return piextUSMEnqueueMemAdvise(w->queue, w->usm, HALF, PI_MEM_ADVICE_RESET, &w->out.event);
}

/*
 * OpenCL has no command for rectangles in USM, so a failure may come after some rows. The test does
 * not check the memory of those rows.
 */
CALL(piextUSMEnqueueFill2D) {
  const pi_uint32 pattern = 7;
  return piextUSMEnqueueFill2D(w->queue, w->spare.usm, 64, sizeof pattern, &pattern, 32, 4,
                               WAIT_AND_EVENT);
}

CALL(piextUSMEnqueueMemset2D) {
  return piextUSMEnqueueMemset2D(w->queue, w->spare.usm, 64, 1, 32, 4, WAIT_AND_EVENT);
}

CALL(piextUSMEnqueueMemcpy2D) {
  return piextUSMEnqueueMemcpy2D(w->queue, PI_TRUE, w->spare.usm, 64, w->host, 32, 32, 4,
                                 WAIT_AND_EVENT);
}

CALL(piextUSMImport) {
  const pi_result result = piextUSMImport(w->importable, WORLD_BYTES, w->context);
  if (result == PI_SUCCESS)
    w->out.imported = w->importable;
  return expect_where(backend.usm_import, result);
}

CALL(piextUSMRelease) {
  const pi_result result = piextUSMRelease(w->spare.imported, w->context);
  if (result == PI_SUCCESS)
    w->spare.imported = NULL;
  return expect_where(backend.usm_import, result);
}

CALL(piextEnqueueReadHostPipe) {
  return expect_where(backend.host_pipes,
                      piextEnqueueReadHostPipe(w->queue, w->rebuilt, "fake_pipe", PI_TRUE,
                                               w->out.bytes, 16, WAIT_AND_EVENT));
}

CALL(piextEnqueueWriteHostPipe) {
  return expect_where(backend.host_pipes,
                      piextEnqueueWriteHostPipe(w->queue, w->rebuilt, "fake_pipe", PI_TRUE, w->host,
                                                16, WAIT_AND_EVENT));
}

CALL(piextEnqueueDeviceGlobalVariableWrite) {
  return piextEnqueueDeviceGlobalVariableWrite(w->queue, w->rebuilt, "fake_variable", PI_TRUE, 16,
                                               0, w->host, WAIT_AND_EVENT);
}

CALL(piextEnqueueDeviceGlobalVariableRead) {
  return piextEnqueueDeviceGlobalVariableRead(w->queue, w->rebuilt, "fake_variable", PI_TRUE, 16, 0,
                                              w->out.bytes, WAIT_AND_EVENT);
}

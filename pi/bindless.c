/* PI's entries for bindless images, and for memory and semaphores of other interfaces. */
#include "../plugins/objects/bindless.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/interop.h"
#include "sinks.h"

/* Returns with an error from the calling function unless device belongs to context and has a
 * feature. */
#define REQUIRE_FEATURE(FEATURE)                                                                   \
  REQUIRE_CONTEXT(context);                                                                        \
  REQUIRE_DEVICE_OF(context, device);                                                              \
  TRY(driver_bindless_require(device, BINDLESS_##FEATURE))

/* ---- Image memory ---- */

pi_result piextMemImageAllocate(pi_context context, pi_device device, pi_image_format *image_format,
                                pi_image_desc *image_desc, pi_image_mem_handle *ret_mem) {
  REQUIRE_FEATURE(IMAGES);
  REQUIRE_POINTER(ret_mem);
  return image_memory_create(context, device, image_format, image_desc, NULL, ret_mem);
}

pi_result piextMemImageFree(pi_context context, pi_device device,
                            pi_image_mem_handle memory_handle) {
  REQUIRE_FEATURE(IMAGES);
  return image_memory_free(context, memory_handle, false);
}

pi_result piextMemMipmapFree(pi_context context, pi_device device,
                             pi_image_mem_handle memory_handle) {
  REQUIRE_FEATURE(LEVELS);
  return image_memory_free(context, memory_handle, true);
}

pi_result piextMemMipmapGetLevel(pi_context context, pi_device device, pi_image_mem_handle mip_mem,
                                 unsigned int level, pi_image_mem_handle *ret_mem) {
  REQUIRE_FEATURE(LEVELS);
  REQUIRE_POINTER(ret_mem);
  return image_memory_level(context, mip_mem, level, ret_mem);
}

/* Answers a query. PI passes no size here, so the caller makes the buffer large enough. */
pi_result piextMemImageGetInfo(const pi_image_mem_handle mem_handle, pi_image_info param_name,
                               void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {SIZE_MAX, param_value, param_value_size_ret};
  return image_memory_answer(mem_handle, param_name, &answer);
}

pi_result piextMemImageCopy(pi_queue queue, void *dst_ptr, void *src_ptr,
                            const pi_image_format *image_format, const pi_image_desc *image_desc,
                            const pi_image_copy_flags flags, pi_image_offset src_offset,
                            pi_image_offset dst_offset, pi_image_region copy_extent,
                            pi_image_region host_extent, pi_uint32 num_events_in_wait_list,
                            const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_POINTER(src_offset);
  REQUIRE_POINTER(dst_offset);
  REQUIRE_POINTER(copy_extent);
  REQUIRE_POINTER(host_extent);
  REQUIRE_WAIT_LIST();
  TRY(driver_bindless_require(queue->device, BINDLESS_IMAGES));
  sink sink = SINK_OF_QUEUE(IMAGE_COPY, false);
  return image_memory_copy(&sink, dst_ptr, src_ptr, image_format, image_desc, flags, src_offset,
                           dst_offset, copy_extent, host_extent);
}

/* ---- Handles ---- */

pi_result piextMemUnsampledImageCreate(pi_context context, pi_device device,
                                       pi_image_mem_handle img_mem, pi_image_format *image_format,
                                       pi_image_desc *image_desc, pi_mem *ret_mem,
                                       pi_image_handle *ret_handle) {
  REQUIRE_FEATURE(IMAGES);
  REQUIRE_POINTER(img_mem);
  REQUIRE_POINTER(ret_mem);
  REQUIRE_POINTER(ret_handle);
  return image_view_create(context, device, img_mem, image_format, image_desc, NULL, ret_mem,
                           ret_handle);
}

pi_result piextMemSampledImageCreate(pi_context context, pi_device device,
                                     pi_image_mem_handle img_mem, pi_image_format *image_format,
                                     pi_image_desc *image_desc, pi_sampler sampler, pi_mem *ret_mem,
                                     pi_image_handle *ret_handle) {
  REQUIRE_FEATURE(IMAGES);
  REQUIRE_POINTER(img_mem);
  REQUIRE_SAMPLER(sampler);
  REQUIRE_POINTER(ret_mem);
  REQUIRE_POINTER(ret_handle);
  return image_view_create(context, device, img_mem, image_format, image_desc, sampler, ret_mem,
                           ret_handle);
}

pi_result piextMemUnsampledImageHandleDestroy(pi_context context, pi_device device,
                                              pi_image_handle handle) {
  REQUIRE_FEATURE(IMAGES);
  return image_view_destroy(context, device, false, handle);
}

pi_result piextMemSampledImageHandleDestroy(pi_context context, pi_device device,
                                            pi_image_handle handle) {
  REQUIRE_FEATURE(IMAGES);
  return image_view_destroy(context, device, true, handle);
}

/* ---- Memory and semaphores of other interfaces ---- */

pi_result piextMemImportOpaqueFD(pi_context context, pi_device device, size_t size,
                                 int file_descriptor, pi_interop_mem_handle *ret_handle) {
  REQUIRE_FEATURE(IMPORTED_MEMORY);
  REQUIRE_POINTER(ret_handle);
  REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  return external_import(context, device, REGISTRY_EXTERNAL_MEMORY, size, file_descriptor,
                         ret_handle);
}

pi_result piextMemReleaseInterop(pi_context context, pi_device device,
                                 pi_interop_mem_handle memory_handle) {
  REQUIRE_FEATURE(IMPORTED_MEMORY);
  return external_release(context, REGISTRY_EXTERNAL_MEMORY, memory_handle);
}

/* Maps imported memory as an image. The caller must pass the layout of the other interface's image,
 * which cannot be checked. */
pi_result piextMemMapExternalArray(pi_context context, pi_device device,
                                   pi_image_format *image_format, pi_image_desc *image_desc,
                                   pi_interop_mem_handle mem_handle, pi_image_mem_handle *ret_mem) {
  REQUIRE_FEATURE(IMPORTED_MEMORY);
  REQUIRE_POINTER(ret_mem);
  return image_memory_create(context, device, image_format, image_desc, &mem_handle, ret_mem);
}

pi_result piextImportExternalSemaphoreOpaqueFD(pi_context context, pi_device device,
                                               int file_descriptor,
                                               pi_interop_semaphore_handle *ret_handle) {
  REQUIRE_FEATURE(SEMAPHORES);
  REQUIRE_POINTER(ret_handle);
  return external_import(context, device, REGISTRY_EXTERNAL_SEMAPHORE, 0, file_descriptor,
                         ret_handle);
}

pi_result piextDestroyExternalSemaphore(pi_context context, pi_device device,
                                        pi_interop_semaphore_handle sem_handle) {
  REQUIRE_FEATURE(SEMAPHORES);
  return external_release(context, REGISTRY_EXTERNAL_SEMAPHORE, sem_handle);
}

static pi_result find_semaphore(pi_queue queue, pi_interop_semaphore_handle handle, external *ret) {
  TRY(driver_bindless_require(queue->device, BINDLESS_SEMAPHORES));
  REQUIRE(external_find(queue->context, REGISTRY_EXTERNAL_SEMAPHORE, handle, ret),
          PI_ERROR_INVALID_VALUE, "sem_handle is no imported semaphore of the queue's context");
  return PI_SUCCESS;
}

pi_result piextWaitExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  external semaphore;
  TRY(find_semaphore(queue, sem_handle, &semaphore));
  sink sink = SINK_OF_QUEUE(BARRIER, false);
  return driver_semaphore_wait(&sink, &semaphore);
}

pi_result piextSignalExternalSemaphore(pi_queue queue, pi_interop_semaphore_handle sem_handle,
                                       pi_uint32 num_events_in_wait_list,
                                       const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  external semaphore;
  TRY(find_semaphore(queue, sem_handle, &semaphore));
  sink sink = SINK_OF_QUEUE(BARRIER, false);
  return driver_semaphore_signal(&sink, &semaphore);
}

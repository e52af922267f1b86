/*
 * Objects that the driver fails to free or destroy. test/fault tests the other failures, for every
 * entry point.
 */
#define _GNU_SOURCE /* memfd_create */
#include "world.h"

#include "../../plugins/objects/registry.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

/* Memory whose free failed can be freed later; memory whose free succeeded is gone. */
WORLD_TEST(memory_whose_free_failed_can_be_freed) {
  const char *symbol = "";
  for (unsigned long n = 1; symbol; n++) {
    void *memory = NULL;
    must(piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, SIZE, 0));
    fake_cuda_fail(NULL, n, CUDA_ERROR_OUT_OF_MEMORY);
    const pi_result result = piextUSMFree(w.context, memory);
    symbol = fake_cuda_unfail();
    assert_true(symbol || result == PI_SUCCESS);
    assert_int_equal(fake_cuda_live(FAKE_MEMORY), result == PI_SUCCESS ? 0 : 1);
    if (result != PI_SUCCESS)
      must(piextUSMFree(w.context, memory));
  }
  fake_cuda_fail("cuMemFree", 1, CUDA_ERROR_INVALID_VALUE);
  void *memory = NULL;
  must(piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, SIZE, 0));
  fails(PI_ERROR_INVALID_VALUE, piextUSMFree(w.context, memory));
  must(piextUSMFree(w.context, memory));
}

/* An object that the driver failed to destroy can be destroyed later. */
WORLD_TEST(objects_whose_destruction_failed_can_be_destroyed) {
  static _Alignas(4096) unsigned char page[SIZE];
  const pi_context c = w.context;
  const pi_device d = w.device;
  pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_desc flat = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 16, .image_height = 8, .num_mip_levels = 1};
  pi_image_desc mipmap = flat;
  mipmap.num_mip_levels = 3;
  pi_sampler sampler = NULL;
  pi_image_mem_handle image = NULL, levels = NULL, level = NULL;
  pi_image_handle surface = 0, texture = 0;
  pi_mem mems[2] = {NULL};
  pi_interop_mem_handle import = 0;
  pi_interop_semaphore_handle semaphore = 0;
  const int file = memfd_create("memory", 0);
  assert_int_equal(ftruncate(file, SIZE), 0);
  must(piextBindlessImageSamplerCreate(c, NULL, 0, 1, 0, &sampler));
  must(piextMemImageAllocate(c, d, &format, &flat, &image));
  must(piextMemImageAllocate(c, d, &format, &mipmap, &levels));
  must(piextMemMipmapGetLevel(c, d, levels, 0, &level));
  must(piextMemUnsampledImageCreate(c, d, level, &format, &mipmap, &mems[0], &surface));
  must(piextMemSampledImageCreate(c, d, levels, &format, &mipmap, sampler, &mems[1], &texture));
  must(piextMemImportOpaqueFD(c, d, SIZE, file, &import));
  must(piextImportExternalSemaphoreOpaqueFD(c, d, eventfd(0, 0), &semaphore));
  must(piextUSMImport(page, sizeof page, c));
  /* The first call fails and changes nothing; the second one succeeds. */
  size_t entries = registry_count();
  assert_int_equal(entries, 8);
#define STAYS(symbol, call, gone)                                                                  \
  fake_cuda_fail(symbol, 1, CUDA_ERROR_INVALID_VALUE);                                             \
  fails(PI_ERROR_INVALID_VALUE, call);                                                             \
  assert_int_equal(registry_count(), entries);                                                     \
  must(call);                                                                                      \
  entries -= (gone);                                                                               \
  assert_int_equal(registry_count(), entries)
  STAYS("cuSurfObjectDestroy", piextMemUnsampledImageHandleDestroy(c, d, surface), 1);
  STAYS("cuTexObjectDestroy", piextMemSampledImageHandleDestroy(c, d, texture), 1);
  STAYS("cuArrayDestroy", piextMemImageFree(c, d, image), 1);
  STAYS("cuMipmappedArrayDestroy", piextMemMipmapFree(c, d, levels), 2); /* with the level */
  STAYS("cuDestroyExternalMemory", piextMemReleaseInterop(c, d, import), 1);
  STAYS("cuDestroyExternalSemaphore", piextDestroyExternalSemaphore(c, d, semaphore), 1);
  STAYS("cuMemHostUnregister", piextUSMRelease(page, c), 1);
#undef STAYS
  for (int i = 0; i < 2; i++)
    must(piMemRelease(mems[i]));
  must(piSamplerRelease(sampler));
}

/*
 * USM, images and imports when the driver or the host has no more: each call of the driver and each
 * allocation that a scenario makes fails once. The failure is told, outputs are untouched, nothing
 * is lost, and the same works afterwards.
 */
#define _GNU_SOURCE /* memfd_create */
#include "world.h"

#include "../../plugins/common/error.h"
#include "../../plugins/cuda/registry.h"
#include "../unit/memory.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

static unsigned char host[2 * SIZE];
static _Alignas(4096) unsigned char page[SIZE];

/* What scenarios make; cleaned up when calls work again. */
typedef struct place {
  void *memory[4];
  bool is_imported;
  pi_mem mems[3];
  pi_sampler sampler;
  pi_image_mem_handle images[4];
  pi_image_handle surface, texture;
  pi_interop_mem_handle import;
  pi_interop_semaphore_handle semaphore;
  int files[2];
  pi_event event;
} place;

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};

static pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth,
                              unsigned levels) {
  return (pi_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = depth,
                         .image_array_size = depth,
                         .num_mip_levels = levels};
}

static struct pi_image_offset_struct origin = {0, 0, 0};
static struct pi_image_region_struct whole = {6, 5, 4};

static pi_result allocations(place *p) {
  size_t pitch = 77;
  PI_TRY(piextUSMHostAlloc(&p->memory[0], w.context, NULL, SIZE, 0));
  PI_TRY(piextUSMDeviceAlloc(&p->memory[1], w.context, w.device, NULL, SIZE, 64));
  PI_TRY(piextUSMSharedAlloc(&p->memory[2], w.context, w.device, NULL, SIZE, 0));
  const pi_result result =
      piextUSMPitchedAlloc(&p->memory[3], &pitch, w.context, w.device, NULL, 100, 5, 4);
  assert_true((result == PI_SUCCESS) == (pitch != 77));
  return result;
}

static pi_result import(place *p) {
  PI_TRY(piextUSMImport(page, sizeof page, w.context));
  p->is_imported = true;
  return PI_SUCCESS;
}

static pi_result fills_and_hints(place *p) {
  PI_TRY(piextUSMSharedAlloc(&p->memory[0], w.context, w.device, NULL, SIZE, 0));
  PI_TRY(piextUSMEnqueueMemset(w.queue, p->memory[0], 1, SIZE, 0, NULL, NULL));
  PI_TRY(piextUSMEnqueueFill2D(w.queue, p->memory[0], 70, 7, "pattern", 63, 20, 0, NULL, NULL));
  PI_TRY(piextUSMEnqueuePrefetch(w.queue, p->memory[0], SIZE, 0, 0, NULL, NULL));
  return piextUSMEnqueueMemAdvise(w.queue, p->memory[0], SIZE, PI_MEM_ADVICE_RESET, &p->event);
}

static pi_result copies(place *p) {
  PI_TRY(piextUSMDeviceAlloc(&p->memory[0], w.context, w.device, NULL, SIZE, 0));
  PI_TRY(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, p->memory[0], host, SIZE, 0, NULL, NULL));
  return piextUSMEnqueueMemcpy2D(w.queue, PI_FALSE, host, 64, p->memory[0], 60, 60, 10, 0, NULL,
                                 &p->event);
}

static pi_result image_objects(place *p) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE3D, 6, 5, 4, 0);
  pi_native_handle native = 0;
  PI_TRY(
      piMemImageCreate(w.context, PI_MEM_FLAGS_HOST_PTR_COPY, &format, &desc, host, &p->mems[0]));
  PI_TRY(piMemImageCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, &format, &desc, NULL, &p->mems[1]));
  PI_TRY(piextMemGetNativeHandle(p->mems[0], w.device, &native));
  return piextMemImageCreateWithNativeHandle(native, w.context, false, &format, &desc, &p->mems[2]);
}

static pi_result image_commands(place *p) {
  const float color[4] = {1, 2, 3, 4};
  const size_t from[3] = {0, 0, 0}, size[3] = {6, 5, 4};
  PI_TRY(image_objects(p));
  PI_TRY(piEnqueueMemImageWrite(w.queue, p->mems[0], PI_FALSE, &origin, &whole, 25, 130, host, 0,
                                NULL, NULL));
  PI_TRY(piEnqueueMemImageCopy(w.queue, p->mems[0], p->mems[1], &origin, &origin, &whole, 0, NULL,
                               NULL));
  PI_TRY(piEnqueueMemImageFill(w.queue, p->mems[0], color, from, size, 0, NULL, NULL));
  return piEnqueueMemImageRead(w.queue, p->mems[1], PI_TRUE, &origin, &whole, 25, 130, host, 0,
                               NULL, &p->event);
}

static pi_result bindless(place *p) {
  pi_image_desc flat = describe(PI_MEM_TYPE_IMAGE2D, 16, 8, 1, 1);
  pi_image_desc mipmap = describe(PI_MEM_TYPE_IMAGE2D, 16, 8, 1, 3);
  struct pi_image_region_struct size = {16, 8, 1};
  PI_TRY(piextBindlessImageSamplerCreate(w.context, NULL, 0, 1, 0, &p->sampler));
  PI_TRY(piextMemImageAllocate(w.context, w.device, &format, &flat, &p->images[0]));
  PI_TRY(piextMemImageAllocate(w.context, w.device, &format, &mipmap, &p->images[1]));
  PI_TRY(piextMemMipmapGetLevel(w.context, w.device, p->images[1], 0, &p->images[2]));
  PI_TRY(piextMemUnsampledImageCreate(w.context, w.device, p->images[2], &format, &mipmap,
                                      &p->mems[0], &p->surface));
  PI_TRY(piextMemSampledImageCreate(w.context, w.device, p->images[1], &format, &mipmap, p->sampler,
                                    &p->mems[1], &p->texture));
  PI_TRY(piextMemImageCopy(w.queue, p->images[0], host, &format, &flat,
                           PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin, &size, &size, 0, NULL,
                           NULL));
  PI_TRY(piextMemImageCopy(w.queue, p->images[2], p->images[0], &format, &flat,
                           PI_IMAGE_COPY_DEVICE_TO_DEVICE, &origin, &origin, &size, &size, 0, NULL,
                           NULL));
  return piextMemImageCopy(w.queue, host, p->images[2], &format, &flat,
                           PI_IMAGE_COPY_DEVICE_TO_HOST, &origin, &origin, &size, &size, 0, NULL,
                           &p->event);
}

/* The descriptors are the driver's when an import succeeds. */
static pi_result imports(place *p) {
  pi_image_desc flat = describe(PI_MEM_TYPE_IMAGE2D, 16, 8, 1, 1);
  p->files[0] = memfd_create("memory", 0);
  assert_int_equal(ftruncate(p->files[0], SIZE), 0);
  PI_TRY(piextMemImportOpaqueFD(w.context, w.device, SIZE, p->files[0], &p->import));
  p->files[0] = -1;
  PI_TRY(piextMemMapExternalArray(w.context, w.device, &format, &flat, p->import, &p->images[0]));
  p->files[1] = eventfd(1, 0);
  PI_TRY(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, p->files[1], &p->semaphore));
  p->files[1] = -1;
  PI_TRY(piextSignalExternalSemaphore(w.queue, p->semaphore, 0, NULL, NULL));
  return piextWaitExternalSemaphore(w.queue, p->semaphore, 0, NULL, &p->event);
}

static const struct {
  const char *name;
  pi_result (*run)(place *p);
} scenarios[] = {
#define SCENARIO(name)                                                                             \
  {                                                                                                \
#name, name                                                                                    \
  }
    SCENARIO(allocations),   SCENARIO(import),         SCENARIO(fills_and_hints), SCENARIO(copies),
    SCENARIO(image_objects), SCENARIO(image_commands), SCENARIO(bindless),        SCENARIO(imports),
#undef SCENARIO
};

enum { SCENARIO_COUNT = sizeof scenarios / sizeof scenarios[0] };

static void clean_up(place *p) {
  if (p->event) {
    must(piEventsWait(1, &p->event));
    must(piEventRelease(p->event));
  }
  must(piQueueFinish(w.queue));
  for (size_t i = 0; i < sizeof p->memory / sizeof p->memory[0]; i++)
    must(piextUSMFree(w.context, p->memory[i]));
  if (p->is_imported)
    must(piextUSMRelease(page, w.context));
  if (p->surface)
    must(piextMemUnsampledImageHandleDestroy(w.context, w.device, p->surface));
  if (p->texture)
    must(piextMemSampledImageHandleDestroy(w.context, w.device, p->texture));
  for (size_t i = 0; i < sizeof p->mems / sizeof p->mems[0]; i++)
    if (p->mems[i])
      must(piMemRelease(p->mems[i]));
  if (p->images[0])
    must(piextMemImageFree(w.context, w.device, p->images[0]));
  if (p->images[1])
    must(piextMemMipmapFree(w.context, w.device, p->images[1]));
  if (p->sampler)
    must(piSamplerRelease(p->sampler));
  if (p->import)
    must(piextMemReleaseInterop(w.context, w.device, p->import));
  if (p->semaphore)
    must(piextDestroyExternalSemaphore(w.context, w.device, p->semaphore));
  for (size_t i = 0; i < 2; i++)
    if (p->files[i] >= 0)
      close(p->files[i]);
  assert_int_equal(registry_count(), 0);
}

/* What the driver holds but for events and streams, which queues keep. */
static size_t live(void) {
  static const fake_kind kinds[] = {
      FAKE_MEMORY, FAKE_HOST,    FAKE_REGISTERED, FAKE_MANAGED,         FAKE_ARRAY,
      FAKE_MIPMAP, FAKE_TEXTURE, FAKE_SURFACE,    FAKE_EXTERNAL_MEMORY, FAKE_EXTERNAL_SEMAPHORE};
  size_t count = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    count += fake_cuda_live(kinds[i]);
  return count;
}

static const place empty = {.files = {-1, -1}};

static void works(size_t scenario) {
  place p = empty;
  must(scenarios[scenario].run(&p));
  clean_up(&p);
}

static void each_driver_call(void **state) {
  (void)state;
  for (size_t s = 0; s < SCENARIO_COUNT; s++) {
    works(s);
    const size_t before = live();
    const char *symbol = "";
    for (unsigned long n = 1; symbol; n++) {
      place p = empty;
      fake_cuda_fail(NULL, n, CUDA_ERROR_OUT_OF_MEMORY);
      const pi_result result = scenarios[s].run(&p);
      symbol = fake_cuda_unfail();
      const char *message = "";
      pi_error_last(&message);
      /* An attribute that cannot be asked for is an ability that the device does not have. */
      const bool is_ability = symbol && strcmp(symbol, "cuDeviceGetAttribute") == 0;
      if (symbol && !is_ability && (result == PI_SUCCESS || !strstr(message, "failed")))
        fail_msg("%s: call %lu, %s, failed and nobody was told: %d, %s", scenarios[s].name, n,
                 symbol, (int)result, message);
      if (!symbol)
        must(result);
      clean_up(&p);
      if (live() != before)
        fail_msg("%s: after call %lu, %s, failed something is left", scenarios[s].name, n,
                 symbol ? symbol : "none");
    }
    works(s);
  }
}

static void each_allocation(void **state) {
  (void)state;
  for (size_t s = 0; s < SCENARIO_COUNT; s++) {
    works(s);
    const size_t before = live();
    bool failed = true;
    for (long n = 0; failed; n++) {
      place p = empty;
      memory_watch(n);
      const pi_result result = scenarios[s].run(&p);
      const memory_use tried = memory_unwatch();
      failed = tried.failed;
      if (failed)
        assert_int_equal(result, PI_ERROR_OUT_OF_HOST_MEMORY);
      else
        must(result);
      memory_watch(MEMORY_NEVER);
      clean_up(&p);
      const memory_use cleaned = memory_unwatch();
      if (tried.held + cleaned.held != 0 || live() != before)
        fail_msg("%s: after allocation %ld failed something is left", scenarios[s].name, n);
    }
  }
}

/* What could not be freed is still there and can be freed later; what is told to be freed is. */
static void frees(void **state) {
  (void)state;
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

/* What the driver does not destroy is still there to be destroyed. */
static void destructions(void **state) {
  (void)state;
  place p = empty;
  const int file = memfd_create("memory", 0);
  assert_int_equal(ftruncate(file, SIZE), 0);
  must(bindless(&p));
  must(piextMemImportOpaqueFD(w.context, w.device, SIZE, file, &p.import));
  must(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, eventfd(0, 0), &p.semaphore));
  must(piextUSMImport(page, sizeof page, w.context));
  p.is_imported = true;
  const pi_context c = w.context;
  const pi_device d = w.device;
#define STAYS(symbol, call)                                                                        \
  fake_cuda_fail(symbol, 1, CUDA_ERROR_INVALID_VALUE);                                             \
  fails(PI_ERROR_INVALID_VALUE, call)
  STAYS("cuSurfObjectDestroy", piextMemUnsampledImageHandleDestroy(c, d, p.surface));
  STAYS("cuTexObjectDestroy", piextMemSampledImageHandleDestroy(c, d, p.texture));
  STAYS("cuArrayDestroy", piextMemImageFree(c, d, p.images[0]));
  STAYS("cuMipmappedArrayDestroy", piextMemMipmapFree(c, d, p.images[1]));
  STAYS("cuDestroyExternalMemory", piextMemReleaseInterop(c, d, p.import));
  STAYS("cuDestroyExternalSemaphore", piextDestroyExternalSemaphore(c, d, p.semaphore));
  STAYS("cuMemHostUnregister", piextUSMRelease(page, c));
#undef STAYS
  assert_int_equal(registry_count(), 8);
  clean_up(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(each_driver_call),
      WORLD_TEST(each_allocation),
      WORLD_TEST(frees),
      WORLD_TEST(destructions),
  };
  return cmocka_run_group_tests_name("cuda.image-calls", tests, NULL, NULL);
}

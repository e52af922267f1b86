/* Several threads allocate, copy, describe and free images at the same time, in one context. */
#include "world.h"

#include "../../plugins/objects/registry.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6, ROUNDS = 40, SIZE = 1024 };

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};
static atomic_uint failures;
/* Image memory that all threads describe and copy from. */
static pi_image_mem_handle shared;
/* A mipmap whose levels all threads query, where the backend has mipmaps. */
static pi_image_mem_handle mipmap;

/* cmocka's own checks must not fail outside the main thread. */
static void works(pi_result result) {
  if (result != PI_SUCCESS)
    atomic_fetch_add(&failures, 1);
}

static void same(const void *want, const void *got, size_t size) {
  if (memcmp(want, got, size) != 0)
    atomic_fetch_add(&failures, 1);
}

static void usm(pi_queue queue, unsigned char seed) {
  unsigned char want[SIZE], got[SIZE] = {0};
  void *memory[3] = {NULL};
  memset(want, seed, SIZE);
  works(piextUSMHostAlloc(&memory[0], w.context, NULL, SIZE, 0));
  works(piextUSMDeviceAlloc(&memory[1], w.context, w.device, NULL, SIZE, 0));
  works(piextUSMSharedAlloc(&memory[2], w.context, w.device, NULL, SIZE, 0));
  pi_event set = NULL;
  works(piextUSMEnqueueMemset(queue, memory[0], seed, SIZE, 0, NULL, &set));
  works(piextUSMEnqueueMemcpy(queue, PI_TRUE, memory[1], memory[0], SIZE, 1, &set, NULL));
  works(piEventRelease(set));
  works(piextUSMEnqueueMemcpy(queue, PI_TRUE, memory[2], memory[1], SIZE, 0, NULL, NULL));
  works(piextUSMEnqueueMemcpy(queue, PI_TRUE, got, memory[2], SIZE, 0, NULL, NULL));
  same(want, got, SIZE);
  for (int i = 0; i < 3; i++)
    works(piextUSMFree(w.context, memory[i]));
}

static void images(pi_queue queue, uint32_t seed) {
  uint32_t want[32], got[32] = {0};
  const pi_image_desc desc = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 8, .image_height = 4};
  const size_t zero[3] = {0, 0, 0}, size[3] = {8, 4, 1};
  const uint32_t color[4] = {seed, 0, 0, 0};
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct whole = {8, 4, 1};
  pi_mem image = NULL;
  for (int i = 0; i < 32; i++)
    want[i] = seed;
  works(piMemImageCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, &format, &desc, NULL, &image));
  works(piEnqueueMemImageFill(queue, image, color, zero, size, 0, NULL, NULL));
  works(piEnqueueMemImageRead(queue, image, PI_TRUE, &origin, &whole, 0, 0, got, 0, NULL, NULL));
  same(want, got, sizeof got);
  works(piMemRelease(image));
}

static void samplers(void) {
  pi_sampler sampler = NULL;
  works(piSamplerCreate(w.context, NULL, &sampler));
  works(piSamplerRelease(sampler));
}

static void bindless(pi_queue queue, unsigned round) {
  pi_image_desc desc = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 8, .image_height = 4, .num_mip_levels = 1};
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct whole = {8, 4, 1};
  pi_image_mem_handle memory = NULL;
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  size_t width = 0;
  works(piextMemImageAllocate(w.context, w.device, &format, &desc, &memory));
  works(piextMemUnsampledImageCreate(w.context, w.device, memory, &format, &desc, &mem, &handle));
  works(piextMemImageGetInfo(round % 2 ? memory : shared, PI_IMAGE_INFO_WIDTH, &width, NULL));
  if (width != 8)
    atomic_fetch_add(&failures, 1);
  works(piextMemImageCopy(queue, memory, shared, &format, &desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE,
                          &origin, &origin, &whole, &whole, 0, NULL, NULL));
  if (backend.mipmaps) {
    pi_image_mem_handle level = NULL;
    works(piextMemMipmapGetLevel(w.context, w.device, mipmap, round % 3, &level));
    works(piextMemImageGetInfo(level, PI_IMAGE_INFO_WIDTH, &width, NULL));
    if (width != (size_t)8 >> round % 3)
      atomic_fetch_add(&failures, 1);
  }
  works(piextMemUnsampledImageHandleDestroy(w.context, w.device, handle));
  works(piextMemImageFree(w.context, w.device, memory));
  works(piMemRelease(mem));
}

static void *work(void *argument) {
  const unsigned number = *(const unsigned *)argument;
  pi_queue queue = NULL;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, number % 2 ? OUT_OF_ORDER : IN_ORDER, 0};
  works(piextQueueCreate(w.context, w.device, list, &queue));
  for (unsigned round = 0; round < ROUNDS; round++) {
    usm(queue, (unsigned char)(number * ROUNDS + round));
    images(w.queue, number * ROUNDS + round);
    samplers();
    bindless(queue, round);
  }
  works(piQueueRelease(queue));
  return NULL;
}

WORLD_TEST(threads_use_images_at_once) {
  pi_image_desc desc = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 8, .image_height = 4, .num_mip_levels = 1};
  pthread_t threads[THREADS];
  unsigned numbers[THREADS];
  must(piextMemImageAllocate(w.context, w.device, &format, &desc, &shared));
  if (backend.mipmaps) {
    desc.num_mip_levels = 3;
    must(piextMemImageAllocate(w.context, w.device, &format, &desc, &mipmap));
  }
  for (unsigned i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  must(piextMemImageFree(w.context, w.device, shared));
  if (backend.mipmaps)
    must(piextMemMipmapFree(w.context, w.device, mipmap));
  assert_int_equal(atomic_load(&failures), 0);
  assert_int_equal(registry_count(), 0);
  must(piQueueFinish(w.queue));
}

/* Unified shared memory. */
#include "launch_world.h"

enum { SIZE = 4096 };

TEST(allocates_every_kind) {
  for (unsigned kind = 0; kind < SPECPI_MEMORY_KIND_COUNT; kind++)
    for (size_t alignment = 0; alignment <= 4096; alignment = alignment ? alignment * 8 : 8) {
      void *pointer = NULL;
      WORKS(specpiMemoryAllocate(world_device(), (specpi_memory_kind)kind, SIZE, alignment,
                                 &pointer));
      assert_non_null(pointer);
      specpi_memory_kind found = SPECPI_MEMORY_KIND_COUNT;
      WORKS(specpiMemoryGetKind(world_device(), (char *)pointer + SIZE - 1, &found));
      assert_int_equal(found, kind);
      if (alignment)
        assert_int_equal((uintptr_t)pointer % alignment, 0);
      WORKS(specpiMemoryFree(world_device(), pointer));
    }
}

TEST(fills_and_copies) {
  specpi_queue queue = world_queue(SPECPI_QUEUE_OUT_OF_ORDER);
  void *device;
  void *host;
  unsigned char plain[SIZE] = {0};
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_DEVICE, SIZE, 0, &device));
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_HOST, SIZE, 0, &host));
  specpi_event events[2];
  WORKS(specpiMemoryFill(queue, device, 0xab, SIZE, 0, NULL, &events[0]));
  WORKS(specpiMemoryCopy(queue, host, device, SIZE, 1, &events[0], &events[1]));
  WORKS(specpiMemoryCopy(queue, plain, host, SIZE, 1, &events[1], NULL));
  for (size_t i = 0; i < SIZE; i++)
    assert_int_equal(plain[i], 0xab);
  specpiEventRelease(events[0]);
  specpiEventRelease(events[1]);
  WORKS(specpiMemoryFree(world_device(), device));
  WORKS(specpiMemoryFree(world_device(), host));
  specpiQueueRelease(queue);
}

/* A kernel writes to memory that it reaches only through a pointer in other memory. */
TEST(kernels_use_it) {
  specpi_queue queue = world_queue(0);
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "indirect");
  void *behind;
  void *pointers;
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_SHARED, 64, 0, &behind));
  WORKS(specpiMemoryAllocate(world_device(), SPECPI_MEMORY_SHARED, sizeof behind, 0, &pointers));
  memcpy(pointers, &behind, sizeof behind);
  const specpi_range range = {.dimensions = 1, .global = {16}};
  const specpi_argument argument = specpiArgumentPointer(pointers);
  WORKS(specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL));
  WORKS(specpiQueueFinish(queue));
  for (int i = 0; i < 16; i++)
    assert_int_equal(((int *)behind)[i], i + 5);
  WORKS(specpiMemoryFree(world_device(), behind));
  WORKS(specpiMemoryFree(world_device(), pointers));
  specpiKernelRelease(kernel);
  specpiQueueRelease(queue);
}

TEST(the_hosts_own_memory_is_of_no_kind) {
  static const char own[64];
  specpi_memory_kind found = SPECPI_MEMORY_HOST;
  WORKS(specpiMemoryGetKind(world_device(), own, &found));
  assert_int_equal(found, SPECPI_MEMORY_KIND_COUNT);
}

TEST(refuses) {
  specpi_device device = world_device();
  specpi_queue queue = world_queue(0);
  void *pointer = NULL;
  REFUSES(specpiMemoryAllocate(NULL, SPECPI_MEMORY_HOST, 1, 0, &pointer), "device is NULL");
  REFUSES(specpiMemoryAllocate(device, SPECPI_MEMORY_KIND_COUNT, 1, 0, &pointer),
          "3 is not a kind of memory");
  REFUSES(specpiMemoryAllocate(device, (specpi_memory_kind)-1, 1, 0, &pointer), "not a kind");
  REFUSES(specpiMemoryAllocate(device, SPECPI_MEMORY_HOST, 0, 0, &pointer), "size is 0");
  REFUSES(specpiMemoryAllocate(device, SPECPI_MEMORY_HOST, 1, 3, &pointer), "alignment is 3");
  REFUSES(specpiMemoryAllocate(device, SPECPI_MEMORY_HOST, 1, (size_t)1 << 40, &pointer),
          "alignment is 1099511627776");
  REFUSES(specpiMemoryAllocate(device, SPECPI_MEMORY_HOST, 1, 0, NULL), "pointer is NULL");
  FAILS(specpiMemoryAllocate(device, SPECPI_MEMORY_DEVICE, SIZE_MAX / 2, 0, &pointer),
        SPECPI_ERROR_DRIVER, "bytes of device memory on ");
  assert_null(pointer);
  REFUSES(specpiMemoryFree(NULL, &pointer), "device is NULL");
  WORKS(specpiMemoryFree(device, NULL));
  specpi_memory_kind kind = SPECPI_MEMORY_SHARED;
  REFUSES(specpiMemoryGetKind(NULL, &kind, &kind), "device is NULL");
  REFUSES(specpiMemoryGetKind(device, NULL, &kind), "pointer is NULL");
  REFUSES(specpiMemoryGetKind(device, &kind, NULL), "kind is NULL");
  assert_int_equal(kind, SPECPI_MEMORY_SHARED);

  char bytes[8] = {0};
  specpi_event event = NULL;
  REFUSES(specpiMemoryCopy(NULL, bytes, bytes + 4, 4, 0, NULL, &event), "queue is NULL");
  REFUSES(specpiMemoryCopy(queue, NULL, bytes, 4, 0, NULL, &event), "destination is NULL");
  REFUSES(specpiMemoryCopy(queue, bytes, NULL, 4, 0, NULL, &event), "source is NULL");
  REFUSES(specpiMemoryCopy(queue, bytes, bytes + 4, 0, 0, NULL, &event), "size is 0");
  REFUSES(specpiMemoryCopy(queue, bytes, bytes + 4, 5, 0, NULL, &event), "overlap");
  REFUSES(specpiMemoryCopy(queue, bytes + 4, bytes, 5, 0, NULL, &event), "overlap");
  REFUSES(specpiMemoryCopy(queue, bytes + 4, bytes, SIZE_MAX, 0, NULL, &event), "address space");
  REFUSES(specpiMemoryCopy(queue, bytes, bytes + 4, 4, 1, NULL, &event), "waits is NULL");
  REFUSES(specpiMemoryFill(NULL, bytes, 0, 4, 0, NULL, &event), "queue is NULL");
  REFUSES(specpiMemoryFill(queue, NULL, 0, 4, 0, NULL, &event), "pointer is NULL");
  REFUSES(specpiMemoryFill(queue, bytes, 0, 0, 0, NULL, &event), "size is 0");
  REFUSES(specpiMemoryFill(queue, bytes, 0, SIZE_MAX, 0, NULL, &event), "address space");
  assert_null(event);
  specpiQueueRelease(queue);
}

int main(void) {
  return tests_run(NULL, world_end);
}

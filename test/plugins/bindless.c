/* Bindless images: memory, handles, copies, and refused numbers. */
#include "bindless.h"

#include "../../plugins/objects/registry.h"

static pi_event const untouched = (pi_event)(void *)&w;

pi_image_format r32 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};

pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth) {
  return (pi_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = type == PI_MEM_TYPE_IMAGE3D ? depth : 0,
                         .image_array_size = depth,
                         .num_mip_levels = 1};
}

pi_image_mem_handle new_memory(pi_image_desc *desc) {
  pi_image_mem_handle memory = NULL;
  must(piextMemImageAllocate(w.context, w.device, &r32, desc, &memory));
  assert_non_null(memory);
  return memory;
}

void free_memory(pi_image_mem_handle memory) {
  must(piextMemImageFree(w.context, w.device, memory));
}

void number(uint32_t *pixels, size_t count, uint32_t seed) {
  for (size_t i = 0; i < count; i++)
    pixels[i] = seed + (uint32_t)i;
}

/* --- memory */

WORLD_TEST(memory_answers_queries) {
  pi_image_format bgra = {PI_IMAGE_CHANNEL_ORDER_BGRA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D_ARRAY, 8, 4, 3);
  pi_image_mem_handle memory = NULL;
  must(piextMemImageAllocate(w.context, w.device, &bgra, &desc, &memory));
  static const struct {
    pi_image_info query;
    size_t answer;
  } sizes[] = {
      {PI_IMAGE_INFO_WIDTH, 8},        {PI_IMAGE_INFO_HEIGHT, 4},     {PI_IMAGE_INFO_DEPTH, 3},
      {PI_IMAGE_INFO_ELEMENT_SIZE, 4}, {PI_IMAGE_INFO_ROW_PITCH, 32},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t got = 99, size = 0;
    must(piextMemImageGetInfo(memory, sizes[i].query, &got, &size));
    assert_int_equal(got, sizes[i].answer);
    assert_int_equal(size, sizeof got);
  }
  pi_image_format format = {0, 0};
  must(piextMemImageGetInfo(memory, PI_IMAGE_INFO_FORMAT, &format, NULL));
  assert_memory_equal(&format, &bgra, sizeof format);
  size_t got = 99;
  fails(PI_ERROR_INVALID_VALUE, piextMemImageGetInfo(memory, (pi_image_info)0x7777, &got, NULL));
  fails(PI_ERROR_INVALID_VALUE, piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, NULL, NULL));
  free_memory(memory);
  fails(PI_ERROR_INVALID_VALUE, piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, &got, NULL));
  assert_int_equal(got, 99);
}

WORLD_TEST(memory_is_checked) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_image_desc empty = describe(PI_MEM_TYPE_IMAGE2D, 0, 4, 0);
  pi_image_desc huge = describe(PI_MEM_TYPE_IMAGE2D, SIZE_MAX, SIZE_MAX, 0);
  pi_image_format odd = {PI_IMAGE_CHANNEL_ORDER_RGB, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_mem_handle memory = &w;
  const pi_context c = w.context;
  const pi_device d = w.device;
  const unsigned long before = driver_calls(backend.call.create_image);
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, piextMemImageAllocate(c, d, &r32, &empty, &memory));
  fails(PI_ERROR_INVALID_IMAGE_SIZE, piextMemImageAllocate(c, d, &r32, &huge, &memory));
  fails(PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, piextMemImageAllocate(c, d, &odd, &desc, &memory));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, piextMemImageAllocate(c, d, &r32, NULL, &memory));
  fails(PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        piextMemImageAllocate(c, d, NULL, &desc, &memory));
  fails(PI_ERROR_INVALID_VALUE, piextMemImageAllocate(c, d, &r32, &desc, NULL));
  fails(PI_ERROR_INVALID_DEVICE, piextMemImageAllocate(c, NULL, &r32, &desc, &memory));
  desc.num_mip_levels = backend.mipmaps ? 5 : 2; /* there are 4 at most */
  fails(backend.mipmaps ? PI_ERROR_INVALID_IMAGE_DESCRIPTOR : PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemImageAllocate(c, d, &r32, &desc, &memory));
  assert_ptr_equal(memory, &w);
  assert_int_equal(driver_calls(backend.call.create_image), before);
}

/* Numbers that PI never returned, of another kind, or of a destroyed object. */
WORLD_TEST(wrong_numbers_are_refused) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_image_mem_handle memory = new_memory(&desc);
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_result bad = PI_ERROR_INVALID_VALUE;
  const pi_result no_mipmap = backend.mipmaps ? bad : PI_ERROR_UNSUPPORTED_FEATURE;
  pi_image_mem_handle level = &w;
  pi_image_handle handle = 99, made = 0;
  pi_mem mem = (pi_mem)(void *)&w, object = NULL;
  static uint32_t mine[64];
  const pi_image_mem_handle wrong[] = {NULL, mine, (void *)(uintptr_t)-16, &handle};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    fails(bad, piextMemImageFree(c, d, wrong[i]));
    fails(no_mipmap, piextMemMipmapFree(c, d, wrong[i]));
    fails(no_mipmap, piextMemMipmapGetLevel(c, d, wrong[i], 0, &level));
    fails(bad, piextMemImageGetInfo(wrong[i], PI_IMAGE_INFO_WIDTH, mine, NULL));
    assert_int_not_equal(piextMemUnsampledImageCreate(c, d, wrong[i], &r32, &desc, &mem, &handle),
                         PI_SUCCESS);
  }
  must(piextMemUnsampledImageCreate(c, d, memory, &r32, &desc, &object, &made));
  fails(bad, piextMemSampledImageHandleDestroy(c, d, made));
  fails(bad, piextMemUnsampledImageHandleDestroy(c, d, made + 1000));
  fails(bad, piextMemUnsampledImageHandleDestroy(c, d, 0));
  fails(bad, piextMemImageFree(c, d, (pi_image_mem_handle)(uintptr_t)made));
  fails(PI_ERROR_INVALID_CONTEXT, piextMemUnsampledImageHandleDestroy(NULL, d, made));
  must(piextMemUnsampledImageHandleDestroy(c, d, made));
  fails(bad, piextMemUnsampledImageHandleDestroy(c, d, made));
  must(piMemRelease(object));
  fails(no_mipmap, piextMemMipmapFree(c, d, memory));
  fails(no_mipmap, piextMemMipmapGetLevel(c, d, memory, 0, &level));
  free_memory(memory);
  fails(bad, piextMemImageFree(c, d, memory));
  assert_ptr_equal(level, &w);
  assert_int_equal(handle, 99);
  assert_ptr_equal(mem, &w);
  assert_int_equal(registry_count(), 0);
}

/* The description of a handle is an object of its own, and outlives it. */
WORLD_TEST(a_description_outlives_its_handle) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_image_mem_handle memory = new_memory(&desc);
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  size_t width = 0;
  must(piextMemUnsampledImageCreate(w.context, w.device, memory, &r32, &desc, &mem, &handle));
  assert_int_not_equal(handle, 0);
  must(piextMemUnsampledImageHandleDestroy(w.context, w.device, handle));
  free_memory(memory);
  must(piMemImageGetInfo(mem, PI_IMAGE_INFO_WIDTH, sizeof width, &width, NULL));
  assert_int_equal(width, 8);
  pi_native_handle native = 0;
  fails(PI_ERROR_INVALID_MEM_OBJECT, piextMemGetNativeHandle(mem, w.device, &native));
  const size_t zero[3] = {0}, one[3] = {1, 1, 1};
  const uint32_t color[4] = {0};
  fails(PI_ERROR_INVALID_MEM_OBJECT,
        piEnqueueMemImageFill(w.queue, mem, color, zero, one, 0, NULL, NULL));
  must(piMemRelease(mem));
}

WORLD_TEST(handles_are_checked) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_image_desc flat = describe(PI_MEM_TYPE_IMAGE1D, 8, 0, 0);
  pi_image_format r16 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16};
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_image_mem_handle memory = new_memory(&desc);
  const pi_sampler_properties linear[] = {PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                          PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  pi_sampler sampler = NULL;
  must(piSamplerCreate(c, linear, &sampler));
  pi_image_handle handle = 99;
  pi_mem mem = (pi_mem)(void *)&w;
  fails(PI_ERROR_IMAGE_FORMAT_MISMATCH,
        piextMemUnsampledImageCreate(c, d, memory, &r16, &desc, &mem, &handle));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        piextMemUnsampledImageCreate(c, d, memory, &r32, &flat, &mem, &handle));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemUnsampledImageCreate(c, d, memory, &r32, &desc, NULL, &handle));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemUnsampledImageCreate(c, d, memory, &r32, &desc, &mem, NULL));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, memory, &r32, &desc, sampler, &mem, &handle));
  fails(PI_ERROR_INVALID_SAMPLER,
        piextMemSampledImageCreate(c, d, memory, &r32, &desc, NULL, &mem, &handle));
  free_memory(memory);
  assert_int_equal(handle, 99);
  assert_ptr_equal(mem, &w);
  must(piSamplerRelease(sampler));
}

WORLD_TEST(a_pitch_fits_rows_and_elements) {
  for (unsigned element = 1; element <= 32; element *= 2) {
    void *memory = NULL;
    size_t pitch = 0;
    must(piextUSMPitchedAlloc(&memory, &pitch, w.context, w.device, NULL, 100, 5, element));
    assert_true(pitch >= 100 && pitch % element == 0);
    must(piextUSMEnqueueMemset2D(w.queue, memory, pitch, 7, 100, 5, 0, NULL, NULL));
    must(piextUSMFree(w.context, memory));
  }
  void *memory = &w;
  size_t pitch = 99;
  const pi_context c = w.context;
  const pi_device d = w.device;
  fails(PI_ERROR_INVALID_BUFFER_SIZE, piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, 0, 5, 4));
  fails(PI_ERROR_INVALID_BUFFER_SIZE, piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, 5, 0, 4));
  fails(PI_ERROR_INVALID_VALUE, piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, 5, 5, 0));
  fails(PI_ERROR_INVALID_VALUE, piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, 5, 5, 12));
  fails(PI_ERROR_INVALID_BUFFER_SIZE,
        piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, SIZE_MAX / 2, 3, 4));
  fails(PI_ERROR_INVALID_VALUE, piextUSMPitchedAlloc(&memory, NULL, c, d, NULL, 5, 5, 4));
  fails(PI_ERROR_INVALID_VALUE, piextUSMPitchedAlloc(NULL, &pitch, c, d, NULL, 5, 5, 4));
  assert_ptr_equal(memory, &w);
  assert_int_equal(pitch, 99);
}

/* Devices report all these abilities. */
WORLD_TEST(devices_report_their_abilities) {
  static const pi_device_info queries[] = {
      PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT,
      PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT,
      PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT,
      PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT,
      PI_EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT,
  };
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    pi_bool answer = PI_FALSE;
    must(piDeviceGetInfo(w.device, queries[i], sizeof answer, &answer, NULL));
    assert_int_equal(answer, PI_TRUE);
  }
  pi_uint32 width = 0;
  must(piDeviceGetInfo(w.device, PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, sizeof width,
                       &width, NULL));
  assert_true(width >= 4096);
}

/* --- copies */

typedef struct shape {
  pi_mem_type type;
  size_t size[3]; /* layers of any array are the third one */
} shape;

static const shape shapes[] = {
    {PI_MEM_TYPE_IMAGE1D, {29, 1, 1}},      {PI_MEM_TYPE_IMAGE2D, {9, 7, 1}},
    {PI_MEM_TYPE_IMAGE3D, {6, 5, 4}},       {PI_MEM_TYPE_IMAGE1D_ARRAY, {9, 1, 6}},
    {PI_MEM_TYPE_IMAGE2D_ARRAY, {7, 5, 3}}, {PI_MEM_TYPE_IMAGE_CUBEMAP, {4, 4, 6}},
};

/* Cube maps are last. */
static size_t shape_count(void) {
  return sizeof shapes / sizeof shapes[0] - !backend.cube_maps;
}

enum { PIXELS = 256 };

static pi_result try_copy(const pi_image_desc *desc, pi_image_copy_flags flags, void *to,
                          const size_t to_offset[3], void *from, const size_t from_offset[3],
                          const size_t copied[3], const size_t host[3]) {
  struct pi_image_offset_struct src = {from_offset[0], from_offset[1], from_offset[2]};
  struct pi_image_offset_struct dst = {to_offset[0], to_offset[1], to_offset[2]};
  struct pi_image_region_struct size = {copied[0], copied[1], copied[2]};
  struct pi_image_region_struct whole = {host[0], host[1], host[2]};
  pi_event event = untouched;
  const pi_result result = piextMemImageCopy(w.queue, to, from, &r32, desc, flags, &src, &dst,
                                             &size, &whole, 0, NULL, &event);
  if (result == PI_SUCCESS) {
    must(piEventsWait(1, &event));
    must(piEventRelease(event));
  } else {
    assert_ptr_equal(event, untouched);
  }
  return result;
}

/*
 * Copies a host image with a border on each side that it has into the middle of memory, and back.
 */
WORLD_TEST(parts_are_copied_every_way) {
  static const size_t zero[3] = {0, 0, 0};
  for (size_t i = 0; i < shape_count(); i++) {
    const size_t *size = shapes[i].size;
    pi_image_desc desc = describe(shapes[i].type, size[0], size[1], size[2]);
    const pi_image_mem_handle memory = new_memory(&desc), second = new_memory(&desc);
    uint32_t want[PIXELS], got[PIXELS], host[PIXELS];
    size_t at[3], part[3];
    for (int k = 0; k < 3; k++) {
      at[k] = size[k] > 1;
      part[k] = size[k] - at[k];
    }
    number(host, PIXELS, 1000);
    number(want, PIXELS, 1);
    /* Copies all of it, then a part over it; the same through the other memory; and back. */
    must(try_copy(&desc, PI_IMAGE_COPY_HOST_TO_DEVICE, memory, zero, want, zero, size, size));
    must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE, second, zero, memory, zero, size, zero));
    must(try_copy(&desc, PI_IMAGE_COPY_HOST_TO_DEVICE, memory, at, host, zero, part, size));
    must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE, second, zero, memory, at, part, zero));
    memset(got, 0, sizeof got);
    must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_HOST, got, at, second, zero, part, size));
    for (size_t z = 0; z < size[2]; z++)
      for (size_t y = 0; y < size[1]; y++)
        for (size_t x = 0; x < size[0]; x++) {
          const bool inside = x >= at[0] && y >= at[1] && z >= at[2];
          const size_t here = (z * size[1] + y) * size[0] + x;
          const size_t source = ((z - at[2]) * size[1] + y - at[1]) * size[0] + x - at[0];
          assert_int_equal(got[here], inside ? host[source] : 0);
        }
    /* Host sizes of 0 are the copied sizes; a depth of 0 is all layers. */
    memset(got, 0, sizeof got);
    size_t all[3] = {size[0], size[1], shapes[i].type == PI_MEM_TYPE_IMAGE3D ? size[2] : 0};
    must(try_copy(&desc, PI_IMAGE_COPY_HOST_TO_DEVICE, memory, zero, want, zero, all, zero));
    must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_HOST, got, zero, memory, zero, all, zero));
    assert_memory_equal(want, got, 4 * size[0] * size[1] * size[2]);
    free_memory(memory);
    free_memory(second);
  }
}

/* Copies between pitched USM and the host, and between USM and image memory. */
WORLD_TEST(plain_memory_is_copied_every_way) {
  static const size_t zero[3] = {0, 0, 0};
  static const size_t size[3] = {9, 7, 1}, at[3] = {2, 3, 0}, part[3] = {7, 4, 1};
  void *plain = NULL;
  size_t pitch = 0;
  must(piextUSMPitchedAlloc(&plain, &pitch, w.context, w.device, NULL, 36, 7, 4));
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 9, 7, 0);
  const pi_image_mem_handle memory = new_memory(&desc);
  desc.image_row_pitch = pitch;
  uint32_t want[63], got[63] = {0};
  number(want, 63, 5);
  must(try_copy(&desc, PI_IMAGE_COPY_HOST_TO_DEVICE, plain, zero, want, zero, size, size));
  must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE, memory, zero, plain, zero, size, zero));
  must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_HOST, got, zero, memory, zero, size, size));
  assert_memory_equal(want, got, sizeof want);
  must(try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_HOST, got, zero, plain, at, part, zero));
  for (size_t y = 0; y < 4; y++)
    for (size_t x = 0; x < 7; x++)
      assert_int_equal(got[7 * y + x], want[9 * (y + 3) + x + 2]);
  desc.image_height = 8;
  fails(PI_ERROR_INVALID_VALUE,
        try_copy(&desc, PI_IMAGE_COPY_HOST_TO_DEVICE, plain, zero, want, zero, size, size));
  must(piextUSMFree(w.context, plain));
  free_memory(memory);
}

WORLD_TEST(copies_are_checked) {
  static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 0, 0}, size[3] = {9, 7, 1};
  static const size_t nothing[3] = {0, 7, 1}, large[3] = {SIZE_MAX, SIZE_MAX, 1};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 9, 7, 0);
  pi_image_desc other = describe(PI_MEM_TYPE_IMAGE2D_ARRAY, 9, 7, 1);
  const pi_image_mem_handle m = new_memory(&desc);
  uint32_t host[63] = {0};
  const pi_result bad = PI_ERROR_INVALID_VALUE;
  const pi_image_copy_flags in = PI_IMAGE_COPY_HOST_TO_DEVICE, out = PI_IMAGE_COPY_DEVICE_TO_HOST;
  fails(bad, try_copy(&desc, in, m, one, host, zero, size, size));
  fails(bad, try_copy(&desc, in, m, zero, host, one, size, size));
  fails(bad, try_copy(&desc, out, host, zero, m, one, size, size));
  fails(bad, try_copy(&desc, out, host, one, m, zero, size, size));
  fails(bad, try_copy(&desc, in, m, zero, host, zero, nothing, size));
  fails(bad, try_copy(&desc, in, m, zero, host, zero, large, large));
  fails(bad, try_copy(&desc, in, m, zero, host, zero, size, large));
  fails(bad, try_copy(&desc, in, m, large, host, zero, size, size));
  fails(bad, try_copy(&desc, in, host, zero, host, zero, size, size));
  fails(bad, try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE, m, zero, host, zero, size, size));
  fails(PI_ERROR_MEM_COPY_OVERLAP,
        try_copy(&desc, PI_IMAGE_COPY_DEVICE_TO_DEVICE, m, zero, m, zero, size, zero));
  fails(bad, try_copy(&desc, (pi_image_copy_flags)3, m, zero, host, zero, size, size));
  fails(bad, try_copy(&desc, in, NULL, zero, host, zero, size, size));
  fails(bad, try_copy(&desc, in, m, zero, NULL, zero, size, size));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, try_copy(&other, in, m, zero, host, zero, size, size));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, try_copy(NULL, in, m, zero, host, zero, size, size));
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct region = {9, 7, 1};
  pi_image_format r16 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16};
  fails(PI_ERROR_IMAGE_FORMAT_MISMATCH,
        piextMemImageCopy(w.queue, m, host, &r16, &desc, in, &origin, &origin, &region, &region, 0,
                          NULL, NULL));
  fails(bad, piextMemImageCopy(w.queue, m, host, &r32, &desc, in, NULL, &origin, &region, &region,
                               0, NULL, NULL));
  fails(bad, piextMemImageCopy(w.queue, m, host, &r32, &desc, in, &origin, &origin, &region, NULL,
                               0, NULL, NULL));
  free_memory(m);
}

/* Samplers, and images that are memory objects: creation, queries, copies. */
#include "run.h"

#include <string.h>

/* ---- Samplers ---- */

static const ur_sampler_desc_t plain = {.stype = UR_STRUCTURE_TYPE_SAMPLER_DESC,
                                        .normalizedCoords = true,
                                        .addressingMode = UR_SAMPLER_ADDRESSING_MODE_REPEAT,
                                        .filterMode = UR_SAMPLER_FILTER_MODE_LINEAR};

TEST(samplers_answer_queries) {
  ur_sampler_handle_t sampler = NULL;
  uint32_t number = 0;
  ur_bool_t truth[2] = {7, 7};
  size_t size = 0;
  assert_ok(UR(urSamplerCreate)(place.context, &plain, &sampler));
  assert_ok(UR(urSamplerRetain)(sampler));
  assert_answer(urSamplerGetInfo, sampler, UR_SAMPLER_INFO_REFERENCE_COUNT, uint32_t, 2);
  assert_ok(UR(urSamplerRelease)(sampler));
  assert_answer(urSamplerGetInfo, sampler, UR_SAMPLER_INFO_CONTEXT, void *, place.context);
  assert_ok(UR(urSamplerGetInfo)(sampler, UR_SAMPLER_INFO_NORMALIZED_COORDS, 1, truth, &size));
  assert_int_equal(truth[0], 1);
  assert_int_equal(truth[1], 7);
  assert_int_equal(size, 1);
  assert_answer(urSamplerGetInfo, sampler, UR_SAMPLER_INFO_ADDRESSING_MODE, uint32_t,
                UR_SAMPLER_ADDRESSING_MODE_REPEAT);
  assert_answer(urSamplerGetInfo, sampler, UR_SAMPLER_INFO_FILTER_MODE, uint32_t,
                UR_SAMPLER_FILTER_MODE_LINEAR);
  assert_refused(UR(urSamplerGetInfo)(sampler, (ur_sampler_info_t)9, 4, &number, NULL),
                 UNSUPPORTED_ENUMERATION, "0x9");
  assert_ok(UR(urSamplerRelease)(sampler));
}

TEST(wrong_samplers_are_refused) {
  ur_sampler_handle_t sampler = NULL;
  ur_sampler_desc_t desc = plain;
  assert_refused(UR(urSamplerCreate)(place.context, NULL, &sampler), INVALID_NULL_POINTER, "pDesc");
  assert_refused(UR(urSamplerCreate)(place.context, &desc, NULL), INVALID_NULL_POINTER,
                 "phSampler");
  desc.addressingMode = (ur_sampler_addressing_mode_t)5;
  assert_refused(UR(urSamplerCreate)(place.context, &desc, &sampler), INVALID_ENUMERATION, "0x5");
  desc = plain;
  desc.filterMode = (ur_sampler_filter_mode_t)2;
  assert_refused(UR(urSamplerCreate)(place.context, &desc, &sampler), INVALID_ENUMERATION, "0x2");
  ur_base_desc_t strange = {.stype = UR_STRUCTURE_TYPE_IMAGE_DESC};
  desc = plain;
  desc.pNext = &strange;
  assert_refused(UR(urSamplerCreate)(place.context, &desc, &sampler), INVALID_ENUMERATION,
                 "says nothing of a sampler");
  strange = (ur_base_desc_t){UR_STRUCTURE_TYPE_EXP_SAMPLER_ADDR_MODES, &strange};
  desc.pNext = &strange;
  assert_refused(UR(urSamplerCreate)(place.context, &desc, &sampler), INVALID_VALUE,
                 "more than 3 structures");
  assert_null(sampler);
}

/* ---- Images ---- */

static const ur_image_format_t format = {UR_IMAGE_CHANNEL_ORDER_RGBA,
                                         UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};
static const ur_image_desc_t square = {.stype = UR_STRUCTURE_TYPE_IMAGE_DESC,
                                       .type = UR_MEM_TYPE_IMAGE2D,
                                       .width = 4,
                                       .height = 4,
                                       .depth = 1};

TEST(images_are_created_and_copied) {
  ur_mem_handle_t from = NULL, to = NULL;
  uint32_t pixels[16], result[16] = {0};
  for (uint32_t i = 0; i < 16; i++)
    pixels[i] = 0x01020304 * i;
  assert_ok(UR(urMemImageCreate)(place.context,
                                 UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_ALLOC_COPY_HOST_POINTER,
                                 &format, &square, pixels, &from));
  assert_ok(
      UR(urMemImageCreate)(place.context, UR_MEM_FLAG_READ_WRITE, &format, &square, NULL, &to));
  size_t size = 0;
  ur_image_format_t given = {0};
  assert_ok(UR(urMemImageGetInfo)(from, UR_IMAGE_INFO_FORMAT, sizeof given, &given, NULL));
  assert_memory_equal(&given, &format, sizeof given);
  assert_answer(urMemImageGetInfo, from, UR_IMAGE_INFO_WIDTH, size_t, 4);
  assert_answer(urMemImageGetInfo, from, UR_IMAGE_INFO_ELEMENT_SIZE, size_t, 4);
  assert_answer(urMemImageGetInfo, from, UR_IMAGE_INFO_DEPTH, size_t, 0);
  assert_refused(UR(urMemImageGetInfo)(from, (ur_image_info_t)77, 8, &size, NULL),
                 UNSUPPORTED_ENUMERATION, "0x4d");
  const ur_rect_offset_t start = {0, 0, 0}, inside = {1, 1, 0};
  const ur_rect_region_t whole = {4, 4, 1}, part = {2, 2, 1};
  assert_ok(UR(urEnqueueMemImageCopy)(place.queue, from, to, start, start, whole, 0, NULL, NULL));
  const uint32_t patch[] = {11, 12, 13, 14};
  assert_ok(UR(urEnqueueMemImageWrite)(place.queue, to, true, inside, part, 8, 0,
                                       (void *)(uintptr_t)patch, 0, NULL, NULL));
  assert_ok(
      UR(urEnqueueMemImageRead)(place.queue, to, true, start, whole, 0, 0, result, 0, NULL, NULL));
  memcpy(&pixels[5], patch, 8);
  memcpy(&pixels[9], patch + 2, 8);
  assert_memory_equal(result, pixels, sizeof pixels);
  assert_refused(
      UR(urEnqueueMemImageRead)(place.queue, to, true, inside, whole, 0, 0, result, 0, NULL, NULL),
      INVALID_VALUE, "leaves the image");
  assert_refused(
      UR(urEnqueueMemImageRead)(place.queue, to, true, start, whole, 0, 0, NULL, 0, NULL, NULL),
      INVALID_NULL_POINTER, "pDst is NULL");
  assert_ok(UR(urMemRelease)(from));
  assert_ok(UR(urMemRelease)(to));
}

TEST(wrong_images_are_refused) {
  ur_mem_handle_t image = NULL;
  ur_image_format_t odd = format;
  ur_image_desc_t desc = square;
#define CREATE(flags, format, desc)                                                                \
  UR(urMemImageCreate)(place.context, flags, format, desc, NULL, &image)
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE, NULL, &square), INVALID_NULL_POINTER,
                 "pImageFormat");
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE, &format, NULL), INVALID_NULL_POINTER, "pImageDesc");
  assert_refused(CREATE(1u << 20, &format, &square), INVALID_ENUMERATION, "bits outside of");
  odd.channelOrder = (ur_image_channel_order_t)77;
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE, &odd, &square), INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 "0x4d");
  odd = format;
  odd.channelType = (ur_image_channel_type_t)77;
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE, &odd, &square), INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 "0x4d");
  desc.type = (ur_mem_type_t)77;
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE, &format, &desc), INVALID_IMAGE_FORMAT_DESCRIPTOR,
                 "0x4d");
  desc = square;
  desc.width = 0;
  assert_int_not_equal(CREATE(UR_MEM_FLAG_READ_WRITE, &format, &desc), UR_RESULT_SUCCESS);
  assert_refused(CREATE(UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_USE_HOST_POINTER, &format, &square),
                 INVALID_HOST_PTR, "host_ptr");
#undef CREATE
  assert_null(image);
  ur_mem_handle_t buffer = NULL;
  size_t size = 0;
  assert_ok(UR(urMemBufferCreate)(place.context, UR_MEM_FLAG_READ_WRITE, 16, NULL, &buffer));
  assert_refused(UR(urMemImageGetInfo)(buffer, UR_IMAGE_INFO_WIDTH, 8, &size, NULL),
                 INVALID_MEM_OBJECT, "is a buffer");
  assert_ok(UR(urMemRelease)(buffer));
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(run_open, run_close);
}

/* Samplers as kernel arguments and as texture descriptions, and refused properties. */
#include "../../plugins/cuda/sampler.h"
#include "../../plugins/cuda/context.h"
#include "../support/tests.h"

static struct pi_context_object context;

static int set_up(void **state) {
  (void)state;
  object_init(&context.handle, OBJECT_CONTEXT);
  return 0;
}

static pi_sampler create(const pi_sampler_properties *properties) {
  pi_sampler sampler = NULL;
  assert_int_equal(piSamplerCreate(&context, properties, &sampler), PI_SUCCESS);
  return sampler;
}

static void release(pi_sampler sampler) {
  assert_int_equal(piSamplerRelease(sampler), PI_SUCCESS);
  assert_int_equal(object_references(&context.handle), 1);
}

/* The bits of normalised coordinates, filter and mode. */
TEST(a_kernel_s_argument_has_the_properties) {
  for (unsigned normalized = 0; normalized < 2; normalized++)
    for (unsigned linear = 0; linear < 2; linear++)
      for (unsigned mode = 0; mode < 5; mode++) {
        const pi_sampler_properties properties[] = {
            PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
            normalized,
            PI_SAMPLER_PROPERTIES_FILTER_MODE,
            (pi_sampler_properties)PI_SAMPLER_FILTER_MODE_NEAREST + linear,
            PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
            (pi_sampler_properties)PI_SAMPLER_ADDRESSING_MODE_NONE + mode,
            PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE,
            PI_SAMPLER_FILTER_MODE_LINEAR,
            0};
        const pi_sampler sampler = create(properties);
        assert_int_equal(sampler->driver.properties, normalized | linear << 1 | mode << 2);
        release(sampler);
      }
  const pi_sampler plain = create(NULL);
  assert_int_equal(plain->driver.properties, 1 | 2 << 2);
  release(plain);
}

TEST(a_texture_has_the_properties) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              PI_SAMPLER_ADDRESSING_MODE_REPEAT,
                                              PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
                                              PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              PI_SAMPLER_ADDRESSING_MODE_CLAMP,
                                              PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                              PI_SAMPLER_FILTER_MODE_LINEAR,
                                              PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE,
                                              PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS,
                                              0};
  pi_sampler sampler = NULL;
  assert_int_equal(piextBindlessImageSamplerCreate(&context, properties, 0.5f, 3, 8, &sampler),
                   PI_SUCCESS);
  CUDA_TEXTURE_DESC desc = sampler_texture(sampler, true, true, true);
  assert_int_equal(desc.addressMode[0], CU_TR_ADDRESS_MODE_WRAP);
  assert_int_equal(desc.addressMode[1], CU_TR_ADDRESS_MODE_MIRROR);
  assert_int_equal(desc.addressMode[2], CU_TR_ADDRESS_MODE_BORDER);
  assert_int_equal(desc.filterMode, CU_TR_FILTER_MODE_LINEAR);
  assert_int_equal(desc.mipmapFilterMode, CU_TR_FILTER_MODE_POINT);
  assert_int_equal(desc.maxAnisotropy, 8);
  assert_true(desc.minMipmapLevelClamp == 0.5f && desc.maxMipmapLevelClamp == 3);
  assert_int_equal(desc.flags, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER |
                                   CU_TRSF_SEAMLESS_CUBEMAP);
  desc = sampler_texture(sampler, false, false, false);
  assert_int_equal(desc.addressMode[1], 0);
  assert_int_equal(desc.addressMode[2], 0);
  assert_int_equal(desc.flags, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SEAMLESS_CUBEMAP);
  release(sampler);
}

/* One mode applies to all axes. */
TEST(one_mode_applies_to_all_axes) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, 0};
  pi_sampler sampler = NULL;
  assert_int_equal(piextBindlessImageSamplerCreate(&context, properties, 0, 0, 0, &sampler),
                   PI_SUCCESS);
  const CUDA_TEXTURE_DESC desc = sampler_texture(sampler, true, true, false);
  for (int i = 0; i < 3; i++)
    assert_int_equal(desc.addressMode[i], CU_TR_ADDRESS_MODE_CLAMP);
  release(sampler);
}

TEST(wrong_properties_are_refused) {
  static const pi_sampler_properties lists[][11] = {
      {0x7777, 1, 0},
      {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 2, 0},
      {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_NONE - 1, 0},
      {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT + 1, 0},
      {PI_SAMPLER_PROPERTIES_FILTER_MODE, 0, 0},
      {PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE, 0x1142, 0},
      {PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE, 0x1141, 0},
      {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0},
      {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130, PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130,
       PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130, PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130,
       0},
  };
  const pi_sampler untouched = (pi_sampler)&context;
  pi_sampler sampler = untouched;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    assert_int_equal(piextBindlessImageSamplerCreate(&context, lists[i], 0, 1, 1, &sampler),
                     PI_ERROR_INVALID_VALUE);
  /* Only bindless samplers take two modes. */
  assert_int_equal(piSamplerCreate(&context,
                                   (const pi_sampler_properties[]){
                                       PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130,
                                       PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0x1130, 0},
                                   &sampler),
                   PI_ERROR_INVALID_VALUE);
  static const float ranges[][3] = {{1, 0, 1},
                                    {0, 1, -1},
                                    {0, 1, 17},
                                    {0, __builtin_nanf(""), 1},
                                    {-__builtin_inff(), 0, 0},
                                    {0, 0, __builtin_nanf("")}};
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    assert_int_equal(piextBindlessImageSamplerCreate(&context, NULL, ranges[i][0], ranges[i][1],
                                                     ranges[i][2], &sampler),
                     PI_ERROR_INVALID_VALUE);
  assert_ptr_equal(sampler, untouched);
  assert_int_equal(object_references(&context.handle), 1);
}

int main(void) {
  return tests_run(set_up, NULL);
}

/* Samplers over the fake driver: one for each root device, and properties that Level Zero lacks. */
#include "world.h"

#include "../../plugins/level_zero/sampler.h"

WORLD_TEST(every_property_is_translated) {
  static const struct {
    pi_sampler_addressing_mode mode;
    ze_sampler_address_mode_t want;
  } modes[] = {
      {PI_SAMPLER_ADDRESSING_MODE_NONE, ZE_SAMPLER_ADDRESS_MODE_NONE},
      {PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, ZE_SAMPLER_ADDRESS_MODE_CLAMP},
      {PI_SAMPLER_ADDRESSING_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER},
      {PI_SAMPLER_ADDRESSING_MODE_REPEAT, ZE_SAMPLER_ADDRESS_MODE_REPEAT},
      {PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, ZE_SAMPLER_ADDRESS_MODE_MIRROR},
  };
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
    for (unsigned linear = 0; linear < 2; linear++) {
      const pi_sampler_properties properties[] = {
          PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
          1,
          PI_SAMPLER_PROPERTIES_FILTER_MODE,
          (pi_sampler_properties)PI_SAMPLER_FILTER_MODE_NEAREST + linear,
          PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
          (pi_sampler_properties)modes[i].mode,
          0};
      sampler_state read;
      ze_sampler_desc_t desc;
      must(sampler_state_read(properties, &read));
      must(sampler_describe(&read, &desc));
      assert_int_equal(desc.addressMode, modes[i].want);
      assert_int_equal(desc.filterMode,
                       linear ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST);
      assert_true(desc.isNormalized);
      pi_sampler sampler = NULL;
      must(piSamplerCreate(w.context, properties, &sampler));
      pi_uint32 mode = 0;
      must(piSamplerGetInfo(sampler, PI_SAMPLER_INFO_ADDRESSING_MODE, sizeof mode, &mode, NULL));
      assert_int_equal(mode, modes[i].mode);
      must(piSamplerRelease(sampler));
    }
}

WORLD_TEST(each_device_has_a_sampler) {
  const pi_context context = context_of_all();
  pi_sampler sampler = NULL;
  pi_uint32 count = 0;
  must(piSamplerCreate(context, NULL, &sampler));
  assert_int_equal(fake_ze_live(FAKE_SAMPLER), 2);
  must(piSamplerRetain(sampler));
  must(piSamplerGetInfo(sampler, PI_SAMPLER_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  assert_int_equal(count, 2);
  must(piSamplerRelease(sampler));
  must(piSamplerRelease(sampler));
  assert_int_equal(fake_ze_live(FAKE_SAMPLER), 0);
  /* The second of two fails. */
  sampler = (pi_sampler)(void *)&w;
  fake_ze_fail("zeSamplerCreate", 2, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES, piSamplerCreate(context, NULL, &sampler));
  assert_ptr_equal(sampler, &w);
  assert_int_equal(fake_ze_live(FAKE_SAMPLER), 0);
  must(piContextRelease(context));
}

/* Properties of CUDA's textures that Level Zero's samplers lack. */
WORLD_TEST(properties_of_textures_are_refused) {
  static const pi_sampler_properties modes[] = {
      PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_REPEAT,
      PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_CLAMP, 0};
  static const pi_sampler_properties levels[] = {PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE,
                                                 PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  static const pi_sampler_properties cubes[] = {PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE,
                                                PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS, 0};
  const pi_result no = PI_ERROR_UNSUPPORTED_FEATURE;
  pi_sampler sampler = (pi_sampler)(void *)&w;
  const pi_context c = w.context;
  fails(no, piextBindlessImageSamplerCreate(c, modes, 0, 0, 0, &sampler));
  fails(no, piextBindlessImageSamplerCreate(c, levels, 0, 0, 0, &sampler));
  fails(no, piextBindlessImageSamplerCreate(c, cubes, 0, 0, 0, &sampler));
  fails(no, piextBindlessImageSamplerCreate(c, NULL, 1, 2, 0, &sampler));
  fails(no, piextBindlessImageSamplerCreate(c, NULL, 0, 2, 8, &sampler));
  fails(no, piSamplerCreate(c, levels, &sampler));
  fails(PI_ERROR_INVALID_VALUE, piextBindlessImageSamplerCreate(c, NULL, 2, 1, 0, &sampler));
  fails(PI_ERROR_INVALID_VALUE, piextBindlessImageSamplerCreate(c, NULL, 0, 1, 17, &sampler));
  assert_ptr_equal(sampler, &w);
  const unsigned long before = fake_ze_calls("zeSamplerCreate");
  must(piextBindlessImageSamplerCreate(c, NULL, 0, 0, 0, &sampler));
  assert_int_equal(fake_ze_calls("zeSamplerCreate"), before); /* it is a part of the images */
  must(piSamplerRelease(sampler));
}

WORLD_TEST(other_memory_is_no_sampler) {
  fails(PI_ERROR_INVALID_SAMPLER, piSamplerRelease((pi_sampler)(void *)&w));
}

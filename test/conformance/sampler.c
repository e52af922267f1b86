/* Samplers. */
#include "fixture.h"

INFO_CALL(sampler_info, pi_sampler, pi_sampler_info, piSamplerGetInfo)

static pi_sampler create(pi_sampler_addressing_mode addressing, pi_sampler_filter_mode filter,
                         bool normalized) {
  pi_bool images = PI_FALSE;
  device_answer(PI_DEVICE_INFO_IMAGE_SUPPORT, sizeof images, &images);
  if (!images)
    skip_test("the device has no images");
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                              normalized,
                                              PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              (pi_sampler_properties)addressing,
                                              PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                              (pi_sampler_properties)filter,
                                              0};
  pi_sampler sampler = NULL;
  expect_success(pi.piSamplerCreate(the_context(), properties, &sampler));
  return sampler;
}

static pi_sampler plain(void) {
  return create(PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_NEAREST, false);
}

/* Creates samplers of every mode, and queries them. */
TEST(sampler, create) {
  for (int addressing = PI_SAMPLER_ADDRESSING_MODE_NONE;
       addressing <= PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT; addressing++)
    for (int filter = PI_SAMPLER_FILTER_MODE_NEAREST; filter <= PI_SAMPLER_FILTER_MODE_LINEAR;
         filter++) {
      const pi_sampler sampler =
          create((pi_sampler_addressing_mode)addressing, (pi_sampler_filter_mode)filter, true);
      pi_uint32 answer = 0;
      expect_success(pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_ADDRESSING_MODE, sizeof answer,
                                         &answer, NULL));
      expect_equal(addressing, answer);
      expect_success(
          pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_FILTER_MODE, sizeof answer, &answer, NULL));
      expect_equal(filter, answer);
      pi_bool normalized = PI_FALSE;
      expect_success(pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_NORMALIZED_COORDS,
                                         sizeof normalized, &normalized, NULL));
      expect_equal(PI_TRUE, normalized);
      expect_success(pi.piSamplerRelease(sampler));
    }
}

TEST(sampler, references) {
  const pi_sampler sampler = plain();
  pi_uint32 count = 0;
  expect_success(pi.piSamplerRetain(sampler));
  expect_success(
      pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  expect_equal(2, count);
  expect_success(pi.piSamplerRelease(sampler));
  expect_success(pi.piSamplerRelease(sampler));
}

TEST(sampler, create_refuses_null) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  pi_sampler sampler;
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, sampler,
                     pi.piSamplerCreate(NULL, properties, &sampler));
}

TEST(sampler, create_refuses_null_output) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  expect_error(PI_ERROR_INVALID_VALUE, pi.piSamplerCreate(the_context(), properties, NULL));
}

/* Properties that are not in the list have defaults, as all have without a list. */
TEST(sampler, create_defaults) {
  static const pi_sampler_properties none[] = {0};
  const pi_sampler_properties *const lists[] = {none, NULL};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    pi_sampler sampler = NULL;
    if (!is_supported(pi.piSamplerCreate(the_context(), lists[i], &sampler)))
      return;
    pi_uint32 answer = 0;
    expect_success(pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_ADDRESSING_MODE, sizeof answer,
                                       &answer, NULL));
    expect_equal(PI_SAMPLER_ADDRESSING_MODE_CLAMP, answer);
    expect_success(
        pi.piSamplerGetInfo(sampler, PI_SAMPLER_INFO_FILTER_MODE, sizeof answer, &answer, NULL));
    expect_equal(PI_SAMPLER_FILTER_MODE_NEAREST, answer);
    expect_success(pi.piSamplerRelease(sampler));
  }
}

TEST(sampler, create_refuses_property_twice) {
  const pi_sampler_properties twice[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                         1,
                                         PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                         PI_SAMPLER_FILTER_MODE_NEAREST,
                                         PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                         1,
                                         0};
  pi_sampler sampler;
  expect_refused_keeps(sampler, pi.piSamplerCreate(the_context(), twice, &sampler));
}

TEST(sampler, create_refuses_unknown_values) {
  static const pi_sampler_properties lists[][3] = {
      {0x9999, 1, 0},
      {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 2, 0},
      {PI_SAMPLER_PROPERTIES_FILTER_MODE, 0, 0},
      {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, 0, 0},
      {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT + 1, 0},
  };
  pi_sampler sampler;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    expect_refused_keeps(sampler, pi.piSamplerCreate(the_context(), lists[i], &sampler));
}

/* Makes a sampler for queries; the fixture releases it. */
static pi_sampler queried(void) {
  const pi_sampler sampler = plain();
  release_sampler_later(sampler);
  return sampler;
}

static bool optional_query(pi_uint32 query) {
  return query >= PI_SAMPLER_INFO_MIP_FILTER_MODE;
}

QUERY_TESTS(sampler, query, pi_sampler_info, sampler_info, queried(), optional_query,
            PI_ERROR_INVALID_SAMPLER)

TEST(sampler, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_SAMPLER, pi.piSamplerRetain(NULL));
  expect_error(PI_ERROR_INVALID_SAMPLER, pi.piSamplerRelease(NULL));
}

TEST(sampler, release_refuses_other_object) {
  expect_error(PI_ERROR_INVALID_SAMPLER, pi.piSamplerRelease((pi_sampler)(void *)the_context()));
}

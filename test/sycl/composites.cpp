/*
 * Constants of several leaves: a structure with padding inside and at its end, an array, and
 * constants after them in libsycl's buffer, at unaligned addresses.
 */
#include "support/harness.h"

#include "../support/embed.h"

SPECPI_EMBED(composites_module, "composites.spv")

using namespace specpi_test;

namespace {

/* The structures of kernels/composites.cl. */
struct filter {
  int8_t kind = 5;
  float gain = 1.5f;
  double taps[3] = {0.25, 0.5, 0.75};
  int16_t shift = -2;
};

struct point {
  int32_t x[3] = {10, 20, 30};
};

struct values {
  filter the_filter;
  point origin;
  int8_t odd = 3;
  int64_t last = 77;
};

const char *const kernel_name = "write_composites";

spec_constant filter_constant() {
  const uint32_t end = offsetof(filter, shift) + sizeof(int16_t);
  return {"filter",
          {{2, offsetof(filter, kind), sizeof(int8_t)},
           {3, offsetof(filter, gain), sizeof(float)},
           {4, offsetof(filter, taps), sizeof(double)},
           {5, offsetof(filter, taps) + 8, sizeof(double)},
           {6, offsetof(filter, taps) + 16, sizeof(double)},
           {7, offsetof(filter, shift), sizeof(int16_t)},
           {PI_SPEC_ID_PADDING, end, sizeof(filter) - end}},
          bytes_of(filter())};
}

void register_image() {
  register_device_library({{composites_module_begin,
                            composites_module_end,
                            {kernel_name},
                            {scalar_constant("odd", 1, int8_t(3)),
                             filter_constant(),
                             {"origin", {{8, 0, 4}, {9, 4, 4}, {10, 8, 4}}, bytes_of(point())},
                             scalar_constant("last", 11, int64_t(77))}}});
}

values run(const input_bundle &bundle) {
  const usm_array<values> out(the_session(), 1);
  bundle.build().kernel(kernel_name).run({out.data()}, {1, 1, 1});
  return out[0];
}

void check_filter(const filter &actual, const filter &expected) {
  check_equal(actual.kind, expected.kind, "filter.kind");
  check_equal(actual.gain, expected.gain, "filter.gain");
  for (size_t i = 0; i < 3; i++)
    check_equal(actual.taps[i], expected.taps[i], "filter.taps");
  check_equal(actual.shift, expected.shift, "filter.shift");
}

void check_values(const values &actual, const values &expected) {
  check_filter(actual.the_filter, expected.the_filter);
  for (size_t i = 0; i < 3; i++)
    check_equal(actual.origin.x[i], expected.origin.x[i], "origin");
  check_equal(actual.odd, expected.odd, "odd");
  check_equal(actual.last, expected.last, "last");
}

filter other_filter() {
  filter result;
  result.kind = -5;
  result.gain = -0.5f;
  result.taps[0] = 1e-300;
  result.taps[1] = -0.0;
  result.taps[2] = 1e300;
  result.shift = INT16_MAX;
  return result;
}

void unset_constants_have_their_defaults() {
  check_values(run(input_bundle(the_session(), {kernel_name})), {});
}

void a_padded_structure_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.the_filter = other_filter();
  bundle.set("filter", expected.the_filter);
  check_values(run(bundle), expected);
}

void an_array_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.origin = {{-1, INT32_MIN, INT32_MAX}};
  bundle.set("origin", expected.origin);
  check_values(run(bundle), expected);
}

/* Sets a structure in which only one leaf differs from the default. */
void one_leaf_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.the_filter.taps[1] = 42.0;
  bundle.set("filter", expected.the_filter);
  check_values(run(bundle), expected);
}

/* Sets constants after the padding and after a single byte. */
void constants_after_padding_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.odd = -1;
  expected.last = INT64_MIN;
  bundle.set("odd", expected.odd);
  bundle.set("last", expected.last);
  check_values(run(bundle), expected);
}

void all_constants_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.the_filter = other_filter();
  expected.origin = {{7, 8, 9}};
  expected.odd = 127;
  expected.last = -1;
  bundle.set("last", expected.last);
  bundle.set("origin", expected.origin);
  bundle.set("filter", expected.the_filter);
  bundle.set("odd", expected.odd);
  check_values(run(bundle), expected);
}

void get_returns_what_was_set() {
  input_bundle bundle(the_session(), {kernel_name});
  check_filter(bundle.get<filter>("filter"), filter());
  check_equal(bundle.get<int64_t>("last"), 77, "last by default");
  bundle.set("filter", other_filter());
  bundle.set("last", int64_t(-9));
  check_filter(bundle.get<filter>("filter"), other_filter());
  check_equal(bundle.get<int64_t>("last"), -9, "last after set");
  check_equal(bundle.get<int8_t>("odd"), 3, "odd, not set");
  check(bundle.is_set("filter") && bundle.is_set("last"), "set constants are known as set");
  check(!bundle.is_set("odd") && !bundle.is_set("origin"), "the others are not");

  const built_bundle built = bundle.build();
  check_filter(built.get<filter>("filter"), other_filter());
  check_equal(built.get<int64_t>("last"), -9, "last of the executable");
  check_equal(built.get<int8_t>("odd"), 3, "odd of the executable");
}

} // namespace

int main() {
  register_image();
  const CMUnitTest tests[] = {
      SPECPI_TEST(unset_constants_have_their_defaults),
      SPECPI_TEST(a_padded_structure_can_be_set),
      SPECPI_TEST(an_array_can_be_set),
      SPECPI_TEST(one_leaf_can_be_set),
      SPECPI_TEST(constants_after_padding_can_be_set),
      SPECPI_TEST(all_constants_can_be_set),
      SPECPI_TEST(get_returns_what_was_set),
  };
  return SPECPI_RUN_TESTS("sycl.composites", tests);
}

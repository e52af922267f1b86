/*
 * Images from specpi-cc: a library compiled from two OpenCL C files, unoptimised or optimised,
 * registers its two images with libsycl. Constants have their names in the source.
 */
#include "support/harness.h"

#include <cerrno>
#include <cfloat>
#include <climits>
#include <cmath>
#include <string>

#include <dlfcn.h>

using namespace specpi_test;

namespace {

/* The structure of kernels/compiled_scalars.cl; halfs are declared as integers with their bits. */
struct scalars {
  int64_t i64 = -64;
  uint64_t u64 = 64;
  double f64 = 0.5;
  int32_t i32 = -32;
  uint32_t u32 = 32;
  float f32 = 0.25f;
  int16_t i16 = -16;
  uint16_t u16 = 16;
  uint16_t f16 = 0x3000; /* 0.125 */
  int8_t i8 = -8;
  uint8_t u8 = 8;
  uint8_t truth = 1;
};

/* X(member, values...): a member, which is also the constant's name, and values to set. */
#define SCALARS(X)                                                                                 \
  X(i64, INT64_MIN, INT64_MAX, 0)                                                                  \
  X(u64, UINT64_MAX, UINT64_C(1) << 63, 0)                                                         \
  X(f64, -0.0, DBL_MAX, std::nan("12"))                                                            \
  X(i32, INT32_MIN, INT32_MAX, 0)                                                                  \
  X(u32, UINT32_MAX, UINT32_C(1) << 31, 0)                                                         \
  X(f32, -0.0f, FLT_MAX, std::nanf("12"))                                                          \
  X(i16, INT16_MIN, INT16_MAX, 0)                                                                  \
  X(u16, UINT16_MAX, 0x8000, 0)                                                                    \
  X(f16, 0x8000, 0x7bff, 0x0001)                                                                   \
  X(i8, INT8_MIN, INT8_MAX, 0)                                                                     \
  X(u8, UINT8_MAX, 0x80, 0)                                                                        \
  X(truth, 0)

/* The structures of kernels/compiled_composites.cl. */
struct filter {
  struct {
    int8_t kind = 5;
    int32_t length = 50;
  } span;
  double taps[3] = {0.25, 0.5, 0.75};
  int16_t shift = -2;
};
struct grid {
  float at[2][3] = {{1, 2, 3}, {4, 5, 6}};
};
struct composites {
  filter the_filter;
  grid the_grid;
  int32_t last = 77;
};

/* ---- Scalars ---- */

scalars run_scalars(const built_bundle &bundle) {
  const usm_array<scalars> out(the_session(), 1);
  std::memset(static_cast<void *>(out.data()), 0xa5, sizeof(scalars));
  bundle.kernel("write_scalars").run({out.data()}, {1, 1, 1});
  return out[0];
}

/* Compares members bit by bit, so that a NaN equals itself and zero differs from minus zero. */
void check_scalars(const scalars &actual, const scalars &expected, const std::string &when) {
#define CHECK(member, ...)                                                                         \
  check_equal(bytes_of(actual.member), bytes_of(expected.member), #member + (" " + when));
  SCALARS(CHECK)
#undef CHECK
}

void unset_scalars_have_their_defaults() {
  const input_bundle bundle(the_session(), {"write_scalars"});
  check(bundle.native() == (the_session().backend_name() != "cuda"),
        "libsycl leaves the constants to the plugin where the backend takes them");
  const scalars defaults;
#define CHECK(member, ...)                                                                         \
  check(bundle.has(#member) && !bundle.is_set(#member), #member " is there and not set");          \
  check_equal(bytes_of(bundle.get<decltype(scalars::member)>(#member)), bytes_of(defaults.member), \
              "the default of " #member);
  SCALARS(CHECK)
#undef CHECK
  check(!bundle.has("nowhere"), "no other name is there");
  check_scalars(run_scalars(bundle.build()), defaults, "by default");
}

/* Sets a constant to each of its values, one per bundle; the others keep their defaults. */
template <class T>
void try_values(const char *name, T scalars::*member, std::initializer_list<T> several) {
  for (const T &value : several) {
    input_bundle bundle(the_session(), {"write_scalars"});
    bundle.set(name, value);
    check(bundle.is_set(name), "what was set is known as set");
    check_equal(bytes_of(bundle.get<T>(name)), bytes_of(value), "what libsycl holds");
    scalars expected;
    expected.*member = value;
    const built_bundle built = bundle.build();
    check_equal(bytes_of(built.get<T>(name)), bytes_of(value), "what the executable holds");
    check_scalars(run_scalars(built), expected, std::string("with ") + name + " set");
  }
}

void each_scalar_can_be_set() {
#define TRY(member, ...)                                                                           \
  try_values<decltype(scalars::member)>(#member, &scalars::member, {__VA_ARGS__});
  SCALARS(TRY)
#undef TRY
}

void all_scalars_can_be_set() {
  input_bundle bundle(the_session(), {"write_scalars"});
  scalars expected;
#define FIRST(first, ...) first
#define SET(member, ...)                                                                           \
  expected.member = FIRST(__VA_ARGS__, 0);                                                         \
  bundle.set(#member, expected.member);
  SCALARS(SET)
#undef SET
#undef FIRST
  check_scalars(run_scalars(bundle.build()), expected, "when all are set");
}

/* ---- Structures and arrays ---- */

composites run_composites(const input_bundle &bundle) {
  const usm_array<composites> out(the_session(), 1);
  bundle.build().kernel("write_composites").run({out.data()}, {1, 1, 1});
  return out[0];
}

void check_filter(const filter &actual, const filter &expected) {
  check_equal(actual.span.kind, expected.span.kind, "filter.span.kind");
  check_equal(actual.span.length, expected.span.length, "filter.span.length");
  check_equal(bytes_of(actual.taps), bytes_of(expected.taps), "filter.taps");
  check_equal(actual.shift, expected.shift, "filter.shift");
}

void check_composites(const composites &actual, const composites &expected) {
  check_filter(actual.the_filter, expected.the_filter);
  check_equal(bytes_of(actual.the_grid), bytes_of(expected.the_grid), "grid");
  check_equal(actual.last, expected.last, "last");
}

filter other_filter() {
  filter result;
  result.span.kind = -5;
  result.span.length = INT32_MIN;
  result.taps[0] = 1e-300;
  result.taps[1] = -0.0;
  result.taps[2] = 1e300;
  result.shift = INT16_MAX;
  return result;
}

void unset_composites_have_their_defaults() {
  const input_bundle bundle(the_session(), {"write_composites"});
  check_filter(bundle.get<filter>("filter"), {});
  check_equal(bytes_of(bundle.get<grid>("grid")), bytes_of(grid()), "the default of grid");
  check_composites(run_composites(bundle), {});
}

void a_structure_can_be_set() {
  input_bundle bundle(the_session(), {"write_composites"});
  composites expected;
  expected.the_filter = other_filter();
  bundle.set("filter", expected.the_filter);
  check_filter(bundle.get<filter>("filter"), other_filter());
  check(!bundle.is_set("grid"), "its neighbour is not set");
  check_composites(run_composites(bundle), expected);
}

void an_array_of_arrays_can_be_set() {
  input_bundle bundle(the_session(), {"write_composites", "write_elements"});
  composites expected;
  expected.the_grid = {{{-1, 0.5f, 1e30f}, {7, -0.0f, 9}}};
  expected.last = 3;
  bundle.set("grid", expected.the_grid);
  bundle.set("last", expected.last);
  check_composites(run_composites(bundle), expected);

  const usm_array<float> out(the_session(), 6);
  bundle.build().kernel("write_elements").run({out.data()}, {6, 1, 1});
  for (size_t i = 0; i < 6; i++)
    check_equal(out[i], expected.the_grid.at[i / 3][i % 3] * 3, "an element");
}

/* ---- Both images ---- */

/* The ids of both images start at 0. Each value goes to the image with the constant's name. */
void each_image_gets_its_own_values() {
  input_bundle bundle(the_session(), {"write_scalars", "write_composites"});
  check(bundle.has("i64") && bundle.has("filter"), "the constants of both images are there");
  check(!input_bundle(the_session(), {"write_scalars"}).has("filter"), "of one image, its own");
  scalars expected_scalars;
  composites expected;
  expected.last = -1;
  bundle.set("last", expected.last);
  check_scalars(run_scalars(bundle.build()), expected_scalars, "with the other image's set");
  check_composites(run_composites(bundle), expected);

  expected_scalars.i64 = 1;
  bundle.set("i64", expected_scalars.i64);
  check_scalars(run_scalars(bundle.build()), expected_scalars, "with both images' set");
  check_composites(run_composites(bundle), expected);
}

} // namespace

int main() {
  const std::string library = "lib" + std::string(program_invocation_short_name) + ".so";
  if (!dlopen(library.c_str(), RTLD_NOW)) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const CMUnitTest tests[] = {
      SPECPI_TEST(unset_scalars_have_their_defaults),
      SPECPI_TEST(each_scalar_can_be_set),
      SPECPI_TEST(all_scalars_can_be_set),
      SPECPI_TEST(unset_composites_have_their_defaults),
      SPECPI_TEST(a_structure_can_be_set),
      SPECPI_TEST(an_array_of_arrays_can_be_set),
      SPECPI_TEST(each_image_gets_its_own_values),
  };
  return SPECPI_RUN_TESTS("sycl.compiled", tests);
}

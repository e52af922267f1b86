/*
 * A constant of each scalar type: its default, and ordinary and extreme values that are set, reach
 * the kernel bit by bit, and the other constants keep their defaults.
 */
#include "support/harness.h"

#include "../support/embed.h"

#include <cfloat>
#include <climits>
#include <cmath>

SPECPI_EMBED(scalars_module, "scalars.spv")

using namespace specpi_test;

namespace {

/* The structure of kernels/scalars.cl; halfs are declared as integers with their bits. */
struct values {
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
  uint8_t truth_of_byte = 1;
  uint8_t truth = 1;
};

/* X(member, id): a member, which is also the constant's name, and the constant's id. */
#define CONSTANTS(X)                                                                               \
  X(i64, 10)                                                                                       \
  X(u64, 11)                                                                                       \
  X(f64, 12)                                                                                       \
  X(i32, 13)                                                                                       \
  X(u32, 14)                                                                                       \
  X(f32, 15)                                                                                       \
  X(i16, 16)                                                                                       \
  X(u16, 17)                                                                                       \
  X(f16, 18)                                                                                       \
  X(i8, 19)                                                                                        \
  X(u8, 20)                                                                                        \
  X(truth_of_byte, 21)                                                                             \
  X(truth, 22)

const char *const kernel_name = "write_scalars";

void register_image() {
  const values defaults;
  register_device_library({{scalars_module_begin,
                            scalars_module_end,
                            {kernel_name},
                            {
#define CONSTANT(member, id) scalar_constant(#member, id, defaults.member),
                                CONSTANTS(CONSTANT)
#undef CONSTANT
                            }}});
}

values run(const input_bundle &bundle) {
  const usm_array<values> out(the_session(), 1);
  out[0] = {};
  std::memset(static_cast<void *>(out.data()), 0xa5, sizeof(values));
  bundle.build().kernel(kernel_name).run({out.data()}, {1, 1, 1});
  return out[0];
}

/* Compares members bit by bit, so that a NaN equals itself and zero differs from minus zero. */
void check_values(const values &actual, const values &expected, const std::string &when) {
#define CHECK(member, id)                                                                          \
  check_equal(bytes_of(actual.member), bytes_of(expected.member), #member + (" " + when));
  CONSTANTS(CHECK)
#undef CHECK
}

/* Sets one constant to one value after the other, each in a new bundle. */
template <class T>
void try_values(const char *name, T values::*member, std::initializer_list<T> several) {
  for (const T &value : several) {
    input_bundle bundle(the_session(), {kernel_name});
    check(bundle.has(name), "the image declares the constant");
    bundle.set(name, value);
    check_equal(bytes_of(bundle.get<T>(name)), bytes_of(value), "what libsycl holds");
    values expected;
    expected.*member = value;
    check_values(run(bundle), expected, std::string("with ") + name + " set");
  }
}

void unset_constants_have_their_defaults() {
  const input_bundle bundle(the_session(), {kernel_name});
  check(bundle.native(), "libsycl leaves the constants to the plugin");
  check_values(run(bundle), {}, "by default");
}

void int64_keeps_its_bits() {
  try_values<int64_t>("i64", &values::i64, {1, 0, INT64_MIN, INT64_MAX});
}
void uint64_keeps_its_bits() {
  try_values<uint64_t>("u64", &values::u64, {1, 0, UINT64_MAX, UINT64_C(1) << 63});
}
void int32_keeps_its_bits() {
  try_values<int32_t>("i32", &values::i32, {1, 0, INT32_MIN, INT32_MAX});
}
void uint32_keeps_its_bits() {
  try_values<uint32_t>("u32", &values::u32, {1, 0, UINT32_MAX, UINT32_C(1) << 31});
}
void int16_keeps_its_bits() {
  try_values<int16_t>("i16", &values::i16, {1, 0, INT16_MIN, INT16_MAX});
}
void uint16_keeps_its_bits() {
  try_values<uint16_t>("u16", &values::u16, {1, 0, UINT16_MAX, 0x8000});
}
void int8_keeps_its_bits() {
  try_values<int8_t>("i8", &values::i8, {1, 0, INT8_MIN, INT8_MAX});
}
void uint8_keeps_its_bits() {
  try_values<uint8_t>("u8", &values::u8, {1, 0, UINT8_MAX, 0x80});
}
void float64_keeps_its_bits() {
  try_values<double>(
      "f64", &values::f64,
      {1.5, -0.0, DBL_MAX, DBL_MIN, 4.9406564584124654e-324, -HUGE_VAL, std::nan("12")});
}
void float32_keeps_its_bits() {
  try_values<float>("f32", &values::f32,
                    {1.5f, -0.0f, FLT_MAX, FLT_MIN, 1.4e-45f, -HUGE_VALF, std::nanf("12")});
}
/* Sets 1.5, minus zero, the largest, the smallest normal and subnormal, -inf, and a NaN. */
void float16_keeps_its_bits() {
  try_values<uint16_t>("f16", &values::f16,
                       {0x3e00, 0x8000, 0x7bff, 0x0400, 0x0001, 0xfc00, 0x7e01});
}
void a_bool_as_byte_keeps_its_bits() {
  try_values<uint8_t>("truth_of_byte", &values::truth_of_byte, {0, 1});
}
void a_bool_of_spirv_keeps_its_bits() {
  try_values<uint8_t>("truth", &values::truth, {0, 1});
}

/* Sets all constants at once, each to another value than its default. */
void all_constants_can_be_set() {
  input_bundle bundle(the_session(), {kernel_name});
  values expected;
  expected.truth = 0;
  expected.i64 = -1;
  expected.f32 = -8.0f;
  expected.u8 = 200;
  expected.u64 = 7;
  expected.f64 = -1e300;
  expected.i16 = 300;
  expected.truth_of_byte = 0;
  expected.u16 = 60000;
  expected.f16 = 0x4000;
  expected.i8 = 100;
  expected.u32 = 4000000000;
  expected.i32 = 1;
#define SET(member, id) bundle.set(#member, expected.member);
  CONSTANTS(SET)
#undef SET
  check_values(run(bundle), expected, "when all are set");
}

} // namespace

int main() {
  register_image();
  const CMUnitTest tests[] = {
      SPECPI_TEST(unset_constants_have_their_defaults),
      SPECPI_TEST(int64_keeps_its_bits),
      SPECPI_TEST(uint64_keeps_its_bits),
      SPECPI_TEST(int32_keeps_its_bits),
      SPECPI_TEST(uint32_keeps_its_bits),
      SPECPI_TEST(int16_keeps_its_bits),
      SPECPI_TEST(uint16_keeps_its_bits),
      SPECPI_TEST(int8_keeps_its_bits),
      SPECPI_TEST(uint8_keeps_its_bits),
      SPECPI_TEST(float64_keeps_its_bits),
      SPECPI_TEST(float32_keeps_its_bits),
      SPECPI_TEST(float16_keeps_its_bits),
      SPECPI_TEST(a_bool_as_byte_keeps_its_bits),
      SPECPI_TEST(a_bool_of_spirv_keeps_its_bits),
      SPECPI_TEST(all_constants_can_be_set),
  };
  return SPECPI_RUN_TESTS("sycl.scalars", tests);
}

/* A value that is set becomes a constant of the module, used where SPIR-V requires a constant. */
#include "support/harness.h"

#include "../support/embed.h"

SPECPI_EMBED(const_uses_module, "const_uses.spv")

using namespace specpi_test;

namespace {

void register_image() {
  register_device_library({{const_uses_module_begin,
                            const_uses_module_end,
                            {"array"},
                            {scalar_constant("length", 0, 4u)}}});
}

uint32_t sum_of_squares(uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += i * i;
  return sum;
}

void check_array(const input_bundle &bundle, uint32_t length) {
  const usm_array<uint32_t> out(the_session(), 2);
  bundle.build().kernel("array").run({out.data()}, {1, 1, 1});
  check_equal(out[0], sum_of_squares(length), "the sum over the array");
  check_equal(out[1], 2 * length + 1, "the value of OpSpecConstantOp");
}

void a_constant_is_an_array_length() {
  input_bundle bundle(the_session(), {"array"});
  check_array(bundle, 4);
  for (const uint32_t length : {1u, 2u, 100u, 1000u}) {
    bundle.set("length", length);
    check_array(bundle, length);
  }
}

} // namespace

int main() {
  register_image();
  const CMUnitTest tests[] = {SPECPI_TEST(a_constant_is_an_array_length)};
  return SPECPI_RUN_TESTS("sycl.constants", tests);
}

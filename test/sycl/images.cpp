/*
 * Several kernels in an image, several images in a library, several libraries: each constant
 * reaches the programs that have it, and no others.
 */
#include "support/harness.h"

#include "../support/embed.h"

SPECPI_EMBED(pair_module, "pair.spv")
SPECPI_EMBED(third_module, "third.spv")
SPECPI_EMBED(alone_module, "alone.spv")

using namespace specpi_test;

namespace {

void register_images() {
  /* Both images use id 1, for constants of different names. */
  register_device_library(
      {{pair_module_begin,
        pair_module_end,
        {"add", "multiply"},
        {scalar_constant("common", 1, 1000), scalar_constant("addend", 2, 1),
         scalar_constant("factor", 3, 3)}},
       {third_module_begin, third_module_end, {"negate"}, {scalar_constant("minus", 1, 5)}}});
  register_device_library({{alone_module_begin, alone_module_end, {"twice"}, {}}});
}

int run(const built_bundle &bundle, const char *kernel, int value) {
  const size_t count = 3;
  const usm_array<int> out(the_session(), count);
  bundle.kernel(kernel).run({out.data(), value}, {count, 1, 1});
  check(out[0] == out[1] && out[1] == out[2], "all work-items see the same constants");
  return out[0];
}

void kernels_of_one_image_share_constants() {
  input_bundle bundle(the_session(), {"add", "multiply"});
  const built_bundle by_default = bundle.build();
  check_equal(run(by_default, "add", 7), 7 + 1000 + 1, "add by default");
  check_equal(run(by_default, "multiply", 7), 7 * 3 + 1000, "multiply by default");

  bundle.set("common", 500);
  const built_bundle common = bundle.build();
  check_equal(run(common, "add", 7), 7 + 500 + 1, "add with common set");
  check_equal(run(common, "multiply", 7), 7 * 3 + 500, "multiply with common set");

  bundle.set("factor", -2);
  const built_bundle both = bundle.build();
  check_equal(run(both, "add", 7), 7 + 500 + 1, "add with factor set too");
  check_equal(run(both, "multiply", 7), 7 * -2 + 500, "multiply with factor set too");
}

/* A bundle for one kernel has the whole image, and so the constants of the other kernel. */
void another_kernel_s_constant_can_be_set() {
  input_bundle bundle(the_session(), {"add"});
  check(bundle.has("factor"), "the image declares it");
  bundle.set("factor", 99);
  check_equal(run(bundle.build(), "add", 7), 7 + 1000 + 1, "add with the other's constant set");
}

void each_image_has_its_own_constants() {
  input_bundle bundle(the_session(), {"add", "negate"});
  check(bundle.has("addend") && bundle.has("minus"), "the constants of both images are there");
  bundle.set("minus", 50);
  const built_bundle minus = bundle.build();
  check_equal(run(minus, "add", 7), 7 + 1000 + 1, "add; its id 1 is another constant");
  check_equal(run(minus, "negate", 7), -7 - 50, "negate");

  bundle.set("common", 10);
  const built_bundle both = bundle.build();
  check_equal(run(both, "add", 7), 7 + 10 + 1, "add with its own id 1");
  check_equal(run(both, "negate", 7), -7 - 50, "negate, as before");
  check_equal(run(minus, "add", 7), 7 + 1000 + 1, "the earlier executable, as before");
}

void a_bundle_has_only_its_images() {
  const input_bundle bundle(the_session(), {"negate"});
  check(bundle.has("minus"), "its own constant");
  check(!bundle.has("common"), "not that of the other image");
  check_equal(run(bundle.build(), "negate", 7), -7 - 5, "negate by default");
}

void a_bundle_spans_libraries() {
  input_bundle bundle(the_session(), {"twice", "negate"});
  bundle.set("minus", 1);
  const built_bundle built = bundle.build();
  check_equal(run(built, "twice", 21), 42, "a kernel without constants");
  check_equal(run(built, "negate", 7), -7 - 1, "its neighbour in the bundle");
}

} // namespace

int main() {
  register_images();
  const CMUnitTest tests[] = {
      SPECPI_TEST(kernels_of_one_image_share_constants),
      SPECPI_TEST(another_kernel_s_constant_can_be_set),
      SPECPI_TEST(each_image_has_its_own_constants),
      SPECPI_TEST(a_bundle_has_only_its_images),
      SPECPI_TEST(a_bundle_spans_libraries),
  };
  return SPECPI_RUN_TESTS("sycl.images", tests);
}

/* An error of the plugin reaches the application as an exception with the error's number. */
#include "support/harness.h"

#include "../support/embed.h"

#include <cstdlib>

SPECPI_EMBED(refused_module, SPECPI_TEST_MODULE("refused"))
SPECPI_EMBED(no_such_function_module, SPECPI_TEST_MODULE("no_such_function"))

using namespace specpi_test;

namespace {

const char *const kernel_name = "read_one";

void register_images() {
  /* libsycl passes only values that are set, so the wrong records do not affect other tests. */
  register_device_library(
      {{refused_module_begin,
        refused_module_end,
        {kernel_name},
        {scalar_constant("right", 1, 11), scalar_constant("wrong size", 1, int64_t(11)),
         scalar_constant("wrong id", 99, 11)}}});
  register_device_library(
      {{no_such_function_module_begin, no_such_function_module_end, {"call_it"}, {}}});
}

/* Returns the error for a wrong id: OpenCL's number, for which PI has no name. Intel's plugin
 * returns PI_ERROR_UNKNOWN instead. */
int invalid_spec_id() {
  const char *kind = std::getenv("SPECPI_TEST_PLUGIN_KIND");
  return kind && std::string(kind) == "intel" ? PI_ERROR_UNKNOWN : -71;
}

int run(const built_bundle &bundle) {
  const usm_array<int> out(the_session(), 1);
  bundle.kernel(kernel_name).run({out.data()}, {1, 1, 1});
  return out[0];
}

void check_right_still_works() {
  input_bundle bundle(the_session(), {kernel_name});
  check_equal(run(bundle.build()), 11, "by default, after a refusal");
  bundle.set("right", 12);
  check_equal(run(bundle.build()), 12, "set, after a refusal");
}

void a_wrong_size_is_refused() {
  check_throws(PI_ERROR_INVALID_VALUE, "eight bytes for an int", [] {
    input_bundle bundle(the_session(), {kernel_name});
    bundle.set("wrong size", int64_t(12));
    bundle.build();
  });
  check_right_still_works();
}

void a_wrong_id_is_refused() {
  check_throws(invalid_spec_id(), "an id that the module does not have", [] {
    input_bundle bundle(the_session(), {kernel_name});
    bundle.set("wrong id", 12);
    bundle.build();
  });
  check_right_still_works();
}

void a_build_failure_is_reported() {
  const std::string text = check_throws(PI_ERROR_BUILD_PROGRAM_FAILURE, "a missing function",
                                        [] { input_bundle(the_session(), {"call_it"}).build(); });
  check(text.find("specpi_test_no_such_function") != std::string::npos,
        "the build log is in the exception: " + text);
}

void an_unknown_kernel_is_refused() {
  try {
    input_bundle(the_session(), {"no_such_kernel"});
  } catch (const sycl::exception &) {
    return;
  }
  throw std::runtime_error("a kernel that no image has gives no exception");
}

} // namespace

int main() {
  register_images();
  const CMUnitTest tests[] = {
      SPECPI_TEST(a_wrong_size_is_refused),
      SPECPI_TEST(a_wrong_id_is_refused),
      SPECPI_TEST(a_build_failure_is_reported),
      SPECPI_TEST(an_unknown_kernel_is_refused),
  };
  return SPECPI_RUN_TESTS("sycl.errors", tests);
}

/* Several bundles at once, rebuilds, unknown names, threads. */
#include "support/harness.h"

#include "../support/embed.h"

#include <exception>
#include <thread>

SPECPI_EMBED(pair_module, SPECPI_TEST_MODULE("pair"))

using namespace specpi_test;

namespace {

void register_image() {
  register_device_library({{pair_module_begin,
                            pair_module_end,
                            {"add", "multiply"},
                            {scalar_constant("common", 1, 1000), scalar_constant("addend", 2, 1),
                             scalar_constant("factor", 3, 3)}}});
}

int run(const built_kernel &kernel, int value) {
  const usm_array<int> out(the_session(), 1);
  kernel.run({out.data(), value}, {1, 1, 1});
  return out[0];
}

/* Launches from two bundles in turn use the values of their own bundle. */
void two_bundles_keep_their_values() {
  input_bundle left(the_session(), {"add"});
  input_bundle right(the_session(), {"add"});
  left.set("common", 10);
  right.set("common", 20);
  const built_bundle left_built = left.build();
  const built_bundle right_built = right.build();
  const built_kernel left_kernel = left_built.kernel("add");
  const built_kernel right_kernel = right_built.kernel("add");
  for (int i = 0; i < 3; i++) {
    check_equal(run(left_kernel, i), i + 10 + 1, "the first bundle");
    check_equal(run(right_kernel, i), i + 20 + 1, "the second bundle");
  }
  check_equal(left_built.get<int>("common"), 10, "get on the first");
  check_equal(right_built.get<int>("common"), 20, "get on the second");
}

void last_set_wins() {
  input_bundle bundle(the_session(), {"add"});
  bundle.set("common", 42);
  bundle.set("common", 11);
  check_equal(bundle.get<int>("common"), 11, "get");
  check_equal(run(bundle.build().kernel("add"), 0), 11 + 1, "add");
}

void a_value_equal_to_the_default_is_used() {
  input_bundle bundle(the_session(), {"add"});
  bundle.set("common", 1000);
  check_equal(run(bundle.build().kernel("add"), 0), 1000 + 1, "add");
}

/*
 * Does not build: the key of libsycl's program cache keeps the previous value, so that a build
 * would return the previous program without calling the plugin.
 */
void the_default_unsets_a_value() {
  input_bundle bundle(the_session(), {"add"});
  bundle.set("common", 1);
  check(bundle.is_set("common"), "set");
  bundle.set("common", 1000);
  check(!bundle.is_set("common"), "set to the default is as not set");
  check_equal(bundle.get<int>("common"), 1000, "get");
}

/* Changes a bundle and builds it again. Kernels of earlier builds keep their values. */
void a_rebuild_leaves_earlier_builds_alone() {
  input_bundle bundle(the_session(), {"add"});
  const built_kernel first = bundle.build().kernel("add");
  for (int value = 0; value < 12; value++) {
    bundle.set("common", value);
    check_equal(run(bundle.build().kernel("add"), 100), 100 + value + 1, "a rebuilt bundle");
  }
  check_equal(run(first, 100), 100 + 1000 + 1, "the kernel of the first build");
}

/* libsycl caches programs by their values. Builds with repeated, other and unset values. */
void cached_programs_match_their_values() {
  for (int round = 0; round < 2; round++) {
    for (const int value : {5, 6}) {
      input_bundle bundle(the_session(), {"add"});
      bundle.set("common", value);
      check_equal(run(bundle.build().kernel("add"), 1), 1 + value + 1, "add");
    }
    const input_bundle unset(the_session(), {"add"});
    check_equal(run(unset.build().kernel("add"), 1), 1 + 1000 + 1, "add, nothing set");
    /* The same value 5 for another constant. */
    input_bundle neighbour(the_session(), {"add"});
    neighbour.set("addend", 5);
    check_equal(run(neighbour.build().kernel("add"), 1), 1 + 1000 + 5, "add, other constant");
  }
}

void an_unknown_name_changes_no_result() {
  input_bundle bundle(the_session(), {"add"});
  check(bundle.has("common"), "a known name");
  check(!bundle.has("no such constant"), "an unknown name");
  check(!bundle.is_set("no such constant"), "an unknown name is not set");
  /* libsycl silently keeps such a value, but no program uses it. */
  bundle.set("no such constant", 17);
  check_equal(bundle.get<int>("no such constant"), 17, "what libsycl keeps");
  check(!bundle.has("no such constant"), "still unknown to the images");
  check_equal(run(bundle.build().kernel("add"), 0), 1000 + 1, "add");
}

void threads_build_their_own_values() {
  const int count = 4;
  std::exception_ptr errors[count];
  std::vector<std::thread> running;
  running.reserve(count);
  for (int i = 0; i < count; i++)
    running.emplace_back([i, &errors] {
      try {
        for (int round = 0; round < 5; round++) {
          const int value = 100 * i + round;
          input_bundle bundle(the_session(), {"add", "multiply"});
          bundle.set("common", value);
          bundle.set("factor", i);
          const built_bundle built = bundle.build();
          check_equal(run(built.kernel("add"), 7), 7 + value + 1, "add in a thread");
          check_equal(run(built.kernel("multiply"), 7), 7 * i + value, "multiply in a thread");
        }
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
  for (std::thread &each : running)
    each.join();
  for (const std::exception_ptr &error : errors)
    if (error)
      std::rethrow_exception(error);
}

} // namespace

int main() {
  register_image();
  const CMUnitTest tests[] = {
      SPECPI_TEST(two_bundles_keep_their_values),
      SPECPI_TEST(last_set_wins),
      SPECPI_TEST(a_value_equal_to_the_default_is_used),
      SPECPI_TEST(the_default_unsets_a_value),
      SPECPI_TEST(a_rebuild_leaves_earlier_builds_alone),
      SPECPI_TEST(cached_programs_match_their_values),
      SPECPI_TEST(an_unknown_name_changes_no_result),
      SPECPI_TEST(threads_build_their_own_values),
  };
  return SPECPI_RUN_TESTS("sycl.bundles", tests);
}

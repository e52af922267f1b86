/*
 * Libraries with images from the wrapper. Each one registers its image with libsycl when it is
 * loaded and unregisters it when it is unloaded, which leaves the other images alone.
 */
#include "support/harness.h"

#include <dlfcn.h>

using namespace specpi_test;

namespace {

void *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  check(library != nullptr, path);
  return library;
}

void unload(void *library, const char *path) {
  check(dlclose(library) == 0, path);
  check(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == nullptr, "nothing keeps the library");
}

int run(const built_bundle &bundle, const char *kernel, int value) {
  const usm_array<int> out(the_session(), 2);
  bundle.kernel(kernel).run({out.data(), value}, {2, 1, 1});
  check(out[0] == out[1], "both work-items see the same constants");
  return out[0];
}

void check_kernel(const char *name) {
  input_bundle bundle(the_session(), {name});
  check(bundle.has("factor") && bundle.has("sum"), "both constants are there");
  check(bundle.native() && !bundle.is_set("sum"), "native constants, not set");
  check_equal(bundle.get<int>("factor"), 3, "the default");
  check_equal(run(bundle.build(), name, 7), 7 * 3 + 1000 + 7, "by default");
  bundle.set("factor", -2);
  bundle.set_bytes("sum", {40, 0, 0, 0, 5, 0, 0, 0});
  check_equal(run(bundle.build(), name, 7), 7 * -2 + 40 + 5, "set");
}

void a_library_registers_and_unregisters_its_image() {
  void *first = load(FIRST_LIBRARY);
  check_kernel("first");
  void *second = load(SECOND_LIBRARY);
  check_kernel("second");
  check_kernel("first");
  unload(second, SECOND_LIBRARY);
  check_kernel("first");
  unload(first, FIRST_LIBRARY);
}

} // namespace

int main() {
  const CMUnitTest tests[] = {SPECPI_TEST(a_library_registers_and_unregisters_its_image)};
  return SPECPI_RUN_TESTS("sycl.wrapped", tests);
}

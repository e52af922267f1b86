// A library with the kernels of common.hpp. It is built as a linked library, whose symbols the
// program's replace, as opened libraries with symbols of their own, and as an archive.
#include "common.hpp"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(name) JOIN(LIBRARY_NAME, name)
#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

/* Runs before the program's own constructors. It may call the program's copies of the kernels. */
struct before_main {
  int common = 0;
  std::string others;

  before_main() {
    try {
      common = common::unnamed(2);
    } catch (const std::exception &e) {
      others = e.what();
    }
    try {
      /* The program's copy may set the program's constant, of which the library's kernel knows
       * nothing. That may be an error, but never a wrong value. */
      const int value = common::with_own_constant(3);
      if (value != 63)
        others = "its own constant gives " + std::to_string(value);
    } catch (const sycl::kernel_not_found &) {
    }
  }
} const early;

} // namespace

EXPORTED const char *NAMED(_early_result)() {
  static std::string result;
  result = early.common == 12 ? early.others
                              : "unnamed is " + std::to_string(early.common) + ": " + early.others;
  return result.c_str();
}
EXPORTED const char *NAMED(_result)() {
  static std::string result;
  result = common::wrong_result();
  return result.c_str();
}

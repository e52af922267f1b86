/*
 * Test cases (see cases.hpp) that run on a device:
 *
 *   CASE("a constant keeps its value") {
 *     sycl::queue q = check::queue();
 *     CHECK(q.get_device() == check::device());
 *     CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "no kernel", q.submit(...));
 *   }
 *   CHECK_MAIN
 *
 * With the argument "host" the device is the host device, otherwise the first one that
 * ONEAPI_DEVICE_SELECTOR selects. It is an error if there is none.
 */
#ifndef TEST_SYCL_API_CHECK_HPP
#define TEST_SYCL_API_CHECK_HPP

#include "cases.hpp"

#include <sycl/sycl.hpp>

namespace check {

inline bool on_host = false;

inline bool host() {
  return on_host;
}
inline sycl::device device() {
  return on_host ? sycl::device(static_cast<specpi_device>(nullptr))
                 : sycl::device::get_devices().front();
}
inline sycl::queue queue() {
  return sycl::queue(device());
}

/* Checks that an exception has the code, and that its message has the text. */
template <class Exception>
void expect(const Exception &e, const std::error_code &code, const char *text, const char *file,
            int line) {
  if (e.code() != code)
    fail(file, line, std::string("the code is ") + e.code().message() + ": " + e.what());
  if (!std::strstr(e.what(), text))
    fail(file, line, std::string("what() does not say \"") + text + "\": " + e.what());
}

inline int run(int count, char **arguments) {
  if (listed(count, arguments))
    return 0;
  for (int i = 1; i < count; i++)
    on_host = on_host || std::strcmp(arguments[i], "host") == 0;
  if (!on_host && device().is_host()) {
    std::printf("there is no device: see specpi doctor\n");
    return 1;
  }
  std::printf("on %s\n", device().get_info<sycl::info::device::name>().c_str());
  return run_cases();
}

} // namespace check

/* Checks that the expression throws type, or a class derived from it, with this code and text. */
#define CHECK_THROWS(type, error, text, ...)                                                       \
  do {                                                                                             \
    bool threw = false;                                                                            \
    try {                                                                                          \
      __VA_ARGS__;                                                                                 \
    } catch (const type &e) {                                                                      \
      threw = true;                                                                                \
      check::expect(e, error, text, __FILE__, __LINE__);                                           \
    }                                                                                              \
    if (!threw)                                                                                    \
      check::fail(__FILE__, __LINE__, "it threw nothing: " #__VA_ARGS__);                          \
  } while (false)

#define CHECK_MAIN                                                                                 \
  int main(int count, char **arguments) { return check::run(count, arguments); }

#endif

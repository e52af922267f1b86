/*
 * The frame of the tests of include/sycl. A file has cases, which main runs one after another; each
 * prints its name and its result. A case that throws, or in which a check fails, fails; the
 * program's status is then 1.
 *
 *   CASE("a constant keeps its value") {
 *     sycl::queue q = check::queue();
 *     CHECK(q.get_device() == check::device());
 *     CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "no kernel", q.submit(...));
 *   }
 *   CHECK_MAIN
 *
 * The device is the host device with the argument "host", otherwise the first one that
 * ONEAPI_DEVICE_SELECTOR selects: none is an error. "--list" prints the names. A case that the
 * backend under test cannot run says so with SKIP, which is counted apart and needs its reason.
 */
#ifndef TEST_SYCL_API_CHECK_HPP
#define TEST_SYCL_API_CHECK_HPP

#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace check {

struct failed {};
struct skipped {
  std::string reason;
};

struct test_case {
  const char *name;
  void (*run)();
};
inline std::vector<test_case> &cases() {
  static std::vector<test_case> all;
  return all;
}
struct registration {
  registration(const char *name, void (*run)()) {
    cases().push_back({name, run});
  }
};

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

[[noreturn]] inline void fail(const char *file, int line, const std::string &what) {
  std::printf("%s:%d: %s\n", file, line, what.c_str());
  throw failed();
}

/* Whether an exception is of the class, has the code, and says the text. */
template <class Exception>
void expect(const Exception &e, const std::error_code &code, const char *text, const char *file,
            int line) {
  if (e.code() != code)
    fail(file, line, std::string("the code is ") + e.code().message() + ": " + e.what());
  if (!std::strstr(e.what(), text))
    fail(file, line, std::string("what() does not say \"") + text + "\": " + e.what());
}

inline int run(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    if (std::strcmp(arguments[i], "--list") == 0) {
      for (const test_case &c : cases())
        std::printf("%s\n", c.name);
      return 0;
    }
    on_host = on_host || std::strcmp(arguments[i], "host") == 0;
  }
  if (!on_host && device().is_host()) {
    std::printf("there is no device: see specpi doctor\n");
    return 1;
  }
  std::printf("on %s\n", device().get_info<sycl::info::device::name>().c_str());
  int failures = 0;
  int skips = 0;
  for (const test_case &c : cases()) {
    std::printf("[ RUN     ] %s\n", c.name);
    std::fflush(stdout);
    std::string result = "OK     ";
    try {
      c.run();
    } catch (const skipped &s) {
      skips++;
      result = "SKIPPED";
      std::printf("%s\n", s.reason.c_str());
    } catch (const failed &) {
      failures++;
      result = "FAILED ";
    } catch (const std::exception &e) {
      failures++;
      result = "FAILED ";
      std::printf("it threw: %s\n", e.what());
    }
    std::printf("[ %s ] %s\n", result.c_str(), c.name);
  }
  std::printf("%zu cases, %d failed, %d skipped\n", cases().size(), failures, skips);
  return failures != 0 || cases().empty();
}

} // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)
#define CASE(name) CHECK_CASE_(name, CHECK_JOIN(case_, __LINE__))
#define CHECK_CASE_(name, function)                                                                \
  static void function();                                                                          \
  static const check::registration CHECK_JOIN(function, _registration)(name, function);            \
  static void function()

#define CHECK(condition)                                                                           \
  ((condition) ? (void)0 : check::fail(__FILE__, __LINE__, "it does not hold: " #condition))

/* The expression throws exactly or a class derived from it, with this code and text. */
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

#define SKIP(reason)                                                                               \
  throw check::skipped { reason }

#define CHECK_MAIN                                                                                 \
  int main(int count, char **arguments) { return check::run(count, arguments); }

#endif

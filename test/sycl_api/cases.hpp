/*
 * Test cases, which main runs one after another; each prints its name and its result. A case fails
 * if it throws or if a check fails; the program's status is then 1. "--list" prints the names. A
 * case that cannot run calls SKIP with the reason, and is counted separately.
 *
 * check.hpp adds functions for tests with a device. Tests without one include only this header, so
 * that they compile without all of SYCL.
 */
#ifndef TEST_SYCL_API_CASES_HPP
#define TEST_SYCL_API_CASES_HPP

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

[[noreturn]] inline void fail(const char *file, int line, const std::string &what) {
  std::printf("%s:%d: %s\n", file, line, what.c_str());
  throw failed();
}

/* Prints the names if an argument is --list; returns whether it did. */
inline bool listed(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    if (std::strcmp(arguments[i], "--list") == 0) {
      for (const test_case &c : cases())
        std::printf("%s\n", c.name);
      return true;
    }
  }
  return false;
}

/* Runs all cases; returns the program's status. */
inline int run_cases() {
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

#define SKIP(reason)                                                                               \
  throw check::skipped { reason }

#endif

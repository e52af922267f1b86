/*
 * cmocka for tests in C++. cmocka's own assertions call longjmp, which would skip destructors. The
 * checks here throw instead, and a wrapper around each test turns all exceptions into failures.
 */
#ifndef SPECPI_TEST_SYCL_HARNESS_H
#define SPECPI_TEST_SYCL_HARNESS_H

#include "session.h"

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

extern "C" {
#include <cmocka.h>
}

namespace specpi_test {

/* Returns the session of all tests of this program. It exists from the group's setup to its end. */
session &the_session();

/*
 * Opens the session. Fails unless libsycl has loaded the plugin file SPECPI_TEST_PLUGIN and the
 * device is of the backend SPECPI_TEST_BACKEND (default: opencl). Only that plugin may have devices
 * of the backend.
 */
int open_session(void **state);
int close_session(void **state);

inline void check(bool truth, const std::string &what) {
  if (!truth)
    throw std::runtime_error(what);
}

template <class A, class B>
void check_equal(const A &actual, const B &expected, const std::string &what) {
  if (actual == expected)
    return;
  std::ostringstream text;
  text << what << ": got " << +actual << ", expected " << +expected;
  throw std::runtime_error(text.str());
}

void check_equal(const bytes &actual, const bytes &expected, const std::string &what);

/* Fails unless the action throws a sycl::exception with this pi_result. Returns its message. */
std::string check_throws(int code, const std::string &what, void (*action)());

template <void (*Test)()> void guarded(void **) {
  try {
    Test();
  } catch (const std::exception &error) {
    fail_msg("%s", error.what());
  }
}

/* The entry of a test in cmocka's table. */
#define SPECPI_TEST(function)                                                                      \
  {                                                                                                \
#function, specpi_test::guarded < function>, nullptr, nullptr, nullptr                         \
  }

/* Runs a table of such entries; for main. */
#define SPECPI_RUN_TESTS(name, table)                                                              \
  cmocka_run_group_tests_name(name, table, specpi_test::open_session, specpi_test::close_session)

} // namespace specpi_test

#endif

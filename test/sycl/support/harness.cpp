#include "harness.h"

#include "plugin_in_use.h"

#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <memory>

namespace specpi_test {
namespace {

std::unique_ptr<session> shared_session;

std::string hex(const bytes &value) {
  std::ostringstream text;
  text << std::hex << std::setfill('0');
  for (const unsigned char each : value)
    text << std::setw(2) << +each << ' ';
  return text.str();
}

} // namespace

session &the_session() {
  return *shared_session;
}

int open_session(void **) {
  const char *expected = std::getenv("SPECPI_TEST_PLUGIN");
  if (!expected) {
    print_error("SPECPI_TEST_PLUGIN must name the plugin file that libsycl is to use\n");
    return -1;
  }
  try {
    shared_session = std::make_unique<session>();
  } catch (const std::exception &error) {
    print_error("%s\n", error.what());
    return -1;
  }
  const char *backend = std::getenv("SPECPI_TEST_BACKEND");
  const std::string found = the_session().backend_name();
  if (found != (backend ? backend : "opencl")) {
    print_error("the device is of %s\n", found.c_str());
    return -1;
  }
  const std::string mismatch = plugin_mismatch(expected);
  if (!mismatch.empty()) {
    print_error("%s\n", mismatch.c_str());
    return -1;
  }
  print_message("plugin: %s\ndevice: %s\n", expected, the_session().device_name().c_str());
  return 0;
}

int close_session(void **) {
  shared_session.reset();
  return 0;
}

void check_equal(const bytes &actual, const bytes &expected, const std::string &what) {
  if (actual != expected)
    throw std::runtime_error(what + ": got " + hex(actual) + ", expected " + hex(expected));
}

std::string check_throws(int code, const std::string &what, void (*action)()) {
  try {
    action();
  } catch (const sycl::exception &error) {
    check_equal(error.get_cl_code(), code, what + " (" + error.what() + ")");
    return error.what();
  }
  throw std::runtime_error(what + ": no exception");
}

} // namespace specpi_test

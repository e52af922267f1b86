/*
 * Device images made at run time: what a SYCL compiler's wrapper puts into an application,
 * from a description in C++.
 */
#ifndef SPECPI_TEST_SYCL_DEVICE_LIBRARY_H
#define SPECPI_TEST_SYCL_DEVICE_LIBRARY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace specpi_test {

using bytes = std::vector<unsigned char>;

/* The bytes of any plain value. */
template <class T> bytes bytes_of(const T &value) {
  bytes result(sizeof value);
  std::memcpy(result.data(), &value, sizeof value);
  return result;
}

/* One scalar of a constant: its SpecId, and where it lies in the constant, in bytes. */
struct leaf {
  uint32_t id;
  uint32_t offset;
  uint32_t size;
};

/* One specialization constant as the application knows it. */
struct spec_constant {
  std::string name;
  std::vector<leaf> leaves; /* padding at the end has the id PI_SPEC_ID_PADDING */
  bytes default_value;      /* all of it, padding included */
};

/* A constant of one leaf. */
template <class T> spec_constant scalar_constant(std::string name, uint32_t id, const T &value) {
  return {std::move(name), {{id, 0, sizeof value}}, bytes_of(value)};
}

/* A module that the build made: SPIR-V, or for CUDA PTX, which libsycl gets under SPIR-V's name. */
#ifdef SPECPI_TEST_PTX
#define SPECPI_TEST_MODULE(name) name ".ptx"
#else
#define SPECPI_TEST_MODULE(name) name ".spv"
#endif

struct device_image {
  const unsigned char *begin; /* the module; stays with the caller, for good */
  const unsigned char *end;
  std::vector<std::string> kernels;
  std::vector<spec_constant> constants; /* in the order of their first ids */
};

/*
 * Hands the images to libsycl as one library. libsycl keeps pointers into what it got until
 * the process ends, so what this makes lives as long; that is no leak.
 */
void register_device_library(std::vector<device_image> images);

} // namespace specpi_test

#endif

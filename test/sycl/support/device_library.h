/*
 * Registers device images that are built at run time from a description in C++, instead of by a
 * SYCL compiler's wrapper.
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

/* Returns the bytes of a trivially copyable value. */
template <class T> bytes bytes_of(const T &value) {
  bytes result(sizeof value);
  std::memcpy(result.data(), &value, sizeof value);
  return result;
}

/* A scalar of a constant: its SpecId, and its offset and size in the constant, in bytes. */
struct leaf {
  uint32_t id;
  uint32_t offset;
  uint32_t size;
};

/* A specialization constant with its name for the application. */
struct spec_constant {
  std::string name;
  std::vector<leaf> leaves; /* padding at the end has the id PI_SPEC_ID_PADDING */
  bytes default_value;      /* with padding */
};

/* Returns a constant of one leaf. */
template <class T> spec_constant scalar_constant(std::string name, uint32_t id, const T &value) {
  return {std::move(name), {{id, 0, sizeof value}}, bytes_of(value)};
}

/* Declares a module embedded by the build: SPIR-V or, for CUDA, PTX under SPIR-V's name. */
#ifdef SPECPI_TEST_PTX
#define SPECPI_TEST_MODULE(name) name ".ptx"
#else
#define SPECPI_TEST_MODULE(name) name ".spv"
#endif

struct device_image {
  const unsigned char *begin; /* the module; the caller keeps it until the process ends */
  const unsigned char *end;
  std::vector<std::string> kernels;
  std::vector<spec_constant> constants; /* in the order of their first ids */
};

/*
 * Registers the images with libsycl as one library. libsycl keeps pointers to its memory, which
 * therefore lives until the process ends.
 */
void register_device_library(std::vector<device_image> images);

} // namespace specpi_test

#endif

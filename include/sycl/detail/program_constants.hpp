/*
 * The values set for a program's constants, and the checks that they fit the images. SYCL
 * Specialization Constant, "Building Programs with Specialization Constants" and "OpenCL
 * Interoperability".
 */
#ifndef SYCL_DETAIL_PROGRAM_CONSTANTS_HPP
#define SYCL_DETAIL_PROGRAM_CONSTANTS_HPP

#include <sycl/detail/unit.hpp>
#include <sycl/spec_const_error.hpp>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

namespace sycl::detail {

/* A type as C++ writes it. */
std::string type_text(const std::type_index &type);

/* A value that was set for the constant with that symbolic id or that number. */
struct program_constant {
  std::string id;
  std::optional<unsigned> number;
  std::type_index type;
  std::size_t padding; /* maximum number of trailing bytes that an image's constant may lack */
  std::vector<unsigned char> bytes;

  /* The number of the value's bytes to set in an image whose constant has that size. */
  std::size_t size_for(std::size_t size) const noexcept;
  std::string name() const;
  std::string value() const;
};

class program_constants {
public:
  /* Throws spec_const_error if the constant is set to a value of another type. */
  void set(program_constant constant, const std::string &program);

  /*
   * Sets all values in an input image, from which a kernel, or all for "", is to be built. Throws
   * if a value is missing for a constant that is used and has no default, or if the image has no
   * constant of a number. Names that the image lacks are ignored: they belong to other kernels.
   */
  void apply(const device_image_impl &image, const std::string &kernel,
             const std::string &program) const;
  /* Makes the same checks for the host device, with the images for devices, which record the
   * constants that the kernel needs. */
  void check_for_host(const std::string &kernel, const std::string &program) const;

  /* The values by name, for kernels on the host device. */
  constant_values named() const;

private:
  /* Sets the values in the bundle; if that is NULL, only checks them. */
  void apply(specpi_bundle bundle, const std::vector<specpi_image> &images,
             const std::vector<specpi_constant> &constants, const std::string &kernel,
             const std::string &program) const;
  static void set_name(const program_constant &c, specpi_bundle bundle,
                       const std::vector<specpi_constant> &constants, const std::string &program);
  static void set_number(const program_constant &c, specpi_bundle bundle,
                         const std::vector<specpi_constant> &constants, const std::string &program);
  static void check_set(specpi_result result, const program_constant &c,
                        const std::string &program);
  /* Returns whether a constant has a value, by its name or by the numbers of all its leaves. */
  bool has(const specpi_constant &constant) const;

  std::vector<program_constant> all_;
};

} // namespace sycl::detail

#endif

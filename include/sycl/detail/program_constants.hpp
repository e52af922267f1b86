/*
 * The constants of a program: what is set, and whether that fits the images. SYCL Specialization
 * Constant, "Building Programs with Specialization Constants" and "OpenCL Interoperability".
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

/* A value that was set: of the constant of that symbolic id, or of that number. */
struct program_constant {
  std::string id;
  std::optional<unsigned> number;
  std::type_index type;
  std::size_t padding; /* bytes at the end of a value that images may leave out, at most */
  std::vector<unsigned char> bytes;

  /* The bytes of the value for an image whose constant has that size. */
  std::size_t size_for(std::size_t size) const noexcept;
  std::string name() const;
  std::string value() const;
};

class program_constants {
public:
  /* Throws spec_const_error if the constant is set to a value of another type. */
  void set(program_constant constant, const std::string &program);

  /*
   * Sets all in an input image that a kernel, or all for "", is to be built of. Constants by name
   * that it does not have are of other kernels; a number has to be there. A constant that has no
   * default has to have a value where it is used.
   */
  void apply(const device_image_impl &image, const std::string &kernel,
             const std::string &program) const;
  /* Refuses the same for the host device: the images for devices tell what the kernel needs. */
  void check_for_host(const std::string &kernel, const std::string &program) const;

  /* Those with names, as a kernel on the host device has them. */
  constant_values named() const;

private:
  /* Without a bundle it only checks. */
  void apply(specpi_bundle bundle, const std::vector<specpi_image> &images,
             const std::vector<specpi_constant> &constants, const std::string &kernel,
             const std::string &program) const;
  static void set_name(const program_constant &c, specpi_bundle bundle,
                       const std::vector<specpi_constant> &constants, const std::string &program);
  static void set_number(const program_constant &c, specpi_bundle bundle,
                         const std::vector<specpi_constant> &constants, const std::string &program);
  static void check_set(specpi_result result, const program_constant &c,
                        const std::string &program);
  /* By its name, or all of its leaves by their numbers. */
  bool has(const specpi_constant &constant) const;

  std::vector<program_constant> all_;
};

} // namespace sycl::detail

#endif

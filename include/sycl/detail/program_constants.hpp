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
inline std::string type_text(const std::type_index &type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return text ? text.get() : type.name();
}

/* A value that was set: of the constant of that symbolic id, or of that number. */
struct program_constant {
  std::string id;
  std::optional<unsigned> number;
  std::type_index type;
  std::size_t padding; /* bytes at the end of a value that images may leave out, at most */
  std::vector<unsigned char> bytes;

  /* How many bytes an image gets whose constant has that size. */
  std::size_t size_for(std::size_t size) const noexcept {
    return bytes.size() > size && bytes.size() - size <= padding ? size : bytes.size();
  }
  std::string name() const {
    return number ? "with number " + std::to_string(*number) : id;
  }
  std::string value() const {
    return "a " + type_text(type) + " of " + std::to_string(bytes.size()) + " bytes";
  }
};

class program_constants {
public:
  /* Throws spec_const_error if the constant is set to a value of another type. */
  void set(program_constant constant, const std::string &program) {
    for (program_constant &there : all_) {
      if (there.id != constant.id || there.number != constant.number)
        continue;
      if (there.type != constant.type)
        throw experimental::spec_const_error(
            "constant " + constant.name() + " of " + program + " was set to " + there.value() +
            " and keeps its type; " + constant.value() + " was given");
      there.bytes.swap(constant.bytes);
      return;
    }
    all_.push_back(std::move(constant));
  }

  /*
   * Sets all in an input image that a kernel, or all for "", is to be built of. Constants by name
   * that it does not have are of other kernels; a number has to be there. A constant that has no
   * default has to have a value where it is used.
   */
  void apply(const device_image_impl &image, const std::string &kernel,
             const std::string &program) const {
    apply(image.bundle(), image.images(), image.constants(), kernel, program);
  }
  /* Refuses the same for the host device: the images for devices tell what the kernel needs. */
  void check_for_host(const std::string &kernel, const std::string &program) const {
    for (specpi_image image : registered_images())
      if (has_kernel(image, kernel))
        return apply(nullptr, {image}, list<specpi_constant>(specpiImageGetConstants, image),
                     kernel, program);
  }

  /* Those with names, as a kernel on the host device has them. */
  constant_values named() const {
    constant_values values;
    for (const program_constant &c : all_)
      if (!c.number)
        values.set(c.id, c.bytes.data(), c.bytes.size());
    return values;
  }

private:
  /* Without a bundle it only checks. */
  void apply(specpi_bundle bundle, const std::vector<specpi_image> &images,
             const std::vector<specpi_constant> &constants, const std::string &kernel,
             const std::string &program) const {
    for (const program_constant &c : all_) {
      if (c.number)
        set_number(c, bundle, constants, program);
      else
        set_name(c, bundle, constants, program);
    }
    const auto is_required = [&](const specpi_constant &c) {
      return std::any_of(images.begin(), images.end(),
                         [&](specpi_image image) { return needs_value(image, kernel, c.name); });
    };
    for (const specpi_constant &c : constants)
      if (!has(c) && is_required(c))
        throw experimental::spec_const_error("constant " + std::string(c.name) + " of " + program +
                                             " has no default and was not set; it takes " +
                                             std::to_string(c.size) + " bytes");
  }
  static void set_name(const program_constant &c, specpi_bundle bundle,
                       const std::vector<specpi_constant> &constants, const std::string &program) {
    for (const specpi_constant &there : constants) {
      if (c.id != there.name)
        continue;
      const std::size_t size = c.size_for(there.size);
      if (bundle)
        check_set(specpiBundleSet(bundle, there.name, size, c.bytes.data()), c, program);
      else if (size != there.size)
        throw experimental::spec_const_error(
            "constant " + c.name() + " of " + program + " cannot be " + c.value() + ": it takes " +
            std::to_string(there.size) + " bytes, " + std::to_string(size) + " given");
    }
  }
  static void set_number(const program_constant &c, specpi_bundle bundle,
                         const std::vector<specpi_constant> &constants,
                         const std::string &program) {
    std::string known;
    for (const specpi_constant &there : constants)
      for (std::size_t i = 0; i < there.leaf_count; i++) {
        const specpi_leaf &leaf = there.leaves[i];
        if (leaf.id == PI_SPEC_ID_PADDING)
          continue;
        if (c.number != leaf.id) {
          known += (known.empty() ? "it has " : ", ") + std::to_string(leaf.id);
          continue;
        }
        if (leaf.size != c.bytes.size())
          throw experimental::spec_const_error("constant " + c.name() + " of " + program +
                                               " takes " + std::to_string(leaf.size) + " bytes, " +
                                               c.value() + " was given");
        if (bundle)
          check_set(specpiBundleSetLeaf(bundle, there.name, leaf.offset, leaf.size, c.bytes.data()),
                    c, program);
        return;
      }
    throw experimental::spec_const_error("there is no constant " + c.name() + " in " + program +
                                         ", " + (known.empty() ? "it has none" : known));
  }
  static void check_set(specpi_result result, const program_constant &c,
                        const std::string &program) {
    if (result == SPECPI_ERROR_INVALID_SIZE)
      throw experimental::spec_const_error("constant " + c.name() + " of " + program +
                                           " cannot be " + c.value() + ": " + specpiGetLastError());
    check(result);
  }
  /* By its name, or all of its leaves by their numbers. */
  bool has(const specpi_constant &constant) const {
    const auto is_set = [&](const specpi_leaf &leaf) {
      for (const program_constant &c : all_)
        if (c.number == leaf.id)
          return true;
      return leaf.id == PI_SPEC_ID_PADDING;
    };
    for (const program_constant &c : all_)
      if (!c.number && c.id == constant.name)
        return true;
    for (std::size_t i = 0; i < constant.leaf_count; i++)
      if (!is_set(constant.leaves[i]))
        return false;
    return true;
  }

  std::vector<program_constant> all_;
};

} // namespace sycl::detail

#endif

/*
 * The module that a command group takes its kernels from. SYCL Modules, "Dispatching kernels
 * associated with a module", and "Retrieving a specialization constant placeholder".
 */
#ifndef SYCL_DETAIL_GROUP_MODULE_HPP
#define SYCL_DETAIL_GROUP_MODULE_HPP

#include <sycl/detail/group_constants.hpp>
#include <sycl/detail/unit_module.hpp>
#include <sycl/kernel.hpp>

namespace sycl::detail {

class group_module {
public:
  explicit operator bool() const noexcept;
  const module_ptr &get() const noexcept {
    return module_;
  }
  /* Sets the module, and the one image of it that was selected, if any. */
  void use(module_ptr module, const device_image_ptr &selected) noexcept;
  /* The images that kernels come from. Requires a module. */
  const device_images &images() const noexcept {
    return *images_;
  }
  /* invalid_kernel: the kernel is not of the module. */
  void require(const kernel &of) const;

private:
  module_ptr module_;
  const device_images *images_ = nullptr; /* all of the module's images, or a selected one */
};

/* Refuses values that differ from those that the images' kernel was built with. */
void check_built_with(const device_images &images, const device &of, const std::string &name,
                      const group_constants &constants);

/* Returns whether two values of a constant differ, apart from padding. The program's images for
 * devices describe the padding. */
bool differ(const symbolic_id &id, const void *a, const void *b, std::size_t size);

/* The same check for the host device, where modules have values and no images. */
void check_built_with(const module_impl &module, const group_constants &constants);

/* The value of a constant in a module, or its default. */
template <auto &S> constant_type<S> module_value(const module_impl &module) {
  using type = constant_type<S>;
  alignas(type) unsigned char bytes[sizeof(type)] = {};
  return module.get(id_of<S>(), bytes, sizeof bytes) ? value_of<type>(bytes)
                                                     : constant_default<S>();
}
template <auto &S> constant_type<S> module_value(const std::shared_ptr<unit_module> &module) {
  return module ? module_value<S>(*module->input()) : constant_default<S>();
}

/*
 * Sets a command's values in the unit's module. SYCL Modules: set_spec_constant sets the value in
 * the underlying module.
 */
void keep_values(const context &in, const char *unit, const group_constants &constants);

} // namespace sycl::detail

#endif

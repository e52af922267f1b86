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
  /* With an image of it that was selected, or none. */
  void use(module_ptr module, const device_image_ptr &selected) noexcept;
  /* Those that kernels come from; there is a module. */
  const device_images &images() const noexcept {
    return *images_;
  }
  /* invalid_kernel: the kernel is not of the module. */
  void require(const kernel &of) const;

private:
  module_ptr module_;
  const device_images *images_ = nullptr; /* the module's */
};

/* Refuses values that are not those which a kernel that is given was built with. */
void check_built_with(const device_images &images, const device &of, const std::string &name,
                      const group_constants &constants);

/* Returns whether two values differ. Images for devices, which the program has, say where padding
 * is. */
bool differ(const symbolic_id &id, const void *a, const void *b, std::size_t size);

/* The same for the host device, where modules have nothing but values. */
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

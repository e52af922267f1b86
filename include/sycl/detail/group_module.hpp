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
  explicit operator bool() const noexcept {
    return module_ != nullptr;
  }
  const module_ptr &get() const noexcept {
    return module_;
  }
  /* With an image of it that was selected, or none. */
  void use(module_ptr module, const device_image_ptr &selected) noexcept {
    images_ = selected ? &module->only(selected) : &module->images();
    module_ = std::move(module);
  }
  /* Those that kernels come from; there is a module. */
  const device_images &images() const noexcept {
    return *images_;
  }
  /* invalid_kernel: the kernel is not of the module. */
  void require(const kernel &of) const {
    bool mine = !of.program_values() && !of.images().empty();
    for (const device_image_ptr &image : of.images())
      mine = mine && module_->has(image);
    if (!mine)
      throw invalid_kernel("kernel " + of.name() +
                           " is not of the module that the command group uses");
  }

private:
  module_ptr module_;
  const device_images *images_ = nullptr; /* the module's */
};

[[noreturn]] inline void fail_built_with(const symbolic_id &id) {
  throw runtime_error(errc::invalid,
                      std::string("constant ") + id.c_str() +
                          " is set to another value than the one that the module or kernel of the "
                          "command group was built with");
}

/* Refuses values that are not those which a kernel that is given was built with. */
inline void check_built_with(const device_images &images, const device &of, const std::string &name,
                             const group_constants &constants) {
  if (constants.empty())
    return;
  for (const device_image_ptr &image : images) {
    if (image->get_device() != of || image->state() != SPECPI_BUNDLE_EXECUTABLE ||
        !image->has_kernel(name))
      continue;
    const auto &known = image->constants();
    for (const constant_values::entry &e : constants.entries()) {
      const specpi_constant *there = find_constant(known, e.id.c_str());
      if (!there)
        continue;
      constant_values::value_bytes built;
      built.resize(there->size);
      const specpi_result result =
          specpiBundleGet(image->bundle(), e.id.c_str(), built.size(), built.data());
      if (result != SPECPI_SUCCESS ||
          differ(*there, built.data(), e.bytes.data(), std::min(there->size, e.bytes.size())))
        fail_built_with(e.id);
    }
    return;
  }
}

/* Returns whether two values differ. Images for devices, which the program has, say where padding
 * is. */
inline bool differ(const symbolic_id &id, const void *a, const void *b, std::size_t size) {
  if (std::memcmp(a, b, size) == 0)
    return false;
  for (specpi_image image : registered_images()) {
    const auto constants = list<specpi_constant>(specpiImageGetConstants, image);
    if (const specpi_constant *there = find_constant(constants, id.c_str()))
      return differ(*there, a, b, size);
  }
  return true;
}

/* The same for the host device, where modules have nothing but values. */
inline void check_built_with(const module_impl &module, const group_constants &constants) {
  for (const group_constants::default_value &d : constants.defaults()) {
    const auto *bytes = static_cast<const unsigned char *>(d.value);
    constant_values::value_bytes built(bytes, bytes + d.size);
    module.get(d.id, built.data(), built.size());
    const constant_values::entry *set = constants.find(d.id);
    if (set && differ(d.id, set->bytes.data(), built.data(), built.size()))
      fail_built_with(d.id);
  }
}

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
 * What a command was given with counts in the unit's module from now on. SYCL Modules:
 * set_spec_constant sets the value in the underlying module.
 */
inline void keep_values(const context &in, const char *unit, const group_constants &constants) {
  for (const group_constants::default_value &d : constants.defaults())
    if (const constant_values::entry *set = constants.find(d.id))
      module_of(in, unit)->input()->set(d.id, set->bytes.data(), set->bytes.size());
}

} // namespace sycl::detail

#endif

// context: SYCL 2020, 4.6.3, and get_modules of SYCL Modules.
#ifndef SYCL_CONTEXT_HPP
#define SYCL_CONTEXT_HPP

#include <sycl/detail/kept_images.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/device.hpp>
#include <sycl/property_list.hpp>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sycl {

enum class module_state { input, object, executable };
template <module_state State> class module;

namespace detail {

class module_impl;
class unit_module;

/*
 * The devices of a context. libspecpi has one context for each device; this class adds the input
 * images of units, made once for each device.
 */
struct context_impl {
  std::vector<device> devices;
  async_handler handler;
  property_list properties;

  /* The unit's input images for a device of this context, with their defaults. Made once. */
  device_images input_images(const device &of, const char *unit);
  /*
   * The input image with a kernel, from any unit, because a template's kernel may have been
   * compiled in another unit. Made once. NULL: there is none for the device.
   */
  device_image_ptr image_with_kernel(const device &of, const std::string &name);
  /* The image of the unit that has the kernel, or else another unit's; NULL: there is none. */
  const device_image_impl *find_image(const device &of, const char *unit, const std::string &name);
  /* The kernel of that image; empty if there is none. */
  kernel_reference find_kernel(const device &of, const char *unit, const std::string &name,
                               const constant_values &values);

  /* Throws if values are set for constants of the unit itself: another unit's kernel that is to run
   * instead does not have them. */
  static void require_no_values_of(const char *unit, const std::string &kernel,
                                   const constant_values &values);

  kept_images kept; /* objects and executables made from the input images */
  /* The modules of this context that still exist. */
  void add_module(const std::shared_ptr<module_impl> &one);
  std::vector<std::shared_ptr<module_impl>> modules();
  /* The module of a unit; NULL if it was not made yet. */
  std::shared_ptr<unit_module> find_unit(const char *unit);
  /* The module of a unit; make() makes it the first time. */
  template <class Make> std::shared_ptr<unit_module> unit(const char *name, const Make &make) {
    if (std::shared_ptr<unit_module> there = find_unit(name))
      return there;
    std::shared_ptr<unit_module> made = make();
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<unit_module> kept = units.emplace(name, std::move(made)).first->second;
    has_units = true;
    return kept;
  }

  std::mutex mutex;
  std::map<std::pair<specpi_device, std::string>, device_images> inputs;
  std::map<std::pair<specpi_device, std::string>, device_image_ptr> others;
  std::vector<std::weak_ptr<module_impl>> known_modules;
  std::map<std::string, std::shared_ptr<unit_module>, std::less<>> units;
  std::atomic<bool> has_units{false};
};

} // namespace detail

/*
 * Devices that belong together, each once. Common reference semantics. Any thread may use it.
 *
 * Constructors throw errc::invalid if there is no device, or if the devices are of several
 * backends. The context's handler gets the errors of queues without a handler.
 */
class context {
public:
  explicit context(const property_list &properties = {}) : context(async_handler(), properties) {}
  explicit context(const async_handler &handler, const property_list &properties = {})
      : context(device(), handler, properties) {}
  explicit context(const device &of, const async_handler &handler = {},
                   const property_list &properties = {});
  context(const device &of, const property_list &properties)
      : context(of, async_handler(), properties) {}
  explicit context(const platform &of, const async_handler &handler = {},
                   const property_list &properties = {});
  template <class Selector, class = detail::if_selector<Selector>>
  explicit context(const Selector &selector, const async_handler &handler = {},
                   const property_list &properties = {})
      : context(device(selector), handler, properties) {}
  context(const std::vector<device> &devices, const property_list &properties)
      : context(devices, async_handler(), properties) {}
  explicit context(const std::vector<device> &devices, const async_handler &handler = {},
                   const property_list &properties = {});

  std::vector<device> get_devices() const {
    return impl_->devices;
  }
  bool is_host() const noexcept;
  backend get_backend() const noexcept;
  platform get_platform() const;
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  template <class P> bool has_property() const noexcept {
    return impl_->properties.has_property<P>();
  }
  template <class P> P get_property() const {
    return impl_->properties.get_property<P>();
  }
  /*
   * The modules of this context in that state: those that the program obtained and still has, and
   * those kept for units. SYCL Modules, "Context class". Defined in module.hpp.
   */
  template <module_state State> std::vector<module<State>> get_modules() const noexcept;

  const std::shared_ptr<detail::context_impl> &impl() const noexcept {
    return impl_;
  }

  friend bool operator==(const context &a, const context &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const context &a, const context &b) noexcept {
    return !(a == b);
  }

private:
  friend class exception;
  std::vector<device> ask(info::context::devices) const {
    return get_devices();
  }
  platform ask(info::context::platform) const {
    return get_platform();
  }
  explicit context(std::shared_ptr<detail::context_impl> impl) noexcept : impl_(std::move(impl)) {}

  std::shared_ptr<detail::context_impl> impl_;
};

template <class... Rest>
exception::exception(const context &of, std::error_code code, const Rest &...rest)
    : exception(code, rest...) {
  context_ = of.impl();
}
template <class... Rest>
exception::exception(const context &of, int value, const std::error_category &category,
                     const Rest &...rest)
    : exception(value, category, rest...) {
  context_ = of.impl();
}

} // namespace sycl

template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &c) const noexcept {
    return std::hash<const void *>()(c.impl().get());
  }
};

#endif

// context: SYCL 2020, 4.6.3, and get_modules of SYCL Modules.
#ifndef SYCL_CONTEXT_HPP
#define SYCL_CONTEXT_HPP

#include <sycl/detail/unit.hpp>
#include <sycl/device.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sycl {

namespace detail {

/*
 * Devices that belong together. libspecpi has one context for each device; what this adds
 * are the input images of units, which are made once for each.
 */
struct context_impl {
  std::vector<device> devices;
  async_handler handler;

  /* The unit's input images for a device of this context, with their defaults; kept. */
  device_images input_images(const device &of, const char *unit) {
    const std::lock_guard<std::mutex> lock(mutex);
    device_images &there = inputs[{of.handle(), unit}];
    if (there.empty())
      there = unit_images(of, unit);
    return there;
  }

  std::mutex mutex;
  std::map<std::pair<specpi_device, std::string>, device_images> inputs;
};

} // namespace detail

class context {
public:
  explicit context(const async_handler &handler = {}) : context(device(), handler) {}
  explicit context(const device &of, const async_handler &handler = {})
      : context(std::vector<device>{of}, handler) {}
  explicit context(const std::vector<device> &devices, const async_handler &handler = {})
      : impl_(std::make_shared<detail::context_impl>()) {
    if (devices.empty())
      throw runtime_error(errc::invalid, "a context has at least one device");
    for (const device &d : devices)
      if (d.get_backend() != devices.front().get_backend())
        throw runtime_error(errc::invalid, "the devices of a context have to be of one backend");
    impl_->devices = devices;
    impl_->handler = handler;
  }

  std::vector<device> get_devices() const {
    return impl_->devices;
  }
  bool is_host() const noexcept {
    return impl_->devices.front().is_host();
  }
  backend get_backend() const noexcept {
    return impl_->devices.front().get_backend();
  }
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
  std::shared_ptr<detail::context_impl> impl_;
};

} // namespace sycl

#endif

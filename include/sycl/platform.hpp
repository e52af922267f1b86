// platform: SYCL 2020, 4.6.2.
#ifndef SYCL_PLATFORM_HPP
#define SYCL_PLATFORM_HPP

#include <sycl/device.hpp>

namespace sycl {

/*
 * A driver with its devices, or the platform of the host device. The library owns it until the
 * process ends; a copy is the same platform. Any thread may use it.
 */
class platform {
public:
  /* The platform of the default device. */
  platform() : platform(device().get_platform()) {}
  /* NULL stands for the host device's platform. */
  explicit platform(specpi_platform handle) noexcept : handle_(handle) {}
  /* The platform of the device that the selector selects. */
  template <class Selector, class = detail::if_selector<Selector>>
  explicit platform(const Selector &selector) : platform(device(selector).get_platform()) {}

  /* The platforms with a device that ONEAPI_DEVICE_SELECTOR selects, and the host device's. */
  static std::vector<platform> get_platforms();
  /* The platform's devices that ONEAPI_DEVICE_SELECTOR selects. */
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;

  bool is_host() const noexcept;
  backend get_backend() const noexcept;
  /* device_error: the driver does not report it. */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /* Returns whether all devices of the platform have an aspect. */
  bool has(aspect what) const;
  bool has_extension(const std::string &name) const;

  /* libspecpi's platform; NULL for the host device's. */
  specpi_platform handle() const noexcept {
    return handle_;
  }

  friend bool operator==(const platform &a, const platform &b) noexcept {
    return a.handle_ == b.handle_;
  }
  friend bool operator!=(const platform &a, const platform &b) noexcept {
    return !(a == b);
  }

private:
  std::string ask(info::platform::name) const;
  std::string ask(info::platform::vendor) const;
  std::string ask(info::platform::version) const;
  std::string ask(info::platform::profile) const;
  std::vector<std::string> ask(info::platform::extensions) const;
  std::string text(pi_platform_info what, const char *name) const;

  specpi_platform handle_;
};

inline platform device::ask(info::device::platform) const {
  return get_platform();
}

} // namespace sycl

template <> struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &p) const noexcept {
    return std::hash<const void *>()(p.handle());
  }
};

#endif

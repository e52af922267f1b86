// platform: SYCL 2020, 4.6.2.
#ifndef SYCL_PLATFORM_HPP
#define SYCL_PLATFORM_HPP

#include <sycl/device.hpp>

namespace sycl {

/*
 * A driver with its devices, or the platform of the host device. It is the library's and lives as
 * long as the process; a copy is the same platform. Any thread may use it.
 */
class platform {
public:
  /* That of the default device. */
  platform() : platform(device().get_platform()) {}
  /* That of the host device is the one without a handle. */
  explicit platform(specpi_platform handle) noexcept : handle_(handle) {}
  /* That of the device which the selector selects. */
  template <class Selector, class = detail::if_selector<Selector>>
  explicit platform(const Selector &selector) : platform(device(selector).get_platform()) {}

  /* Those that have a device which ONEAPI_DEVICE_SELECTOR selects, and the host device's. */
  static std::vector<platform> get_platforms() {
    std::vector<platform> platforms;
    for (const device &d : device::get_devices())
      if (std::find(platforms.begin(), platforms.end(), d.get_platform()) == platforms.end())
        platforms.push_back(d.get_platform());
    return platforms;
  }
  /* Its devices that ONEAPI_DEVICE_SELECTOR selects. */
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const {
    std::vector<device> devices;
    for (const device &d : device::get_devices(type))
      if (d.get_platform() == *this)
        devices.push_back(d);
    return devices;
  }

  bool is_host() const noexcept {
    return !handle_;
  }
  backend get_backend() const noexcept {
    if (!handle_)
      return backend::host;
    return static_cast<backend>(1 + specpiPluginGetBackend(specpiPlatformGetPlugin(handle_)));
  }
  /* device_error: the driver does not answer. */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /* Whether all its devices have it. */
  bool has(aspect what) const {
    for (const device &d : get_devices())
      if (!d.has(what))
        return false;
    return true;
  }
  bool has_extension(const std::string &name) const {
    const std::vector<std::string> all = ask(info::platform::extensions{});
    return std::find(all.begin(), all.end(), name) != all.end();
  }

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
  std::string ask(info::platform::name) const {
    return handle_ ? specpiPlatformGetName(handle_) : "host platform";
  }
  std::string ask(info::platform::vendor) const {
    return handle_ ? specpiPlatformGetVendor(handle_) : "specpi";
  }
  std::string ask(info::platform::version) const {
    return handle_ ? specpiPlatformGetVersion(handle_) : SPECPI_VERSION_STRING;
  }
  std::string ask(info::platform::profile) const {
    return handle_ ? text(PI_PLATFORM_INFO_PROFILE, "profile") : "FULL_PROFILE";
  }
  std::vector<std::string> ask(info::platform::extensions) const {
    if (!handle_)
      return {};
    return detail::split(text(PI_PLATFORM_INFO_EXTENSIONS, "extensions"), ' ');
  }
  std::string text(pi_platform_info what, const char *name) const {
    const pi_function_table *pi = specpiPluginGetFunctions(specpiPlatformGetPlugin(handle_));
    const pi_platform of = specpiPlatformGetHandle(handle_);
    std::size_t size = 0;
    std::vector<char> answer;
    pi_result result = pi->piPlatformGetInfo(of, what, 0, nullptr, &size);
    if (result == PI_SUCCESS && size) {
      answer.resize(size);
      result = pi->piPlatformGetInfo(of, what, size, answer.data(), nullptr);
    }
    if (result != PI_SUCCESS)
      throw device_error(std::string("the platform ") + specpiPlatformGetName(handle_) +
                         " does not answer " + name);
    return std::string(answer.data(), answer.empty() ? 0 : answer.size() - 1);
  }

  specpi_platform handle_;
};

inline platform device::get_platform() const {
  return platform(handle_ ? specpiDeviceGetPlatform(handle_) : nullptr);
}
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

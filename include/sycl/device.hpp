// device and its selection: SYCL 2020, 4.6.1 and 4.6.4.
#ifndef SYCL_DEVICE_HPP
#define SYCL_DEVICE_HPP

#include <sycl/exception.hpp>

#include <cstdint>
#include <functional>
#include <specpi/specpi.h>
#include <string>
#include <vector>

namespace sycl {

enum class backend { host, opencl, level_zero, cuda };

namespace info {
enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
namespace device {
/* Queries are types with a return_type: device.get_info<info::device::name>(). */
struct name {
  using return_type = std::string;
};
struct vendor {
  using return_type = std::string;
};
struct version {
  using return_type = std::string;
};
struct driver_version {
  using return_type = std::string;
};
struct device_type {
  using return_type = info::device_type;
};
struct max_work_group_size {
  using return_type = std::size_t;
};
struct max_compute_units {
  using return_type = std::uint32_t;
};
struct local_mem_size {
  using return_type = std::uint64_t;
};
} // namespace device
} // namespace info

/*
 * A device, or the host device, which runs function objects themselves. What it refers to is the
 * library's and lives as long as the process; a copy is the same device.
 */
class device {
public:
  /* The device that ONEAPI_DEVICE_SELECTOR puts first; the host device where there is none. */
  device() : device(first()) {}
  /* The host device is the one without a handle. */
  explicit device(specpi_device handle) noexcept : handle_(handle) {}
  template <class Selector, class = decltype(std::declval<Selector>()(std::declval<device>()))>
  explicit device(const Selector &selector) : device(choose(selector)) {}

  /* All devices that ONEAPI_DEVICE_SELECTOR selects, and the host device at the end. */
  static std::vector<device> get_devices(info::device_type type = info::device_type::all) {
    std::size_t count = 0;
    detail::check(specpiDevicesGet(nullptr, 0, nullptr, &count));
    std::vector<specpi_device> handles(count);
    detail::check(specpiDevicesGet(nullptr, count, handles.data(), &count));
    handles.push_back(nullptr);
    std::vector<device> devices;
    for (specpi_device handle : handles)
      if (device(handle).is(type))
        devices.push_back(device(handle));
    return devices;
  }

  bool is_host() const noexcept {
    return !handle_;
  }
  bool is_cpu() const noexcept {
    return is(info::device_type::cpu);
  }
  bool is_gpu() const noexcept {
    return is(info::device_type::gpu);
  }
  bool is_accelerator() const noexcept {
    return is(info::device_type::accelerator);
  }
  backend get_backend() const noexcept {
    return handle_ ? static_cast<backend>(1 + specpiDeviceGetBackend(handle_)) : backend::host;
  }

  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }

  /* libspecpi's device; NULL for the host device. */
  specpi_device handle() const noexcept {
    return handle_;
  }

  friend bool operator==(const device &a, const device &b) noexcept {
    return a.handle_ == b.handle_;
  }
  friend bool operator!=(const device &a, const device &b) noexcept {
    return !(a == b);
  }

private:
  bool is(info::device_type type) const noexcept {
    return type == info::device_type::all || type == type_of();
  }
  info::device_type type_of() const noexcept {
    if (!handle_)
      return info::device_type::host;
    switch (specpiDeviceGetType(handle_)) {
    case PI_DEVICE_TYPE_CPU:
      return info::device_type::cpu;
    case PI_DEVICE_TYPE_GPU:
      return info::device_type::gpu;
    case PI_DEVICE_TYPE_ACC:
      return info::device_type::accelerator;
    default:
      return info::device_type::custom;
    }
  }
  static device first() {
    specpi_device handle = nullptr;
    std::size_t count = 0;
    detail::check(specpiDevicesGet(nullptr, 1, &handle, &count));
    return device(count ? handle : nullptr);
  }
  template <class Selector> static device choose(const Selector &selector) {
    const std::vector<device> devices = get_devices();
    const device *best = nullptr;
    int score = -1;
    for (const device &d : devices) {
      const int s = selector(d);
      if (s > score) {
        best = &d;
        score = s;
      }
    }
    if (!best)
      throw runtime_error("no device that is there has a score of 0 or more from the selector");
    return *best;
  }
  template <class T> T ask(pi_device_info query, T host) const {
    T value{};
    if (!handle_)
      return host;
    const pi_function_table *pi = specpiDeviceGetFunctions(handle_);
    if (pi->piDeviceGetInfo(specpiDeviceGetHandle(handle_), query, sizeof value, &value, nullptr) !=
        PI_SUCCESS)
      throw device_error("the device does not answer a query");
    return value;
  }
  std::string ask(info::device::name) const {
    return handle_ ? specpiDeviceGetName(handle_) : "host device";
  }
  std::string ask(info::device::vendor) const {
    return handle_ ? specpiDeviceGetVendor(handle_) : "specpi";
  }
  std::string ask(info::device::version) const {
    return handle_ ? specpiDeviceGetVersion(handle_) : SPECPI_VERSION_STRING;
  }
  std::string ask(info::device::driver_version) const {
    return handle_ ? specpiDeviceGetDriverVersion(handle_) : specpiGetVersion();
  }
  info::device_type ask(info::device::device_type) const {
    return type_of();
  }
  std::size_t ask(info::device::max_work_group_size) const {
    return ask<std::size_t>(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 256);
  }
  std::uint32_t ask(info::device::max_compute_units) const {
    return ask<std::uint32_t>(PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 1);
  }
  std::uint64_t ask(info::device::local_mem_size) const {
    return ask<std::uint64_t>(PI_DEVICE_INFO_LOCAL_MEM_SIZE, std::uint64_t{1} << 20);
  }

  specpi_device handle_;
};

/* Selectors: SYCL 2020's functions, and SYCL 1.2.1's classes. */
inline int default_selector_v(const device &d) {
  return d.is_gpu() ? 3 : d.is_host() ? 0 : 2;
}
inline int cpu_selector_v(const device &d) {
  return d.is_cpu() ? 1 : -1;
}
inline int gpu_selector_v(const device &d) {
  return d.is_gpu() ? 1 : -1;
}
inline int accelerator_selector_v(const device &d) {
  return d.is_accelerator() ? 1 : -1;
}

class device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &d) const = 0;
  device select_device() const {
    return device(*this);
  }
};

/* X(name, function): the classes of SYCL 1.2.1. */
#define SYCL_DETAIL_SELECTORS(X)                                                                   \
  X(default_selector, default_selector_v(d))                                                       \
  X(cpu_selector, cpu_selector_v(d))                                                               \
  X(gpu_selector, gpu_selector_v(d))                                                               \
  X(accelerator_selector, accelerator_selector_v(d))                                               \
  X(host_selector, d.is_host() ? 1 : -1)
#define SYCL_DETAIL_SELECTOR(name, score)                                                          \
  class name : public device_selector {                                                            \
  public:                                                                                          \
    int operator()(const device &d) const override { return score; }                               \
  };
SYCL_DETAIL_SELECTORS(SYCL_DETAIL_SELECTOR)
#undef SYCL_DETAIL_SELECTOR

} // namespace sycl

template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &d) const noexcept {
    return std::hash<const void *>()(d.handle());
  }
};

#endif

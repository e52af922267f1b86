// device: SYCL 2020, 4.6.4.
#ifndef SYCL_DEVICE_HPP
#define SYCL_DEVICE_HPP

#include <sycl/exception.hpp>
#include <sycl/info.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <specpi/specpi.h>
#include <string>
#include <vector>

namespace sycl {

enum class backend {
  host,
#define SPECPI_SYCL_BACKEND(NAME, name, file) name,
  SPECPI_BACKENDS(SPECPI_SYCL_BACKEND)
#undef SPECPI_SYCL_BACKEND
};

namespace detail {

/* True for a type that scores devices: a function, or a class of SYCL 1.2.1. */
template <class T, class = void> inline constexpr bool is_selector = false;
template <class T>
inline constexpr bool
    is_selector<T, std::enable_if_t<std::is_convertible_v<
                       decltype(std::declval<const T &>()(std::declval<const device &>())), int>>> =
        true;
template <class T> using if_selector = std::enable_if_t<is_selector<T>>;

/* Returns whether the device has unified shared memory of any kind, which buffers need. */
bool has_unified_memory(const device &d) noexcept;

bool contains(const std::vector<device> &all, const device &d) noexcept;

} // namespace detail

/*
 * A device of a driver, or the host device, which runs function objects directly. The library owns
 * the device until the process ends; a copy is the same device. Any thread may use it.
 */
class device {
public:
  /* The device that default_selector_v scores highest. */
  device() : device(first()) {}
  /* NULL stands for the host device. */
  explicit device(specpi_device handle) noexcept : handle_(handle) {}
  /*
   * The device with the highest score; among equal scores, the one that comes first in
   * specpiDevicesGetPreferred. A host device with score 0 is the last resort; a line on stderr
   * reports it. The selector's exceptions pass through.
   *
   * runtime_error: no device has a score of 0 or more, or only the host device is left although
   * ONEAPI_DEVICE_SELECTOR is set. The message has the variable's value and names the devices
   * without unified shared memory, which the standard selectors skip.
   */
  template <class Selector, class = detail::if_selector<Selector>>
  explicit device(const Selector &selector) : device(choose(selector)) {}

  /*
   * All devices of a type that ONEAPI_DEVICE_SELECTOR selects, and the host device at the end.
   * errc::invalid: the variable is not well formed.
   */
  static std::vector<device> get_devices(info::device_type type = info::device_type::all);

  bool is_host() const noexcept;
  bool is_cpu() const noexcept;
  bool is_gpu() const noexcept;
  bool is_accelerator() const noexcept;
  backend get_backend() const noexcept;
  platform get_platform() const;

  /* device_error: the driver does not report it. */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /* For max_work_item_sizes in SYCL 1.2.1's form, without the number of dimensions. */
  template <template <int> class Query> typename Query<3>::return_type get_info() const {
    return ask(Query<3>{});
  }
  /* Returns whether the device has an aspect; false if the driver does not report it. */
  bool has(aspect what) const noexcept;
  bool has_extension(const std::string &name) const;

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
  bool is(info::device_type type) const noexcept;
  info::device_type type_of() const noexcept;
  /* The devices of a type in the list that get returns, and the host device at the end. */
  static std::vector<device> list(decltype(specpiDevicesGet) *get, info::device_type type);
  static device first();
  template <class Selector> static device choose(const Selector &selector) {
    const std::vector<device> devices = list(specpiDevicesGetPreferred, info::device_type::all);
    const device *best = nullptr;
    int score = -1;
    for (const device &d : devices) {
      const int s = selector(d);
      if (s > score) {
        best = &d;
        score = s;
      }
    }
    const char *wanted = std::getenv("ONEAPI_DEVICE_SELECTOR");
    const bool is_last = best && best->is_host() && score == 0;
    if (best && !(is_last && wanted && *wanted)) {
      if (is_last)
        std::fprintf(stderr, "specpi: there is no device, kernels run on the host device; specpi "
                             "doctor says why\n");
      return *best;
    }
    std::string sentence = "no device that is there has a score of 0 or more from the selector";
    if (wanted && *wanted)
      sentence += ", of those that ONEAPI_DEVICE_SELECTOR=" + std::string(wanted) +
                  " selects; specpi ls lists them";
    for (const device &d : devices)
      if (!detail::has_unified_memory(d))
        sentence += "; " + d.ask(info::device::name{}) + " has no unified shared memory";
    throw runtime_error(sentence);
  }

  /* Makes a query of PI. Returns whether PI has an answer. */
  bool query(pi_device_info what, std::size_t size, void *answer,
             std::size_t *needed = nullptr) const noexcept;
  /* PI's answer as a bit field or pi_bool; 0 without an answer. */
  pi_bitfield bits(pi_device_info what) const noexcept;
  template <class T> std::vector<T> ask_many(pi_device_info what, const char *name) const {
    std::size_t size = 0;
    if (!query(what, 0, nullptr, &size))
      unanswered(name);
    std::vector<T> answer(size / sizeof(T));
    if (!answer.empty() && !query(what, size, answer.data()))
      unanswered(name);
    return answer;
  }
  template <class T> T ask(pi_device_info what, const char *name) const {
    if constexpr (std::is_same_v<T, std::string>) {
      const std::vector<char> text = ask_many<char>(what, name);
      return std::string(text.data(), text.empty() ? 0 : text.size() - 1);
    } else {
      std::conditional_t<std::is_same_v<T, bool>, pi_bool, T> value{};
      if (!query(what, sizeof value, &value))
        unanswered(name);
      return static_cast<T>(value);
    }
  }
  [[noreturn]] void unanswered(const char *name) const;
#define SYCL_QUERY(name, type, pi_query, host)                                                     \
  type ask(info::device::name) const {                                                             \
    return handle_ ? ask<type>(PI_DEVICE_INFO_##pi_query, #name) : type(host);                     \
  }
  SYCL_DEVICE_QUERIES(SYCL_QUERY)
#undef SYCL_QUERY

  template <int D> range<D> ask(info::device::max_work_item_sizes<D>) const {
    range<D> sizes;
    std::vector<std::size_t> answer(3, detail::host_group_size);
    if (handle_)
      answer = ask_many<std::size_t>(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, "max_work_item_sizes");
    /* PI has the fastest dimension first, SYCL last. */
    for (std::size_t i = 0; i < static_cast<std::size_t>(D); i++)
      sizes[D - 1 - static_cast<int>(i)] = i < answer.size() ? answer[i] : 1;
    return sizes;
  }
  std::string ask(info::device::name) const;
  std::string ask(info::device::vendor) const;
  std::string ask(info::device::version) const;
  std::string ask(info::device::backend_version) const;
  std::string ask(info::device::driver_version) const;
  info::device_type ask(info::device::device_type) const {
    return type_of();
  }
  info::local_mem_type ask(info::device::local_mem_type) const;
  info::global_mem_cache_type ask(info::device::global_mem_cache_type) const;
  bool ask(info::device::queue_profiling) const;
  sycl::platform ask(info::device::platform) const;
  std::vector<std::string> ask(info::device::extensions) const;
  std::vector<std::string> ask(info::device::built_in_kernels) const;
  std::vector<std::size_t> ask(info::device::sub_group_sizes) const;
  std::vector<aspect> ask(info::device::aspects) const;

  specpi_device handle_;
};

} // namespace sycl

template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &d) const noexcept {
    return std::hash<const void *>()(d.handle());
  }
};

#include <sycl/device_selector.hpp>
#include <sycl/platform.hpp>

#endif

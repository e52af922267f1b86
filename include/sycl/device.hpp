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

/* Whether something scores devices: a function, or a class of SYCL 1.2.1. */
template <class T, class = void> inline constexpr bool is_selector = false;
template <class T>
inline constexpr bool
    is_selector<T, std::enable_if_t<std::is_convertible_v<
                       decltype(std::declval<const T &>()(std::declval<const device &>())), int>>> =
        true;
template <class T> using if_selector = std::enable_if_t<is_selector<T>>;

/* Whether kernels reach any memory by pointers, which buffers need. */
inline bool has_unified_memory(const device &d) noexcept;

/* The words of a list. */
inline std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(separator, i), text.size());
    if (end > i)
      words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

} // namespace detail

/*
 * A device, or the host device, which runs function objects themselves. What it refers to is the
 * library's and lives as long as the process; a copy is the same device. Any thread may use it.
 */
class device {
public:
  /* The one that default_selector_v scores highest. */
  device() : device(first()) {}
  /* The host device is the one without a handle. */
  explicit device(specpi_device handle) noexcept : handle_(handle) {}
  /*
   * The device that gets the highest score; of equals the one that specpiDevicesGetPreferred lists
   * first. The host device with a score of 0 is for want of another one, and a line on stderr says
   * so. runtime_error: none gets 0 or more, or it would be that, and ONEAPI_DEVICE_SELECTOR asks
   * for others; the sentence has its value, and names those without unified shared memory, which
   * the standard selectors pass over. What the selector throws goes through.
   */
  template <class Selector, class = detail::if_selector<Selector>>
  explicit device(const Selector &selector) : device(choose(selector)) {}

  /*
   * All devices that ONEAPI_DEVICE_SELECTOR selects, of a type, and the host device at the end.
   * errc::invalid: the variable is not well formed.
   */
  static std::vector<device> get_devices(info::device_type type = info::device_type::all) {
    return list(specpiDevicesGet, type);
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
  platform get_platform() const;

  /* device_error: the driver does not answer. */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /* max_work_item_sizes, as SYCL 1.2.1 writes it. */
  template <template <int> class Query> typename Query<3>::return_type get_info() const {
    return ask(Query<3>{});
  }
  /* What the driver does not tell, it cannot do. */
  bool has(aspect what) const noexcept;
  bool has_extension(const std::string &name) const {
    for (const std::string &there : ask(info::device::extensions{}))
      if (there == name)
        return true;
    return false;
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
  /* The devices that get lists, of a type, and the host device at the end. */
  static std::vector<device> list(decltype(specpiDevicesGet) *get, info::device_type type) {
    std::size_t count = 0;
    detail::check(get(nullptr, 0, nullptr, &count));
    std::vector<specpi_device> handles(count);
    detail::check(get(nullptr, count, handles.data(), &count));
    handles.resize(count);
    handles.push_back(nullptr);
    std::vector<device> devices;
    for (specpi_device handle : handles)
      if (device(handle).is(type))
        devices.push_back(device(handle));
    return devices;
  }
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

  /* PI's answer; whether there is one. */
  bool query(pi_device_info what, std::size_t size, void *answer,
             std::size_t *needed = nullptr) const noexcept {
    return handle_ && specpiDeviceGetFunctions(handle_)->piDeviceGetInfo(
                          specpiDeviceGetHandle(handle_), what, size, answer, needed) == PI_SUCCESS;
  }
  /* Bits, or a truth value as PI has it; 0 without an answer. */
  pi_bitfield bits(pi_device_info what) const noexcept {
    pi_bitfield value = 0;
    return query(what, sizeof value, &value) ? value : 0;
  }
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
  [[noreturn]] void unanswered(const char *name) const {
    throw device_error(std::string(specpiDeviceGetSelector(handle_)) + " does not answer " + name);
  }
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
    /* The fastest dimension is PI's first and SYCL's last. */
    for (std::size_t i = 0; i < static_cast<std::size_t>(D); i++)
      sizes[D - 1 - static_cast<int>(i)] = i < answer.size() ? answer[i] : 1;
    return sizes;
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
  std::string ask(info::device::backend_version) const {
    return ask(info::device::version{});
  }
  std::string ask(info::device::driver_version) const {
    return handle_ ? specpiDeviceGetDriverVersion(handle_) : specpiGetVersion();
  }
  info::device_type ask(info::device::device_type) const {
    return type_of();
  }
  info::local_mem_type ask(info::device::local_mem_type) const {
    if (!handle_)
      return info::local_mem_type::global;
    return static_cast<info::local_mem_type>(
        ask<std::uint32_t>(PI_DEVICE_INFO_LOCAL_MEM_TYPE, "local_mem_type"));
  }
  info::global_mem_cache_type ask(info::device::global_mem_cache_type) const {
    if (!handle_)
      return info::global_mem_cache_type::read_write;
    return static_cast<info::global_mem_cache_type>(
        ask<std::uint32_t>(PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, "global_mem_cache_type"));
  }
  bool ask(info::device::queue_profiling) const {
    return has(aspect::queue_profiling);
  }
  sycl::platform ask(info::device::platform) const;
  std::vector<std::string> ask(info::device::extensions) const {
    if (!handle_)
      return {};
    return detail::split(ask<std::string>(PI_DEVICE_INFO_EXTENSIONS, "extensions"), ' ');
  }
  std::vector<std::string> ask(info::device::built_in_kernels) const {
    if (!handle_)
      return {};
    return detail::split(ask<std::string>(PI_DEVICE_INFO_BUILT_IN_KERNELS, "built_in_kernels"),
                         ';');
  }
  std::vector<std::size_t> ask(info::device::sub_group_sizes) const {
    if (!handle_)
      return {};
    return ask_many<std::size_t>(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, "sub_group_sizes");
  }
  std::vector<aspect> ask(info::device::aspects) const {
    std::vector<aspect> all;
#define SYCL_ASPECT(name, number, host, query, bits)                                               \
  if (has(aspect::name))                                                                           \
    all.push_back(aspect::name);
    SYCL_ASPECTS(SYCL_ASPECT)
#undef SYCL_ASPECT
    return all;
  }

  specpi_device handle_;
};

inline bool device::has(aspect what) const noexcept {
  switch (what) {
#define SYCL_ASPECT(name, number, host, query, wanted)                                             \
  case aspect::name:                                                                               \
    return handle_ ? (bits(PI_DEVICE_INFO_##query) & (wanted)) != 0 : host;
    SYCL_ASPECTS(SYCL_ASPECT)
#undef SYCL_ASPECT
  }
  return false;
}

} // namespace sycl

template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &d) const noexcept {
    return std::hash<const void *>()(d.handle());
  }
};

#include <sycl/device_selector.hpp>
#include <sycl/platform.hpp>

#endif

// Selectors: the functions of SYCL 2020, 4.6.1, and the classes of SYCL 1.2.1, 4.6.1.
#ifndef SYCL_DEVICE_SELECTOR_HPP
#define SYCL_DEVICE_SELECTOR_HPP

#include <sycl/device.hpp>

namespace sycl {

namespace detail {

int score_by_type(const device &d) noexcept;

} // namespace detail

/*
 * Prefers GPUs. Selects the host device only if there is no other device and ONEAPI_DEVICE_SELECTOR
 * is not set. Like the selectors below, it skips devices without unified shared memory, because
 * they cannot have buffers.
 */
int default_selector_v(const device &d);
int cpu_selector_v(const device &d);
int gpu_selector_v(const device &d);
int accelerator_selector_v(const device &d);

/*
 * Selects a device that has all wanted aspects and none of the unwanted ones. It does not skip
 * devices without unified shared memory unless the lists say so, and never selects the host device.
 */
inline auto aspect_selector(const std::vector<aspect> &wanted,
                            const std::vector<aspect> &unwanted = {}) {
  return [wanted, unwanted](const device &d) {
    for (const aspect a : wanted)
      if (!d.has(a))
        return -1;
    for (const aspect a : unwanted)
      if (d.has(a))
        return -1;
    return d.is_host() ? -1 : detail::score_by_type(d);
  };
}
template <class... Aspects> auto aspect_selector(aspect first, Aspects... others) {
  return aspect_selector(std::vector<aspect>{first, others...});
}

/* The base class of users' own selectors. */
class device_selector {
public:
  device_selector() = default;
  device_selector(const device_selector &) = default;
  device_selector &operator=(const device_selector &) = default;
  virtual ~device_selector() = default;
  /* The device with the highest score is selected; one below 0 never is. */
  virtual int operator()(const device &d) const = 0;
  device select_device() const {
    return device(*this);
  }
};

/* X(name, score of d): the classes of SYCL 1.2.1. */
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

#endif

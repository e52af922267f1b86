// Access to memory from kernels: modes, targets and tags of SYCL 2020, 4.7.6, and SYCL 1.2.1's
// names for them.
#ifndef SYCL_ACCESS_HPP
#define SYCL_ACCESS_HPP

#include <sycl/property_list.hpp>

namespace sycl {

enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };
enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  global_buffer = device
};

namespace access {
using mode = access_mode;
using target = sycl::target;
enum class placeholder { false_t, true_t };
} // namespace access

template <access_mode> struct mode_tag_t {
  explicit constexpr mode_tag_t() = default;
};
inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};

namespace property {
/* The old content is not needed. */
struct no_init : detail::property_base {};
} // namespace property
inline constexpr property::no_init no_init{};

namespace detail {
/* The mode of an accessor with these properties: no_init excludes reading the old content. */
inline access_mode with(access_mode mode, const property_list &properties) {
  if (!properties.has_property<property::no_init>() || mode == access_mode::read)
    return mode;
  return mode == access_mode::write ? access_mode::discard_write : access_mode::discard_read_write;
}
constexpr bool reads(access_mode mode) noexcept {
  return mode != access_mode::discard_write && mode != access_mode::discard_read_write;
}
constexpr bool writes(access_mode mode) noexcept {
  return mode != access_mode::read;
}
} // namespace detail

} // namespace sycl

#endif

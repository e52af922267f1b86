// How kernels reach memory: modes, targets, tags. SYCL 2020, 4.7.6, and SYCL 1.2.1's names.
#ifndef SYCL_ACCESS_HPP
#define SYCL_ACCESS_HPP

#include <sycl/detail/config.hpp>

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
struct no_init {};
} // namespace property
inline constexpr property::no_init no_init{};

namespace detail {
constexpr bool reads(access_mode mode) noexcept {
  return mode != access_mode::discard_write && mode != access_mode::discard_read_write;
}
constexpr bool writes(access_mode mode) noexcept {
  return mode != access_mode::read;
}
/* What a command does that uses a buffer in two ways. */
constexpr access_mode both(access_mode a, access_mode b) noexcept {
  if (a == b)
    return a;
  if (!reads(a) && !reads(b))
    return access_mode::discard_read_write;
  return writes(a) || writes(b) ? access_mode::read_write : access_mode::read;
}
} // namespace detail

} // namespace sycl

#endif

/*
 * The translation unit: its id, which the integration header defines, and the registered device
 * images that come from it.
 */
#ifndef SYCL_DETAIL_UNIT_HPP
#define SYCL_DETAIL_UNIT_HPP

#include <sycl/detail/device_image.hpp>

#include <algorithm>

namespace sycl::detail {

#ifdef __SYCL_DEVICE_ONLY__
struct own_unit;
#else
/*
 * Stands for the unit among template arguments. What has it belongs to one unit: libraries that
 * have the same template in common do not take it from each other.
 */
namespace {
struct own_unit {};
} // namespace
#endif

/* In each unit another one, so that what templates of a unit's own types call is the unit's. */
namespace {
[[maybe_unused]] const char *this_unit() noexcept {
#ifdef SPECPI_UNIT_ID
  return SPECPI_UNIT_ID;
#else
  return "";
#endif
}
} // namespace

/* All registered images; they stay until the library that they came with is unloaded. */
std::vector<specpi_image> registered_images();

/* The ids of the units that have registered images, each once. */
std::vector<std::string> registered_units();

/*
 * New input images for a device: one of each group of registered images of the unit that have
 * the same kernels, the best of it. Empty for the host device.
 */
device_images unit_images(const device &of, const char *unit);

} // namespace sycl::detail

#endif

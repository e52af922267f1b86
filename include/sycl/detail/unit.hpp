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
 * Stands for the unit as a template argument. Each unit has its own instances of a template with
 * this argument: libraries that use the same template do not share them.
 */
namespace {
struct own_unit {};
} // namespace
#endif

/* Each unit has its own function, so that a unit's templates get the unit's own id. */
namespace {
[[maybe_unused]] const char *this_unit() noexcept {
#ifdef SPECPI_UNIT_ID
  return SPECPI_UNIT_ID;
#else
  return "";
#endif
}
} // namespace

/* All registered images. Each is valid until the library that registered it is unloaded. */
std::vector<specpi_image> registered_images();

/* The ids of all units with registered images, without repetitions. */
std::vector<std::string> registered_units();

/*
 * Makes input images for a device: one for each group of the unit's registered images with the same
 * kernels, from the image that suits the device best. Empty for the host device.
 */
device_images unit_images(const device &of, const char *unit);

} // namespace sycl::detail

#endif

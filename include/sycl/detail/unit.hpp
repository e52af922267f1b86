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
inline std::vector<specpi_image> registered_images() {
  std::vector<specpi_image> images;
  std::size_t count = 0;
  do {
    images.resize(count);
    check(specpiImagesGet(images.size(), images.data(), &count));
  } while (count > images.size()); /* a library came in between */
  images.resize(count);
  return images;
}

/* The ids of the units that have registered images, each once. */
inline std::vector<std::string> registered_units() {
  std::vector<std::string> units;
  for (specpi_image image : registered_images()) {
    std::string unit = unit_of(image);
    if (!unit.empty() && std::find(units.begin(), units.end(), unit) == units.end())
      units.push_back(std::move(unit));
  }
  return units;
}

/*
 * New input images for a device: one of each group of registered images of the unit that have
 * the same kernels, the best of it. Empty for the host device.
 */
inline device_images unit_images(const device &of, const char *unit) {
  device_images images;
  if (of.is_host())
    return images;
  std::vector<specpi_image> mine;
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      mine.push_back(image);
  while (!mine.empty()) {
    const auto names = [](specpi_image image) {
      const auto kernels = list<const char *>(specpiImageGetKernels, image);
      return std::vector<std::string>(kernels.begin(), kernels.end());
    };
    const auto first = names(mine.front());
    std::vector<specpi_image> same;
    std::vector<specpi_image> others;
    for (specpi_image image : mine)
      (names(image) == first ? same : others).push_back(image);
    std::size_t index = 0;
    const specpi_result result = specpiImageSelect(of.handle(), same.size(), same.data(), &index);
    if (result == SPECPI_SUCCESS) {
      bundle_reference bundle;
      check(specpiBundleCreate(of.handle(), 1, &same[index], bundle.out()));
      images.push_back(std::make_shared<device_image_impl>(of, std::move(bundle)));
    } else if (result != SPECPI_ERROR_NO_IMAGE) {
      fail(result);
    }
    mine.swap(others);
  }
  return images;
}

} // namespace sycl::detail

#endif

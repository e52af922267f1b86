/*
 * The translation unit: its id, which the integration header defines, and the registered device
 * images that come from it.
 */
#ifndef SYCL_DETAIL_UNIT_HPP
#define SYCL_DETAIL_UNIT_HPP

#include <sycl/detail/device_image.hpp>

#include <cstring>

namespace sycl::detail {

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

/* Whether an image was compiled from a unit. */
inline bool image_is_of(specpi_image image, const char *unit) {
  specpi_property property;
  std::size_t count = 0;
  check(specpiImageGetProperties(image, "specpi/unit", 1, &property, &count));
  return count != 0 && property.bytes && std::strlen(unit) == property.size &&
         std::memcmp(property.bytes, unit, property.size) == 0;
}

/*
 * New input images for a device: one of each group of registered images of the unit that have
 * the same kernels, the best of it. Empty for the host device.
 */
inline device_images unit_images(const device &of, const char *unit) {
  device_images images;
  if (of.is_host())
    return images;
  std::size_t count = 0;
  check(specpiImagesGet(0, nullptr, &count));
  std::vector<specpi_image> all(count);
  check(specpiImagesGet(count, all.data(), &count));
  all.resize(std::min(count, all.size()));
  std::vector<specpi_image> mine;
  for (specpi_image image : all)
    if (image_is_of(image, unit))
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

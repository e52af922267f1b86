// Images that were made once for everybody.
#ifndef SYCL_DETAIL_KEPT_IMAGES_HPP
#define SYCL_DETAIL_KEPT_IMAGES_HPP

#include <sycl/detail/device_image.hpp>

#include <map>
#include <mutex>

namespace sycl::detail {

/*
 * Per-context cache of images built with all defaults, so that asking twice returns the same
 * images; their equality and join rely on that identity.
 */
class kept_images {
public:
  /* The state, and what it is made of. */
  using key = std::pair<specpi_bundle_state, device_images>;
  /* Empty: nothing is kept. */
  device_images find(const key &of) const;
  /* The first of two that were made at the same time counts and is returned. */
  device_images keep(const key &of, const device_images &made);

private:
  mutable std::mutex mutex_;
  std::map<key, device_images> images_;
};

} // namespace sycl::detail

#endif

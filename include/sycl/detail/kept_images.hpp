// Images that a context makes once and shares.
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
  /* The images' state, and the images that they are made from. */
  using key = std::pair<specpi_bundle_state, device_images>;
  /* The kept images; empty if there are none. */
  device_images find(const key &of) const;
  /* Keeps made and returns it; if another thread was first, returns that thread's images. */
  device_images keep(const key &of, const device_images &made);

private:
  mutable std::mutex mutex_;
  std::map<key, device_images> images_;
};

} // namespace sycl::detail

#endif

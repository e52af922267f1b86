// Images that were made once for everybody.
#ifndef SYCL_DETAIL_KEPT_IMAGES_HPP
#define SYCL_DETAIL_KEPT_IMAGES_HPP

#include <sycl/detail/device_image.hpp>

#include <map>
#include <mutex>

namespace sycl::detail {

/*
 * What was made of images with all defaults, for who asks again: the same images then, which are
 * equal and which join knows. A context has one.
 */
class kept_images {
public:
  /* The state, and what it is made of. */
  using key = std::pair<specpi_bundle_state, device_images>;
  /* Empty: nothing is kept. */
  device_images find(const key &of) const;
  /* Of two that were made at the same time the first one counts. */
  device_images keep(const key &of, const device_images &made);

private:
  mutable std::mutex mutex_;
  std::map<key, device_images> images_;
};

} // namespace sycl::detail

#endif

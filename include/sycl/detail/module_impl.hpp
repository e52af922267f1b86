/*
 * A module without its state in the type: device images for the devices of a context, and the
 * values of their constants. SYCL Modules, "Summary of proposed changes".
 */
#ifndef SYCL_DETAIL_MODULE_IMPL_HPP
#define SYCL_DETAIL_MODULE_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/device_image.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <specpi/process.h>
#include <string>
#include <vector>

namespace sycl::detail {

/* Counts the command groups that this thread is in. */
class submission {
public:
  submission() noexcept;
  submission(const submission &) = delete;
  submission &operator=(const submission &) = delete;
  ~submission();
};

/* Returns whether two values of a constant differ; padding between its leaves does not count. */
bool differ(const specpi_constant &constant, const void *a, const void *b,
            std::size_t size) noexcept;

/*
 * Images come in versions, of which each has the whole code for the devices that it is for: a
 * module has one, one that was joined has those of all.
 */
class module_impl {
public:
  module_impl(specpi_bundle_state state, std::vector<device_images> versions,
              constant_values values = {}, std::vector<std::string> units = {});

  specpi_bundle_state state() const noexcept {
    return state_;
  }
  const std::vector<device_images> &versions() const noexcept {
    return versions_;
  }
  const device_images &images() const noexcept {
    return images_;
  }
  /* For the host device, which has no images: the units whose code the module is. */
  const std::vector<std::string> &units() const noexcept {
    return units_;
  }
  /* A list of one image of this module; all of them if it is not. */
  const device_images &only(const device_image_ptr &image) const noexcept;
  bool has(const device_image_ptr &image) const noexcept;
  bool has_kernel(const std::string &name) const;
  /* The names of all kernels, each once, sorted. */
  std::vector<std::string> kernels() const;
  bool has_constants() const;

  /* The values that were set here, or in the input module that this was made from. */
  constant_values values() const;
  /* The same, while the caller has hold_values. */
  const constant_values &held_values() const noexcept {
    return values_;
  }
  /* Changes with each value that is set. */
  unsigned long generation() const noexcept {
    return generation_;
  }
  /* Sets a constant, in all images that have it or in none. A value that it has changes nothing. */
  void set(const symbolic_id &id, const void *value, std::size_t size);
  /*
   * The size bytes of a constant's value: what was set, else the default of the first image that
   * has it. Whether there is one.
   */
  bool get(const symbolic_id &id, void *value, std::size_t size) const;
  /* Held while something is made of the values, so that all of it has the same. */
  std::shared_lock<std::shared_mutex> hold_values() const;

private:
  const specpi_bundle_state state_;
  const std::vector<device_images> versions_;
  device_images images_; /* of all versions */
  std::vector<device_images> each_;
  const std::vector<std::string> units_;
  constant_values values_;
  std::atomic<unsigned long> generation_{0};
  mutable std::shared_mutex mutex_; /* of the values, in the bundles, too */
};

using module_ptr = std::shared_ptr<module_impl>;

} // namespace sycl::detail

#endif

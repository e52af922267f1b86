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

/* Marks this thread as being in a command group while the object exists. */
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
 * A module's images are grouped into versions. Each version has all of the module's code for its
 * devices. A module starts with one version; join gives the new module the versions of all.
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
  /* The units whose code the module contains, for the host device, which has no images. */
  const std::vector<std::string> &units() const noexcept {
    return units_;
  }
  /* A list of only that image of this module; all images if the module does not have it. */
  const device_images &only(const device_image_ptr &image) const noexcept;
  bool has(const device_image_ptr &image) const noexcept;
  bool has_kernel(const std::string &name) const;
  /* The names of all kernels, each once, sorted. */
  std::vector<std::string> kernels() const;
  bool has_constants() const;

  /* The values that were set here, or in the input module that this was made from. */
  constant_values values() const;
  /* The same values without a copy. The caller must hold the lock of hold_values. */
  const constant_values &held_values() const noexcept {
    return values_;
  }
  /* A number that changes whenever a value is set. */
  unsigned long generation() const noexcept {
    return generation_;
  }
  /* Sets a constant in all images that have it; after an error in none. Nothing changes if the
   * constant has the value already. */
  void set(const symbolic_id &id, const void *value, std::size_t size);
  /*
   * Copies the size bytes of a constant's value: the one that was set, or else the default of the
   * first image that has one. Returns whether there is a value.
   */
  bool get(const symbolic_id &id, void *value, std::size_t size) const;
  /* Locks the values, so that everything made from them meanwhile has the same values. */
  std::shared_lock<std::shared_mutex> hold_values() const;

private:
  const specpi_bundle_state state_;
  const std::vector<device_images> versions_;
  device_images images_; /* the images of all versions */
  std::vector<device_images> each_;
  const std::vector<std::string> units_;
  constant_values values_;
  std::atomic<unsigned long> generation_{0};
  mutable std::shared_mutex mutex_; /* protects the values here and in the bundles */
};

using module_ptr = std::shared_ptr<module_impl>;

} // namespace sycl::detail

#endif

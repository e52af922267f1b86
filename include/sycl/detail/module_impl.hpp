/*
 * What a module is, without its state in the type: device images for the devices of a context, and
 * the values of their constants. SYCL Modules, "Summary of proposed changes".
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
  submission() noexcept {
    specpiThreadGet()->command_groups++;
  }
  submission(const submission &) = delete;
  submission &operator=(const submission &) = delete;
  ~submission() {
    specpiThreadGet()->command_groups--;
  }
};

/* Whether two values of a constant differ; padding between its leaves does not count. */
inline bool differ(const specpi_constant &constant, const void *a, const void *b,
                   std::size_t size) noexcept {
  const auto *one = static_cast<const unsigned char *>(a);
  const auto *other = static_cast<const unsigned char *>(b);
  for (std::size_t i = 0; i < constant.leaf_count; i++) {
    const specpi_leaf &leaf = constant.leaves[i];
    if (leaf.id != PI_SPEC_ID_PADDING && leaf.offset + leaf.size <= size &&
        std::memcmp(one + leaf.offset, other + leaf.offset, leaf.size) != 0)
      return true;
  }
  return false;
}

/* The constant of that name in an image, or NULL; valid as long as the list. */
inline const specpi_constant *find_constant(const std::vector<specpi_constant> &constants,
                                            const char *id) noexcept {
  for (const specpi_constant &c : constants)
    if (std::strcmp(id, c.name) == 0)
      return &c;
  return nullptr;
}

/*
 * Images come in versions, of which each has the whole code for the devices that it is for: a
 * module has one, one that was joined has those of all.
 */
class module_impl {
public:
  module_impl(specpi_bundle_state state, std::vector<device_images> versions,
              constant_values values = {}, std::vector<std::string> units = {})
      : state_(state), versions_(std::move(versions)), units_(std::move(units)),
        values_(std::move(values)) {
    for (const device_images &version : versions_)
      images_.insert(images_.end(), version.begin(), version.end());
    for (const device_image_ptr &image : images_)
      each_.push_back({image});
  }

  specpi_bundle_state state() const noexcept {
    return state_;
  }
  const std::vector<device_images> &versions() const noexcept {
    return versions_;
  }
  const device_images &images() const noexcept {
    return images_;
  }
  /* Of the host device: the units whose code it is, which has no images. */
  const std::vector<std::string> &units() const noexcept {
    return units_;
  }
  /* A list of one image of this module; all of them if it is not. */
  const device_images &only(const device_image_ptr &image) const noexcept {
    for (const device_images &one : each_)
      if (one.front() == image)
        return one;
    return images_;
  }
  bool has(const device_image_ptr &image) const noexcept {
    return std::find(images_.begin(), images_.end(), image) != images_.end();
  }
  bool has_kernel(const std::string &name) const {
    return std::any_of(images_.begin(), images_.end(),
                       [&](const device_image_ptr &image) { return image->has_kernel(name); });
  }
  /* The names of all kernels, each once, sorted. */
  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (const device_image_ptr &image : images_)
      for (std::string &name : image->kernels())
        names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  bool has_constants() const {
    return std::any_of(images_.begin(), images_.end(),
                       [](const device_image_ptr &image) { return !image->constants().empty(); });
  }

  /* What was set here, or in the input module that this was made of. */
  constant_values values() const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    return values_;
  }
  /* The same, while the caller has hold_values. */
  const constant_values &held_values() const noexcept {
    return values_;
  }
  /* Changes with each value that is set. */
  unsigned long generation() const noexcept {
    return generation_;
  }
  /* Sets a constant, in all images that have it or in none. A value that it has changes nothing. */
  void set(const symbolic_id &id, const void *value, std::size_t size) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    if (values_.has(id, value, size))
      return;
    constant_values changed = values_;
    changed.set(id, value, size);
    few<std::pair<specpi_bundle, std::size_t>, 8> found;
    for (const device_image_ptr &image : images_) {
      const auto &constants = image->constants();
      const specpi_constant *there = find_constant(constants, id.c_str());
      if (!there)
        continue;
      if (there->size > size)
        throw runtime_error(errc::invalid, std::string("constant ") + id.c_str() + " takes " +
                                               std::to_string(there->size) + " bytes, " +
                                               std::to_string(size) + " given");
      found.push_back({image->bundle(), there->size});
    }
    for (const auto &[bundle, bytes] : found)
      check(specpiBundleSet(bundle, id.c_str(), bytes, value));
    values_ = std::move(changed);
    generation_++;
  }
  /*
   * The size bytes of a constant's value: what was set, else the default of the first image that
   * has it. Whether there is one.
   */
  bool get(const symbolic_id &id, void *value, std::size_t size) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    if (const constant_values::entry *set = values_.find(id)) {
      std::memcpy(value, set->bytes.data(), std::min(size, set->bytes.size()));
      return true;
    }
    for (const device_image_ptr &image : images_) {
      const auto &constants = image->constants();
      const specpi_constant *there = find_constant(constants, id.c_str());
      if (there && there->size <= size && there->default_value) {
        std::memcpy(value, there->default_value, there->size);
        return true;
      }
    }
    return false;
  }
  /* Held while something is made of the values, so that all of it has the same. */
  std::shared_lock<std::shared_mutex> hold_values() const {
    return std::shared_lock<std::shared_mutex>(mutex_);
  }

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

/*
 * The state of a kernel_bundle, and the steps from one bundle state to the next. Input bundles
 * share their context's images. Each bundle has its own values, which are set in copies of the
 * images before these are compiled or built.
 */
#ifndef SYCL_DETAIL_KERNEL_BUNDLE_IMPL_HPP
#define SYCL_DETAIL_KERNEL_BUNDLE_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/kernel_id.hpp>

#include <mutex>
#include <optional>

namespace sycl::detail {

struct kernel_bundle_impl {
  kernel_bundle_impl(context c, std::vector<device> d, device_images i, constant_values v = {});

  bool is_host() const noexcept {
    return in.is_host();
  }
  /* On the host device a bundle has all kernels, without images. */
  bool has_kernel(const kernel_id &id) const;
  bool has_kernel(const kernel_id &id, const device &of) const;
  /* The images that have a kernel. */
  device_images images_of(const kernel_id &id) const;
  constant_values values_now() const;

  const context in;
  const std::vector<device> devices; /* without repetitions */
  const device_images images;
  mutable std::mutex mutex; /* protects values, which change in input bundles only */
  constant_values values;   /* of the constants that were set */
};

/* ---- Devices ---- */

bool same_devices(const std::vector<device> &a, const std::vector<device> &b) noexcept;

/* The devices without repetitions. Throws if one is neither in the context nor part of a device in
 * it. */
std::vector<device> devices_in(const context &in, const std::vector<device> &devices);

/* Return whether a device can have bundles in state input (can_compile) or object (can_link). The
 * host device can have all. */
bool can_compile(const device &d);
bool can_link(const device &d);
/* Returns whether an input image can become an executable. An image with native code needs no
 * compiler for that. */
bool can_be_built(const device_image_impl &image);

/* ---- Images ---- */

/* The input images of all units for the devices. Each call returns the same images. */
device_images application_images(const context &in, const std::vector<device> &devices);

device_images images_for(const device &of, const device_images &images);

bool same_images(const device_images &a, const device_images &b) noexcept;

/* Adds the images that to does not contain yet. */
void add(device_images &to, const device_images &images);

/*
 * Links the objects of one device: all together, or, if that is a conflict because two have the
 * same kernel, each with only the objects that it needs.
 */
device_images linked(const device &of, const device_images &objects);

/* Makes object and executable images from input images with these values of constants. */
class image_maker {
public:
  /* kept: the cache of images with all defaults; NULL when there are values. */
  explicit image_maker(const constant_values &values, kept_images *kept = nullptr) noexcept
      : values_(values), kept_(kept) {}

  device_images compile(const device_images &inputs) const;
  device_images build(const std::vector<device> &devices, const device_images &inputs) const;

private:
  template <class Make> device_images once(const kept_images::key &key, const Make &make) const {
    if (!kept_)
      return make();
    const device_images there = kept_->find(key);
    return there.empty() ? kept_->keep(key, make()) : there;
  }
  device_images make(specpi_bundle_state state, bundle_step step,
                     const device_image_ptr &input) const;
  const constant_values &values_;
  kept_images *kept_;
};

/* Links the objects of each device. */
device_images linked(const std::vector<device> &devices, const device_images &objects);

} // namespace sycl::detail

#endif

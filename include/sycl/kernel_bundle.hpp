// kernel_bundle and device_image: SYCL 2020, 4.11.12 and 4.11.14.
#ifndef SYCL_KERNEL_BUNDLE_HPP
#define SYCL_KERNEL_BUNDLE_HPP

#include <sycl/detail/kernel_bundle_impl.hpp>
#include <sycl/kernel.hpp>

namespace sycl {

namespace detail {
struct bundle_access;
}

/*
 * An indivisible part of a bundle, for one device. A copy is the same image. Any thread may use
 * it.
 */
template <bundle_state State> class device_image {
public:
  device_image() = delete;

  bool has_kernel(const kernel_id &id) const noexcept {
    return detail::has_kernel(*impl_, id);
  }
  bool has_kernel(const kernel_id &id, const device &of) const noexcept {
    return impl_->get_device() == of && has_kernel(id);
  }

  friend bool operator==(const device_image &a, const device_image &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const device_image &a, const device_image &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::bundle_access;
  explicit device_image(detail::device_image_ptr impl) noexcept : impl_(std::move(impl)) {}
  detail::device_image_ptr impl_;
};

/*
 * Device images of a context in one state, with values of constants. A copy is the same bundle:
 * a constant set in one is set in the other. Any thread may use it.
 *
 * A bundle for a host device has every kernel and no device image, because kernels are function
 * objects there. Constants can be set there, too, and kernels see their values.
 */
template <bundle_state State> class kernel_bundle {
  template <bundle_state Wanted> using only_in = std::enable_if_t<Wanted == State>;

public:
  /* A forward iterator over const device_image<State>. */
  using device_image_iterator = typename std::vector<device_image<State>>::const_iterator;

  kernel_bundle() = delete;

  /* Returns whether there are no device images. */
  bool empty() const noexcept {
    return images_->empty();
  }
  backend get_backend() const noexcept {
    return impl_->in.get_backend();
  }
  context get_context() const noexcept {
    return impl_->in;
  }
  std::vector<device> get_devices() const noexcept {
    return impl_->devices;
  }

  bool has_kernel(const kernel_id &id) const noexcept {
    return impl_->has_kernel(id);
  }
  bool has_kernel(const kernel_id &id, const device &of) const noexcept {
    return impl_->has_kernel(id, of);
  }
  template <class KernelName> bool has_kernel() const noexcept {
    return has_kernel(get_kernel_id<KernelName>());
  }
  template <class KernelName> bool has_kernel(const device &of) const noexcept {
    return has_kernel(get_kernel_id<KernelName>(), of);
  }
  /*
   * The ids of the bundle's kernels, without repetitions; on a host device all of the
   * application's. /
   */
  std::vector<kernel_id> get_kernel_ids() const {
    std::vector<kernel_id> ids;
    for (const kernel_id &id : sycl::get_kernel_ids())
      if (has_kernel(id))
        ids.push_back(id);
    return ids;
  }

  /* kernel_not_found with errc::invalid: the kernel is not in the bundle. */
  template <bundle_state S = bundle_state::executable, class = only_in<S>>
  kernel get_kernel(const kernel_id &id) const {
    if (!has_kernel(id))
      throw kernel_not_found(std::string("the bundle has no kernel ") + id.get_name());
    return kernel(impl_->in, impl_->images_of(id), id.get_name(),
                  std::make_shared<const detail::constant_values>(impl_->values_now()), impl_);
  }
  template <class KernelName, bundle_state S = bundle_state::executable, class = only_in<S>>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<KernelName>());
  }

  /* Returns whether an image uses any constant; false on a host device. */
  bool contains_specialization_constants() const noexcept {
    return std::any_of(impl_->images.begin(), impl_->images.end(),
                       [](const auto &image) { return !image->constants().empty(); });
  }
  /*
   * Returns whether an image uses any constant, and all images have them as part of the code, not
   * in a buffer that the code reads; false on a host device.
   */
  bool native_specialization_constant() const noexcept {
    return contains_specialization_constants() &&
           std::all_of(impl_->images.begin(), impl_->images.end(),
                       [](const auto &image) { return image->has_native_constants(); });
  }
  /* Returns whether an image uses the constant. */
  template <auto &SpecName> bool has_specialization_constant() const noexcept {
    return std::any_of(impl_->images.begin(), impl_->images.end(), [](const auto &image) {
      return image->has_constant(detail::get_spec_constant_symbolic_ID<SpecName>());
    });
  }
  /*
   * Sets a constant in all images that use it. Bundles made from this one before keep their values.
   */
  template <auto &SpecName, bundle_state S = bundle_state::input, class = only_in<S>>
  void set_specialization_constant(detail::constant_type<SpecName> value) {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->values.set(detail::id_of<SpecName>(), &value, sizeof value);
  }
  /*
   * The value that was set in this bundle or in one that it was made from, or else the default. If
   * bundles with different values were joined or linked, it is the first bundle's; each object's
   * kernels keep the values that the object was compiled with.
   */
  template <auto &SpecName> detail::constant_type<SpecName> get_specialization_constant() const {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    return detail::constant_among<SpecName>(impl_->values);
  }

  device_image_iterator begin() const {
    return images_->begin();
  }
  device_image_iterator end() const {
    return images_->end();
  }

  /* Bundles are equal if they have the same context, devices and images; values do not count. */
  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) noexcept {
    return a.impl_ == b.impl_ || (a.impl_->in == b.impl_->in &&
                                  detail::same_devices(a.impl_->devices, b.impl_->devices) &&
                                  detail::same_images(a.impl_->images, b.impl_->images));
  }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::bundle_access;
  explicit kernel_bundle(std::shared_ptr<detail::kernel_bundle_impl> impl);

  std::shared_ptr<detail::kernel_bundle_impl> impl_;
  std::shared_ptr<const std::vector<device_image<State>>> images_;
};

namespace detail {

struct bundle_access {
  template <bundle_state State> static device_image<State> image(device_image_ptr impl) noexcept {
    return device_image<State>(std::move(impl));
  }
  template <bundle_state State>
  static const device_image_ptr &impl(const device_image<State> &image) noexcept {
    return image.impl_;
  }
  template <bundle_state State>
  static kernel_bundle<State> bundle(std::shared_ptr<kernel_bundle_impl> impl) {
    return kernel_bundle<State>(std::move(impl));
  }
  template <bundle_state State>
  static kernel_bundle<State> bundle(const context &in, std::vector<device> devices,
                                     device_images images, constant_values values = {}) {
    return bundle<State>(std::make_shared<kernel_bundle_impl>(
        in, std::move(devices), std::move(images), std::move(values)));
  }
  template <bundle_state State>
  static const std::shared_ptr<kernel_bundle_impl> &
  impl(const kernel_bundle<State> &bundle) noexcept {
    return bundle.impl_;
  }
};

} // namespace detail

template <bundle_state State>
kernel_bundle<State>::kernel_bundle(std::shared_ptr<detail::kernel_bundle_impl> impl)
    : impl_(std::move(impl)) {
  std::vector<device_image<State>> images;
  images.reserve(impl_->images.size());
  for (const detail::device_image_ptr &image : impl_->images)
    images.push_back(detail::bundle_access::image<State>(image));
  images_ = std::make_shared<const std::vector<device_image<State>>>(std::move(images));
}

} // namespace sycl

template <sycl::bundle_state State> struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State> &image) const noexcept {
    return std::hash<sycl::detail::device_image_ptr>()(sycl::detail::bundle_access::impl(image));
  }
};
template <sycl::bundle_state State> struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &bundle) const noexcept {
    /* Equal bundles may list images and devices in different orders, so hashes are added. */
    std::size_t sum = 0;
    for (const sycl::device_image<State> &image : bundle)
      sum += std::hash<sycl::device_image<State>>()(image);
    for (const sycl::device &d : bundle.get_devices())
      sum += std::hash<sycl::device>()(d);
    return sum;
  }
};

#include <sycl/kernel_bundle_functions.hpp>

#endif

/*
 * A device image in one of the three states, for one device. Kernel bundles, modules and programs
 * consist of device images.
 */
#ifndef SYCL_DETAIL_DEVICE_IMAGE_HPP
#define SYCL_DETAIL_DEVICE_IMAGE_HPP

#include <specpi/host/mangled.hpp>
#include <sycl/detail/constant.hpp>
#include <sycl/device.hpp>
#include <sycl/exception.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sycl::detail {

/* A counted reference to an object of libspecpi. */
template <class Handle, void (*Retain)(Handle), void (*Release)(Handle)> class reference {
public:
  reference() noexcept = default;
  /* Takes over the caller's reference. */
  explicit reference(Handle handle) noexcept : handle_(handle) {}
  reference(const reference &other) noexcept : handle_(other.handle_) {
    Retain(handle_);
  }
  reference(reference &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  reference &operator=(reference other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~reference() {
    Release(handle_);
  }
  Handle get() const noexcept {
    return handle_;
  }
  /* The address at which a function of libspecpi stores a new reference. This must be empty. */
  Handle *out() noexcept {
    return &handle_;
  }
  explicit operator bool() const noexcept {
    return handle_;
  }

private:
  Handle handle_ = nullptr;
};

using bundle_reference = reference<specpi_bundle, specpiBundleRetain, specpiBundleRelease>;
using kernel_reference = reference<specpi_kernel, specpiKernelRetain, specpiKernelRelease>;
using queue_reference = reference<specpi_queue, specpiQueueRetain, specpiQueueRelease>;
using event_reference = reference<specpi_event, specpiEventRetain, specpiEventRelease>;
/* The events that a command waits for. */
using event_references = few<event_reference, 8>;

/* A command's state; SPECPI_EVENT_QUEUED if the driver does not report it. */
specpi_event_state state_of(specpi_event command) noexcept;
using event_handles = few<specpi_event, 16>;

/* The list returned by a function of the form (object, capacity, list, count). */
template <class Element, class Object>
std::vector<Element> list(specpi_result (*get)(Object, std::size_t, Element *, std::size_t *),
                          Object object) {
  std::size_t count = 0;
  check(get(object, 0, nullptr, &count));
  std::vector<Element> elements(count);
  check(get(object, count, elements.data(), &count));
  elements.resize(count);
  return elements;
}

/* The id of the unit that an image was compiled from; "" for images without one. */
std::string unit_of(specpi_image image);

/* The properties of a set; none when the image does not have the set. */
std::vector<specpi_property> properties_of(specpi_image image, const char *set);

/* Returns whether an image has the kernel. */
bool has_kernel(specpi_image image, const std::string &kernel);

/*
 * Returns whether a kernel of an image needs a value for a constant to be built, because it uses
 * the constant, which has no default. If the image does not have the kernel, or if kernel is "", a
 * constant counts as soon as any kernel uses it.
 */
bool needs_value(specpi_image image, const std::string &kernel, const std::string &id);

/* The list without repeated elements, in the order of their first occurrences. */
template <class T> std::vector<T> each_once(const std::vector<T> &all) {
  std::vector<T> once;
  for (const T &one : all)
    if (std::find(once.begin(), once.end(), one) == once.end())
      once.push_back(one);
  return once;
}

/* A function that makes a bundle of a later state: specpiBundleCompile or specpiBundleBuild. */
using bundle_step = specpi_result (*)(specpi_bundle, const char *, specpi_bundle *);

/* An image never changes, so the constructor reads all of its data. */
class device_image_impl {
public:
  device_image_impl(device of, bundle_reference bundle);

  const device &get_device() const noexcept {
    return device_;
  }
  specpi_bundle bundle() const noexcept {
    return bundle_.get();
  }
  specpi_bundle_state state() const noexcept;
  std::vector<std::string> kernels() const;
  /* Takes the name that either the host's or the device's compiler gives to the kernel. */
  bool has_kernel(const std::string &name) const;
  const std::vector<specpi_constant> &constants() const noexcept {
    return constants_;
  }
  bool has_constant(const std::string &id) const noexcept;
  /* Returns whether all constants of the image become part of the code. */
  bool has_native_constants() const noexcept;
  /* The libspecpi images that this was made from. */
  const std::vector<specpi_image> &images() const noexcept {
    return images_;
  }
  bool has_property(const char *set, const std::string &name) const;
  /* The text of a kernel's property in a set; "" if there is none. */
  std::string kernel_property(const char *set, const std::string &kernel) const;
  /* Functions of other images that this image calls. exports(): functions that others may call. */
  const std::vector<std::string> &imported() const noexcept {
    return imported_;
  }
  const std::vector<std::string> &exported() const noexcept {
    return exported_;
  }
  bool exports(const std::string &function) const noexcept;
  /* Returns whether the image was compiled from that unit. */
  bool is_of(const std::string &unit) const;
  /*
   * The values for constants of this image, in the form that libspecpi takes; valid as long as
   * values and this are unchanged. Bytes past a constant's end are padding of the host's type.
   */
  std::vector<specpi_value> values_for(const constant_values &values) const;
  /* A new input bundle of the same images, in which constants have these values. */
  bundle_reference input_with(const constant_values &values) const;
  /*
   * A kernel of an executable image, as it was built; or a kernel of an input image, built through
   * libspecpi's cache with the image's values, of which the given ones replace some.
   */
  kernel_reference kernel(const std::string &name, const constant_values &values) const;

private:
  /* The image's own name for a kernel; NULL if it does not have the kernel. */
  const char *name_of(const std::string &name) const;

  device device_;
  bundle_reference bundle_;
  /* Kernel names, owned by the bundle and valid as long as it. */
  std::vector<const char *> kernels_;
  std::vector<std::string> plain_names_; /* the same names without_marks */
  std::vector<specpi_constant> constants_;
  std::vector<specpi_image> images_;
  std::vector<std::string> imported_;
  std::vector<std::string> exported_;
};

using device_image_ptr = std::shared_ptr<const device_image_impl>;
using device_images = std::vector<device_image_ptr>;

/*
 * The device's image that has the kernel; NULL when there is none. Several images can have a kernel
 * of the name if different units use types of the same name for their kernels; then the unit's.
 */
const device_image_impl *find_image(const device_images &images, const device &of,
                                    const std::string &name, const std::string &unit = {});

/* The kernel of that image; empty when there is no such image. */
kernel_reference find_kernel(const device_images &images, const device &of, const std::string &name,
                             const constant_values &values, const std::string &unit = {});

} // namespace sycl::detail

#endif

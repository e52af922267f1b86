/*
 * A device image in one of the three states, for one device: what kernel_bundle, module and
 * program are made of.
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

/* A reference to an object of libspecpi, released at the end. */
template <class Handle, void (*Retain)(Handle), void (*Release)(Handle)> class reference {
public:
  reference() noexcept = default;
  /* Takes the caller's reference. */
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
  /* Where a function of libspecpi puts a new reference; there must be none yet. */
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

/* SPECPI_EVENT_QUEUED if nobody knows. */
specpi_event_state state_of(specpi_event command) noexcept;
using event_handles = few<specpi_event, 16>;

/* The list that a function of the form (object, capacity, list, count) gives. */
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

/* The id of the unit that an image was compiled from; "" for images that are not of SYCL units. */
std::string unit_of(specpi_image image);

/* The properties of a set; none when the image does not have the set. */
std::vector<specpi_property> properties_of(specpi_image image, const char *set);

/* Returns whether an image has the kernel. */
bool has_kernel(specpi_image image, const std::string &kernel);

/*
 * Returns whether a kernel of an image cannot be built without a value for a constant: one that has
 * no default, and that it uses. For a kernel of other images, or "", every constant counts that any
 * kernel uses.
 */
bool needs_value(specpi_image image, const std::string &kernel, const std::string &id);

/* The same list, each element once, in the order of their first places. */
template <class T> std::vector<T> each_once(const std::vector<T> &all) {
  std::vector<T> once;
  for (const T &one : all)
    if (std::find(once.begin(), once.end(), one) == once.end())
      once.push_back(one);
  return once;
}

/* From a bundle to one of the next state: specpiBundleCompile, specpiBundleBuild. */
using bundle_step = specpi_result (*)(specpi_bundle, const char *, specpi_bundle *);

/* An image never changes: all that can be asked for is read when it is made. */
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
  /* Names of the host's compiler, and of the device's, are taken. */
  bool has_kernel(const std::string &name) const;
  const std::vector<specpi_constant> &constants() const noexcept {
    return constants_;
  }
  bool has_constant(const std::string &id) const noexcept;
  /* Returns whether all its constants become part of the code. */
  bool has_native_constants() const noexcept;
  /* The images that it was made from. */
  const std::vector<specpi_image> &images() const noexcept {
    return images_;
  }
  bool has_property(const char *set, const std::string &name) const;
  /* The text that a set has for a kernel; "" for none. */
  std::string kernel_property(const char *set, const std::string &kernel) const;
  /* The functions of other images that it calls, and those that others may call. */
  const std::vector<std::string> &imported() const noexcept {
    return imported_;
  }
  const std::vector<std::string> &exported() const noexcept {
    return exported_;
  }
  bool exports(const std::string &function) const noexcept;
  /* Returns whether it was compiled from a unit. */
  bool is_of(const std::string &unit) const;
  /*
   * The values that the image has a constant for, as libspecpi takes them; valid as long as values
   * and this are unchanged. Bytes beyond a constant's end are padding of the host's type.
   */
  std::vector<specpi_value> values_for(const constant_values &values) const;
  /* A new input bundle of the same images, in which constants have these values. */
  bundle_reference input_with(const constant_values &values) const;
  /*
   * A kernel: of an executable image as it was built, of an input image built with its
   * values and these in their place, through libspecpi's cache.
   */
  kernel_reference kernel(const std::string &name, const constant_values &values) const;

private:
  /* The name that the image has for a kernel; NULL for none. */
  const char *name_of(const std::string &name) const;

  device device_;
  bundle_reference bundle_;
  /* The bundle's, and valid as long as it. */
  std::vector<const char *> kernels_;
  std::vector<std::string> plain_names_; /* of these */
  std::vector<specpi_constant> constants_;
  std::vector<specpi_image> images_;
  std::vector<std::string> imported_;
  std::vector<std::string> exported_;
};

using device_image_ptr = std::shared_ptr<const device_image_impl>;
using device_images = std::vector<device_image_ptr>;

/*
 * The image of a device that has the kernel of that name; NULL when there is none. Of several,
 * which types of the same name in different units may have named, the one of the unit.
 */
const device_image_impl *find_image(const device_images &images, const device &of,
                                    const std::string &name, const std::string &unit = {});

/* The kernel of that image; none when there is no such image. */
kernel_reference find_kernel(const device_images &images, const device &of, const std::string &name,
                             const constant_values &values, const std::string &unit = {});

} // namespace sycl::detail

#endif

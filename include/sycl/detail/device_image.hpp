/*
 * A device image in one of the three states, for one device: what kernel_bundle, module and
 * program are made of.
 */
#ifndef SYCL_DETAIL_DEVICE_IMAGE_HPP
#define SYCL_DETAIL_DEVICE_IMAGE_HPP

#include <sycl/detail/constant.hpp>
#include <sycl/device.hpp>
#include <sycl/exception.hpp>

#include <memory>
#include <string>
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

class device_image_impl {
public:
  device_image_impl(device of, bundle_reference bundle) noexcept
      : device_(of), bundle_(std::move(bundle)) {}

  const device &get_device() const noexcept {
    return device_;
  }
  specpi_bundle bundle() const noexcept {
    return bundle_.get();
  }
  specpi_bundle_state state() const noexcept {
    return specpiBundleGetState(bundle());
  }
  std::vector<std::string> kernels() const {
    const auto names = list<const char *>(specpiBundleGetKernels, bundle());
    return {names.begin(), names.end()};
  }
  bool has_kernel(const std::string &name) const {
    for (const std::string &k : kernels())
      if (k == name)
        return true;
    return false;
  }
  std::vector<specpi_constant> constants() const {
    return list<specpi_constant>(specpiBundleGetConstants, bundle());
  }
  bool has_constant(const std::string &id) const {
    for (const specpi_constant &c : constants())
      if (id == c.name)
        return true;
    return false;
  }
  /*
   * A kernel: of an executable image as it was built, of an input image built with its
   * values and these in their place, through libspecpi's cache.
   */
  kernel_reference kernel(const std::string &name, const constant_values &values) const {
    kernel_reference made;
    if (state() == SPECPI_BUNDLE_INPUT) {
      /* Constants that the image does not have are of other kernels. */
      std::vector<specpi_value> mine;
      for (const specpi_value &v : values.list())
        if (has_constant(v.name))
          mine.push_back(v);
      check(specpiBundleGetKernel(bundle(), name.c_str(), nullptr, mine.size(), mine.data(),
                                  made.out()));
    } else {
      check(specpiKernelCreate(bundle(), name.c_str(), made.out()));
    }
    return made;
  }

private:
  device device_;
  bundle_reference bundle_;
};

using device_image_ptr = std::shared_ptr<const device_image_impl>;
using device_images = std::vector<device_image_ptr>;

/* The kernel of that name in the images of a device; none when there is no such kernel. */
inline kernel_reference find_kernel(const device_images &images, const device &of,
                                    const std::string &name, const constant_values &values) {
  for (const device_image_ptr &image : images)
    if (image->get_device() == of && image->has_kernel(name))
      return image->kernel(name, values);
  return {};
}

} // namespace sycl::detail

#endif

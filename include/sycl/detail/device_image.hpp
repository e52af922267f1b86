/*
 * A device image in one of the three states, for one device: what kernel_bundle, module and
 * program are made of.
 */
#ifndef SYCL_DETAIL_DEVICE_IMAGE_HPP
#define SYCL_DETAIL_DEVICE_IMAGE_HPP

#include <sycl/detail/constant.hpp>
#include <sycl/detail/mangled.hpp>
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
/* What a command waits for. */
using event_references = few<event_reference, 8>;
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
inline std::string unit_of(specpi_image image) {
  specpi_property property = {};
  std::size_t count = 0;
  check(specpiImageGetProperties(image, "specpi/unit", 1, &property, &count));
  return count && property.bytes
             ? std::string(static_cast<const char *>(property.bytes), property.size)
             : std::string();
}

/* The properties of a set; none when the image does not have the set. */
inline std::vector<specpi_property> properties_of(specpi_image image, const char *set) {
  std::size_t count = 0;
  check(specpiImageGetProperties(image, set, 0, nullptr, &count));
  std::vector<specpi_property> properties(count);
  check(specpiImageGetProperties(image, set, count, properties.data(), &count));
  return properties;
}

/* Whether two names are of one kernel: of the host's compiler, or of the device's. */
inline bool same_kernel(const std::string &a, std::string_view b) {
  return a == b || is_without_marks(a, without_marks(b));
}

/* Whether an image has the kernel. */
inline bool has_kernel(specpi_image image, const std::string &kernel) {
  for (const char *name : list<const char *>(specpiImageGetKernels, image))
    if (same_kernel(kernel, name))
      return true;
  return false;
}

/*
 * Whether a kernel of an image cannot be built without a value for a constant: one that has no
 * default, and that it uses. For a kernel of other images, or "", each counts that any uses.
 */
inline bool needs_value(specpi_image image, const std::string &kernel, const std::string &id) {
  for (const specpi_property &property : properties_of(image, "specpi/required constants")) {
    if (id != property.name)
      continue;
    if (!property.bytes || !has_kernel(image, kernel))
      return true;
    std::string_view users(static_cast<const char *>(property.bytes), property.size);
    for (std::size_t end; (end = users.find('\0')) != users.npos; users.remove_prefix(end + 1))
      if (same_kernel(kernel, users.substr(0, end)))
        return true;
    return false;
  }
  return id.rfind("_ZTS", 0) == 0; /* other compilers say nothing: what a type names has none */
}

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
  device_image_impl(device of, bundle_reference bundle)
      : device_(of), bundle_(std::move(bundle)),
        kernels_(list<const char *>(specpiBundleGetKernels, this->bundle())),
        constants_(list<specpi_constant>(specpiBundleGetConstants, this->bundle())),
        images_(list<specpi_image>(specpiBundleGetImages, this->bundle())) {
    for (const char *name : kernels_)
      plain_names_.push_back(without_marks(name));
    for (specpi_image image : images_) {
      for (const specpi_property &function : properties_of(image, "specpi/imported functions"))
        imported_.push_back(function.name);
      for (const specpi_property &function : properties_of(image, "specpi/exported functions"))
        exported_.push_back(function.name);
    }
  }

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
    return {kernels_.begin(), kernels_.end()};
  }
  /* Names of the host's compiler, and of the device's, are taken. */
  bool has_kernel(const std::string &name) const {
    return name_of(name) != nullptr;
  }
  const std::vector<specpi_constant> &constants() const noexcept {
    return constants_;
  }
  bool has_constant(const std::string &id) const noexcept {
    return std::any_of(constants_.begin(), constants_.end(),
                       [&](const specpi_constant &c) { return id == c.name; });
  }
  /* Whether all constants that there are become part of the code. */
  bool has_native_constants() const noexcept {
    return std::all_of(images_.begin(), images_.end(), [](specpi_image image) {
      std::size_t count = 0;
      return specpiImageGetConstants(image, 0, nullptr, &count) == SPECPI_SUCCESS &&
             (count == 0 || specpiImageHasNativeConstants(image));
    });
  }
  /* What it was made of. */
  const std::vector<specpi_image> &images() const noexcept {
    return images_;
  }
  bool has_property(const char *set, const std::string &name) const {
    for (specpi_image image : images_)
      for (const specpi_property &property : properties_of(image, set))
        if (name == property.name)
          return true;
    return false;
  }
  /* The text that a set has for a kernel; "" for none. */
  std::string kernel_property(const char *set, const std::string &kernel) const {
    const char *name = name_of(kernel);
    for (specpi_image image : images_)
      for (const specpi_property &property : properties_of(image, set))
        if (name && std::string_view(name) == property.name && property.bytes)
          return {static_cast<const char *>(property.bytes), property.size};
    return {};
  }
  /* The functions of other images that it calls, and those that others may call. */
  const std::vector<std::string> &imported() const noexcept {
    return imported_;
  }
  const std::vector<std::string> &exported() const noexcept {
    return exported_;
  }
  bool exports(const std::string &function) const noexcept {
    return std::find(exported_.begin(), exported_.end(), function) != exported_.end();
  }
  /* Whether it was compiled from a unit. */
  bool is_of(const std::string &unit) const {
    return std::any_of(images_.begin(), images_.end(),
                       [&](specpi_image image) { return unit_of(image) == unit; });
  }
  /*
   * The values that the image has a constant for, as libspecpi takes them; valid as long as values
   * and this are unchanged. Bytes beyond a constant's end are padding of the host's type.
   */
  std::vector<specpi_value> values_for(const constant_values &values) const {
    std::vector<specpi_value> mine;
    for (const specpi_constant &c : constants_)
      if (const auto *there = values.find(c.name))
        mine.push_back({c.name, std::min(there->bytes.size(), c.size), there->bytes.data()});
    return mine;
  }
  /* A new input bundle of the same images, in which constants have these values. */
  bundle_reference input_with(const constant_values &values) const {
    bundle_reference made;
    check(specpiBundleCreate(device_.handle(), images_.size(), images_.data(), made.out()));
    const auto mine = values_for(values);
    check(specpiBundleSetMany(made.get(), mine.size(), mine.data()));
    return made;
  }
  /*
   * A kernel: of an executable image as it was built, of an input image built with its
   * values and these in their place, through libspecpi's cache.
   */
  kernel_reference kernel(const std::string &name, const constant_values &values) const {
    kernel_reference made;
    const char *there = name_of(name);
    if (!there)
      there = name.c_str(); /* for libspecpi's sentence */
    if (state() == SPECPI_BUNDLE_INPUT) {
      /* Constants that the image does not have are of other kernels. */
      const auto mine = values_for(values);
      check(specpiBundleGetKernel(bundle(), there, nullptr, mine.size(), mine.data(), made.out()));
    } else {
      check(specpiKernelCreate(bundle(), there, made.out()));
    }
    return made;
  }

private:
  /* The name that the image has for a kernel; NULL for none. */
  const char *name_of(const std::string &name) const {
    for (const char *k : kernels_)
      if (name == k)
        return k;
    for (std::size_t i = 0; i < kernels_.size(); i++)
      if (is_without_marks(name, plain_names_[i]))
        return kernels_[i];
    return nullptr;
  }

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
inline const device_image_impl *find_image(const device_images &images, const device &of,
                                           const std::string &name, const std::string &unit = {}) {
  const device_image_impl *found = nullptr;
  for (const device_image_ptr &image : images) {
    if (image->get_device() != of || !image->has_kernel(name))
      continue;
    if (unit.empty() || image->is_of(unit))
      return image.get();
    if (!found && !is_of_one_unit(name))
      found = image.get();
  }
  return found;
}

/* The kernel of that image; none when there is no such image. */
inline kernel_reference find_kernel(const device_images &images, const device &of,
                                    const std::string &name, const constant_values &values,
                                    const std::string &unit = {}) {
  const device_image_impl *found = find_image(images, of, name, unit);
  return found ? found->kernel(name, values) : kernel_reference();
}

} // namespace sycl::detail

#endif

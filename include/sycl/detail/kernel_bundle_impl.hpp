/*
 * What a kernel_bundle is made of, and the way from one state to the next. The images of input
 * bundles are the context's and shared; values are the bundle's own, and go into copies of the
 * images that are compiled or built.
 */
#ifndef SYCL_DETAIL_KERNEL_BUNDLE_IMPL_HPP
#define SYCL_DETAIL_KERNEL_BUNDLE_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/kernel_id.hpp>

#include <mutex>
#include <optional>

namespace sycl::detail {

struct kernel_bundle_impl {
  kernel_bundle_impl(context c, std::vector<device> d, device_images i, constant_values v = {})
      : in(std::move(c)), devices(std::move(d)), images(std::move(i)), values(std::move(v)) {}

  bool is_host() const noexcept {
    return in.is_host();
  }
  /* On the host device a bundle has all kernels, without images. */
  bool has_kernel(const kernel_id &id) const {
    return is_host() || std::any_of(images.begin(), images.end(), [&](const device_image_ptr &i) {
             return detail::has_kernel(*i, id);
           });
  }
  bool has_kernel(const kernel_id &id, const device &of) const {
    if (is_host())
      return std::find(devices.begin(), devices.end(), of) != devices.end();
    return std::any_of(images.begin(), images.end(), [&](const device_image_ptr &i) {
      return i->get_device() == of && detail::has_kernel(*i, id);
    });
  }
  /* The images that have a kernel. */
  device_images images_of(const kernel_id &id) const {
    device_images some;
    for (const device_image_ptr &i : images)
      if (detail::has_kernel(*i, id))
        some.push_back(i);
    return some;
  }
  constant_values values_now() const {
    const std::lock_guard<std::mutex> lock(mutex);
    return values;
  }

  const context in;
  const std::vector<device> devices; /* each once */
  const device_images images;
  mutable std::mutex mutex; /* of values, which change in input bundles only */
  constant_values values;   /* those that were set */
};

/* ---- Devices ---- */

inline bool contains(const std::vector<device> &all, const device &d) noexcept {
  return std::find(all.begin(), all.end(), d) != all.end();
}

inline bool same_devices(const std::vector<device> &a, const std::vector<device> &b) noexcept {
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const device &d) { return contains(b, d); });
}

/* The devices, each once, if all are of the context or parts of its devices. */
inline std::vector<device> devices_in(const context &in, const std::vector<device> &devices) {
  if (devices.empty())
    throw runtime_error(errc::invalid, "there has to be a device for a kernel bundle");
  const std::vector<device> known = in.get_devices();
  for (const device &d : devices) {
    specpi_device at = d.handle();
    while (!contains(known, device(at))) {
      at = specpiDeviceGetParent(at);
      if (!at)
        throw runtime_error(errc::invalid, "device " + d.get_info<info::device::name>() +
                                               " is neither in the context nor a part of a "
                                               "device in it");
    }
  }
  return each_once(devices);
}

/* Whether there are bundles in state input, or object, for a device. The host device has all. */
inline bool can_compile(const device &d) {
  return d.is_host() || d.has(aspect::online_compiler);
}
inline bool can_link(const device &d) {
  return d.is_host() || d.has(aspect::online_linker);
}
/* Whether an executable can be made of an input image: device code needs no compiler. */
inline bool can_be_built(const device_image_impl &image) {
  const auto &parts = image.images();
  return can_compile(image.get_device()) ||
         std::all_of(parts.begin(), parts.end(), [](specpi_image part) {
           return specpiImageGetFormat(part) == PI_DEVICE_BINARY_TYPE_NATIVE;
         });
}

/* ---- Images ---- */

/* The input images of all units for the devices: the same ones for each call. */
inline device_images application_images(const context &in, const std::vector<device> &devices) {
  device_images all;
  const std::vector<std::string> units = registered_units();
  for (const device &d : devices)
    for (const std::string &unit : units)
      for (const device_image_ptr &image : in.impl()->input_images(d, unit.c_str()))
        all.push_back(image);
  return all;
}

inline device_images images_for(const device &of, const device_images &images) {
  device_images some;
  for (const device_image_ptr &image : images)
    if (image->get_device() == of)
      some.push_back(image);
  return some;
}

inline bool same_images(const device_images &a, const device_images &b) noexcept {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const device_image_ptr &i) {
           return std::find(b.begin(), b.end(), i) != b.end();
         });
}

/* Adds what is not there yet. */
inline void add(device_images &to, const device_images &images) {
  for (const device_image_ptr &image : images)
    if (std::find(to.begin(), to.end(), image) == to.end())
      to.push_back(image);
}

/* Objects of one device as one image. */
inline specpi_result link_all(const device &of, const device_images &objects,
                              device_image_ptr &made) {
  std::vector<specpi_bundle> bundles;
  for (const device_image_ptr &object : objects)
    bundles.push_back(object->bundle());
  bundle_reference executable;
  const specpi_result result =
      specpiBundleLink(bundles.size(), bundles.data(), nullptr, executable.out());
  if (result == SPECPI_SUCCESS)
    made = std::make_shared<device_image_impl>(of, std::move(executable));
  return result;
}

/*
 * An image, and of others those that have the functions which it calls, and which these call. What
 * nobody has the driver finds.
 */
inline device_images with_needed(const device_image_ptr &image, const device_images &others) {
  device_images together = {image};
  for (std::size_t i = 0; i < together.size(); i++) {
    for (const std::string &function : together[i]->imported()) {
      const auto has = [&](const device_image_ptr &one) { return one->exports(function); };
      if (std::any_of(together.begin(), together.end(), has))
        continue;
      const auto other = std::find_if(others.begin(), others.end(), has);
      if (other != others.end())
        together.push_back(*other);
    }
  }
  return together;
}

/*
 * Links the objects of one device: all together, or each with what it needs, where they contradict
 * each other because two have the same kernel.
 */
inline device_images linked(const device &of, const device_images &objects) {
  if (objects.empty())
    return {};
  device_image_ptr made;
  const specpi_result result = link_all(of, objects, made);
  if (result == SPECPI_SUCCESS)
    return {made};
  if (result != SPECPI_ERROR_CONFLICT || objects.size() == 1)
    fail(result);
  device_images all;
  for (const device_image_ptr &object : objects) {
    check(link_all(of, with_needed(object, objects), made));
    all.push_back(made);
  }
  return all;
}

/* Makes images of other states of input images, in which constants have these values. */
class image_maker {
public:
  /* kept: where images with all defaults are kept; NULL when there are values. */
  explicit image_maker(const constant_values &values, kept_images *kept = nullptr) noexcept
      : values_(values), kept_(kept) {}

  device_images compile(const device_images &inputs) const {
    device_images all;
    for (const device_image_ptr &input : inputs)
      add(all, make(SPECPI_BUNDLE_OBJECT, specpiBundleCompile, input));
    return all;
  }
  device_images build(const std::vector<device> &devices, const device_images &inputs) const {
    device_images all;
    for (const device &d : devices)
      for (const device_image_ptr &input : images_for(d, inputs))
        add(all, make(SPECPI_BUNDLE_EXECUTABLE, specpiBundleBuild, input));
    return all;
  }

private:
  template <class Make> device_images once(const kept_images::key &key, const Make &make) const {
    if (!kept_)
      return make();
    const device_images there = kept_->find(key);
    return there.empty() ? kept_->keep(key, make()) : there;
  }
  device_images make(specpi_bundle_state state, bundle_step step,
                     const device_image_ptr &input) const {
    return once({state, {input}}, [&] {
      const bundle_reference source = input->input_with(values_);
      bundle_reference made;
      check(step(source.get(), nullptr, made.out()));
      return device_images{
          std::make_shared<device_image_impl>(input->get_device(), std::move(made))};
    });
  }
  const constant_values &values_;
  kept_images *kept_;
};

/* Objects of several devices, linked. */
inline device_images linked(const std::vector<device> &devices, const device_images &objects) {
  device_images all;
  for (const device &d : devices)
    add(all, linked(d, images_for(d, objects)));
  return all;
}

} // namespace sycl::detail

#endif

/*
 * Functions that get, query, join, compile, link and build kernel bundles: SYCL 2020, 4.11.6 to
 * 4.11.11. Part of kernel_bundle.hpp, which includes this file.
 *
 * Any thread may call them. A call that fails makes no bundle. If a compiler or linker fails, the
 * exception is compile_program_error with errc::build and the start of the output;
 * specpiGetBuildLog has all of it.
 */
#ifndef SYCL_KERNEL_BUNDLE_FUNCTIONS_HPP
#define SYCL_KERNEL_BUNDLE_FUNCTIONS_HPP

#include <sycl/kernel_bundle.hpp>
#include <sycl/property_list.hpp>

namespace sycl {

namespace detail {

template <bundle_state State, class Selector>
using if_image_selector =
    std::enable_if_t<std::is_invocable_r_v<bool, Selector &, const device_image<State> &>>;

/* Throws when a device cannot have images of a state. */
template <bundle_state State> void require_state(const std::vector<device> &devices) {
  for (const device &d : devices) {
    if (State == bundle_state::input && !can_compile(d))
      throw runtime_error(errc::invalid, "device " + d.get_info<info::device::name>() +
                                             " has no online compiler, so there are no bundles in "
                                             "state input for it");
    if (State == bundle_state::object && !can_link(d))
      throw runtime_error(errc::invalid, "device " + d.get_info<info::device::name>() +
                                             " has no online linker, so there are no bundles in "
                                             "state object for it");
  }
}

/* Makes a bundle from input images, which are compiled or built if the state requires that. */
template <bundle_state State>
kernel_bundle<State> bundle_of(const context &in, std::vector<device> devices,
                               device_images images) {
  const constant_values defaults;
  const image_maker maker(defaults, &in.impl()->kept);
  if (State == bundle_state::object)
    images = maker.compile(images);
  if (State == bundle_state::executable)
    images = maker.build(devices, images);
  return bundle_access::bundle<State>(in, std::move(devices), std::move(images));
}

/* Returns whether one of the devices has an image with the kernel; a host device needs none. */
bool is_in(const device_images &images, const std::vector<device> &devices, const kernel_id &id);

} // namespace detail

/* ---- Getting a bundle ---- */

/*
 * A bundle of all kernels of the application that suit at least one of the devices. Constants have
 * their defaults. A context makes objects and executables once, and later calls return the same
 * images.
 *
 * errc::invalid: there are no devices, a device is neither in the context nor a part of a device in
 * it, or a device lacks the compiler (state input) or linker (state object) for such bundles.
 * errc::build.
 */
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &devices) {
  std::vector<device> all = detail::devices_in(in, devices);
  detail::require_state<State>(all);
  detail::device_images images = detail::application_images(in, all);
  return detail::bundle_of<State>(in, std::move(all), std::move(images));
}
/*
 * A bundle of the device images with at least one of these kernels. The images may have other
 * kernels, too. errc::invalid: as above, or one of the kernels suits none of the devices.
 */
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &ids) {
  std::vector<device> all = detail::devices_in(in, devices);
  detail::require_state<State>(all);
  const detail::device_images application = detail::application_images(in, all);
  for (const kernel_id &id : ids)
    if (!detail::is_in(application, all, id))
      throw kernel_not_found(errc::invalid, std::string("none of the devices has an image with "
                                                        "kernel ") +
                                                id.get_name());
  detail::device_images some;
  for (const detail::device_image_ptr &image : application)
    if (std::any_of(ids.begin(), ids.end(),
                    [&](const kernel_id &id) { return detail::has_kernel(*image, id); }))
      some.push_back(image);
  return detail::bundle_of<State>(in, std::move(all), std::move(some));
}
/*
 * A bundle of the device images for which selector(const device_image<State> &) returns true. The
 * selector is called once for each image of the application in the state. These are all in state
 * input, and none is compiled for the call: in other states the bundle is empty.
 */
template <bundle_state State, class Selector, class = detail::if_image_selector<State, Selector>>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &devices,
                                       Selector selector) {
  std::vector<device> all = detail::devices_in(in, devices);
  detail::require_state<State>(all);
  detail::device_images some;
  if (State == bundle_state::input)
    for (const detail::device_image_ptr &image : detail::application_images(in, all))
      if (selector(detail::bundle_access::image<State>(image)))
        some.push_back(image);
  return detail::bundle_access::bundle<State>(in, std::move(all), std::move(some));
}
/* The same for all devices of the context. */
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &in) {
  return get_kernel_bundle<State>(in, in.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<kernel_id> &ids) {
  return get_kernel_bundle<State>(in, in.get_devices(), ids);
}
template <bundle_state State, class Selector, class = detail::if_image_selector<State, Selector>>
kernel_bundle<State> get_kernel_bundle(const context &in, Selector selector) {
  return get_kernel_bundle<State>(in, in.get_devices(), std::move(selector));
}
/* The same for the kernel that a type names. */
template <class KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in) {
  return get_kernel_bundle<State>(in, in.get_devices(), {get_kernel_id<KernelName>()});
}
template <class KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(in, devices, {get_kernel_id<KernelName>()});
}

/* ---- Asking whether there is a bundle ---- */

/*
 * Returns whether get_kernel_bundle would find a kernel and the devices can have images of the
 * state. For executables, the images have to be native code, or their device needs a compiler.
 * errc::invalid: there are no devices, or one is neither in the context nor a part of a device in
 * it.
 */
template <bundle_state State>
bool has_kernel_bundle(const context &in, const std::vector<device> &devices) {
  const std::vector<device> all = detail::devices_in(in, devices);
  const auto suits = [](const device &d) {
    return (State != bundle_state::input || detail::can_compile(d)) &&
           (State != bundle_state::object || detail::can_link(d));
  };
  if (!std::all_of(all.begin(), all.end(), suits))
    return false;
  if (in.is_host())
    return true;
  const detail::device_images images = detail::application_images(in, all);
  return std::any_of(images.begin(), images.end(), [](const auto &image) {
    return !image->kernels().empty() &&
           (State != bundle_state::executable || detail::can_be_built(*image));
  });
}
/* Returns the same, and requires that each of the kernels suits at least one of the devices. */
template <bundle_state State>
bool has_kernel_bundle(const context &in, const std::vector<device> &devices,
                       const std::vector<kernel_id> &ids) {
  if (!has_kernel_bundle<State>(in, devices))
    return false;
  const std::vector<device> all = detail::devices_in(in, devices);
  const detail::device_images images = detail::application_images(in, all);
  return std::all_of(ids.begin(), ids.end(),
                     [&](const kernel_id &id) { return detail::is_in(images, all, id); });
}
template <bundle_state State> bool has_kernel_bundle(const context &in) {
  return has_kernel_bundle<State>(in, in.get_devices());
}
template <bundle_state State>
bool has_kernel_bundle(const context &in, const std::vector<kernel_id> &ids) {
  return has_kernel_bundle<State>(in, in.get_devices(), ids);
}
template <class KernelName, bundle_state State> bool has_kernel_bundle(const context &in) {
  return has_kernel_bundle<State>(in, in.get_devices(), {get_kernel_id<KernelName>()});
}
template <class KernelName, bundle_state State>
bool has_kernel_bundle(const context &in, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(in, devices, {get_kernel_id<KernelName>()});
}

/* Returns whether all these kernels have images that suit the device. A host device runs every
 * kernel. */
bool is_compatible(const std::vector<kernel_id> &ids, const device &of);
template <class KernelName> bool is_compatible(const device &of) {
  return is_compatible({get_kernel_id<KernelName>()}, of);
}

/* ---- Joining ---- */

/*
 * A new bundle with the images of all bundles, without repetitions, and with all values that were
 * set. If bundles have different values of a constant, the first bundle's counts.
 *
 * errc::invalid: there are no bundles, or their contexts or devices are not the same.
 */
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty())
    throw runtime_error(errc::invalid, "there is no bundle to join, and so no context");
  const auto &first = detail::bundle_access::impl(bundles.front());
  detail::device_images images;
  detail::constant_values values;
  for (const kernel_bundle<State> &bundle : bundles) {
    const auto &impl = detail::bundle_access::impl(bundle);
    if (impl->in != first->in || !detail::same_devices(impl->devices, first->devices))
      throw runtime_error(errc::invalid, "the bundles that are joined have to be of the same "
                                         "context and the same devices");
    detail::add(images, impl->images);
    values.add(impl->values_now());
  }
  return detail::bundle_access::bundle<State>(first->in, first->devices, std::move(images),
                                              std::move(values));
}

/* ---- Compiling, linking and building ---- */

namespace detail {

device_images images_for(const std::vector<device> &devices, const device_images &images);

} // namespace detail

/*
 * Compiles the bundle's images for these devices with its present values.
 *
 * errc::invalid: there are no devices, or one is not the bundle's. errc::build.
 */
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const std::vector<device> &devices,
                                            const property_list & = {});
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const property_list &properties = {});

/*
 * Links the bundles' images for these devices. All images of a device are linked together, so that
 * they can use each other's functions; if two have the same kernel, each is linked with only the
 * images that it needs.
 *
 * errc::invalid: there are no bundles or no devices; the bundles are not of one context; a device
 * is not in every bundle. errc::build.
 */
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const std::vector<device> &devices, const property_list & = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const std::vector<device> &devices,
                                             const property_list &properties = {});
/* Links for the devices that all bundles have in common. */
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const property_list &properties = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const property_list &properties = {});

/*
 * Compiles the bundle's images for these devices with its present values, and links them. The cache
 * supplies images that were built before, by any process. Errors are those of compile.
 */
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const std::vector<device> &devices,
                                              const property_list & = {});
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const property_list &properties = {});

} // namespace sycl

#endif

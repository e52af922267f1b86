/*
 * Functions that get, query, join, compile, link and build kernel bundles: SYCL 2020, 4.11.6 to
 * 4.11.11. Part of kernel_bundle.hpp, which includes this file.
 *
 * All may be called from any thread. A failure makes nothing. A refusal by a compiler or linker is
 * compile_program_error, errc::build, with the start of its output; specpiGetBuildLog has all.
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

/* A bundle of input images, which are compiled or built as the state asks for. */
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
 * All kernels of the application that suit at least one of the devices. Constants have their
 * defaults. Objects and executables are made once for a context: who asks again gets the same
 * images.
 *
 * errc::invalid: there is no device, or one that is neither in the context nor a part of a device
 * in it; or one without the compiler (input) or linker (object) that bundles of the state need.
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
 * The device images with at least one of these kernels, which may have others, too.
 * errc::invalid: also if one of the kernels suits none of the devices.
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
 * The device images for which selector(const device_image<State> &) is true. It is called once
 * for each image of the application, which are all in state input: nothing is compiled for it, so
 * in other states the bundle is empty.
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

/* ---- Asking whether there is one ---- */

/*
 * Returns whether get_kernel_bundle would find a kernel, with devices that can have images of the
 * state; for executables, images whose code their device does not have to compile, or can.
 * errc::invalid: there is no device, or one that is neither in the context nor a part of a device
 * in it.
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
/* Also each of the kernels suits at least one of the devices. */
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
 * A new bundle with the images of all, each once, and the values that were set in them; of several
 * values of a constant the first bundle's.
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
 * The images of the bundle for these devices, compiled with the values that it has now.
 *
 * errc::invalid: there is no device, or one that is not the bundle's. errc::build.
 */
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const std::vector<device> &devices,
                                            const property_list & = {});
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const property_list &properties = {});

/*
 * The images of the bundles for these devices, each once, linked: all of a device together, so that
 * they can use each other's functions; each by itself if that cannot be, because two have the same
 * kernel.
 *
 * errc::invalid: there is no bundle or no device; the bundles are not of one context; a device is
 * not one of all bundles. errc::build.
 */
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const std::vector<device> &devices, const property_list & = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const std::vector<device> &devices,
                                             const property_list &properties = {});
/* For the devices that all bundles have. */
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const property_list &properties = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const property_list &properties = {});

/*
 * The images of the bundle for these devices, compiled with the values that it has now, and linked.
 * What was built before, by anybody, comes from the cache. Errors as compile.
 */
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const std::vector<device> &devices,
                                              const property_list & = {});
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const property_list &properties = {});

} // namespace sycl

#endif

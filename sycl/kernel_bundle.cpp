// Kernel bundles of SYCL 2020.
#include <sycl/sycl.hpp>

namespace sycl::detail {

kernel_bundle_impl::kernel_bundle_impl(context c, std::vector<device> d, device_images i,
                                       constant_values v)
    : in(std::move(c)), devices(std::move(d)), images(std::move(i)), values(std::move(v)) {}

bool kernel_bundle_impl::has_kernel(const kernel_id &id) const {
  return is_host() || std::any_of(images.begin(), images.end(), [&](const device_image_ptr &i) {
           return detail::has_kernel(*i, id);
         });
}

bool kernel_bundle_impl::has_kernel(const kernel_id &id, const device &of) const {
  if (is_host())
    return contains(devices, of);
  return std::any_of(images.begin(), images.end(), [&](const device_image_ptr &i) {
    return i->get_device() == of && detail::has_kernel(*i, id);
  });
}

device_images kernel_bundle_impl::images_of(const kernel_id &id) const {
  device_images some;
  for (const device_image_ptr &i : images)
    if (detail::has_kernel(*i, id))
      some.push_back(i);
  return some;
}

constant_values kernel_bundle_impl::values_now() const {
  const std::lock_guard<std::mutex> lock(mutex);
  return values;
}

bool same_devices(const std::vector<device> &a, const std::vector<device> &b) noexcept {
  return a.size() == b.size() &&
         std::all_of(a.begin(), a.end(), [&](const device &d) { return contains(b, d); });
}

std::vector<device> devices_in(const context &in, const std::vector<device> &devices) {
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

bool can_compile(const device &d) {
  return d.is_host() || d.has(aspect::online_compiler);
}

bool can_link(const device &d) {
  return d.is_host() || d.has(aspect::online_linker);
}

bool can_be_built(const device_image_impl &image) {
  const auto &parts = image.images();
  return can_compile(image.get_device()) ||
         std::all_of(parts.begin(), parts.end(), [](specpi_image part) {
           return specpiImageGetFormat(part) == PI_DEVICE_BINARY_TYPE_NATIVE;
         });
}

device_images application_images(const context &in, const std::vector<device> &devices) {
  device_images all;
  const std::vector<std::string> units = registered_units();
  for (const device &d : devices)
    for (const std::string &unit : units)
      for (const device_image_ptr &image : in.impl()->input_images(d, unit.c_str()))
        all.push_back(image);
  return all;
}

device_images images_for(const device &of, const device_images &images) {
  device_images some;
  for (const device_image_ptr &image : images)
    if (image->get_device() == of)
      some.push_back(image);
  return some;
}

bool same_images(const device_images &a, const device_images &b) noexcept {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const device_image_ptr &i) {
           return std::find(b.begin(), b.end(), i) != b.end();
         });
}

void add(device_images &to, const device_images &images) {
  for (const device_image_ptr &image : images)
    if (std::find(to.begin(), to.end(), image) == to.end())
      to.push_back(image);
}

/* Links objects of one device to one image. */
static specpi_result link_all(const device &of, const device_images &objects,
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
 * An image, with the other images that define the functions that it calls, directly or through
 * them. For a function that no image defines, the driver reports the error.
 */
static device_images with_needed(const device_image_ptr &image, const device_images &others) {
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

device_images linked(const device &of, const device_images &objects) {
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

device_images image_maker::compile(const device_images &inputs) const {
  device_images all;
  for (const device_image_ptr &input : inputs)
    add(all, make(SPECPI_BUNDLE_OBJECT, specpiBundleCompile, input));
  return all;
}

device_images image_maker::build(const std::vector<device> &devices,
                                 const device_images &inputs) const {
  device_images all;
  for (const device &d : devices)
    for (const device_image_ptr &input : images_for(d, inputs))
      add(all, make(SPECPI_BUNDLE_EXECUTABLE, specpiBundleBuild, input));
  return all;
}

device_images image_maker::make(specpi_bundle_state state, bundle_step step,
                                const device_image_ptr &input) const {
  return once({state, {input}}, [&] {
    const bundle_reference source = input->input_with(values_);
    bundle_reference made;
    check(step(source.get(), nullptr, made.out()));
    return device_images{std::make_shared<device_image_impl>(input->get_device(), std::move(made))};
  });
}

device_images linked(const std::vector<device> &devices, const device_images &objects) {
  device_images all;
  for (const device &d : devices)
    add(all, linked(d, images_for(d, objects)));
  return all;
}

} // namespace sycl::detail

namespace sycl {

kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  if (impl_->bundle)
    return detail::bundle_access::bundle<bundle_state::executable>(impl_->bundle);
  return detail::bundle_access::bundle<bundle_state::executable>(
      get_context(), get_context().get_devices(), images(),
      program_values() ? *program_values() : detail::constant_values());
}

} // namespace sycl

namespace sycl::detail {

bool is_in(const device_images &images, const std::vector<device> &devices, const kernel_id &id) {
  return std::any_of(devices.begin(), devices.end(), [](const device &d) { return d.is_host(); }) ||
         std::any_of(images.begin(), images.end(),
                     [&](const device_image_ptr &image) { return has_kernel(*image, id); });
}

} // namespace sycl::detail

namespace sycl {

bool is_compatible(const std::vector<kernel_id> &ids, const device &of) {
  if (of.is_host())
    return true;
  detail::device_images images;
  for (const std::string &unit : detail::registered_units())
    detail::add(images, detail::unit_images(of, unit.c_str()));
  return std::all_of(ids.begin(), ids.end(),
                     [&](const kernel_id &id) { return detail::is_in(images, {of}, id); });
}

} // namespace sycl

namespace sycl::detail {

/* The devices without repetitions. Throws if the bundle does not have all of them. */
static std::vector<device> devices_of(const kernel_bundle_impl &bundle,
                                      const std::vector<device> &devices) {
  if (devices.empty())
    throw runtime_error(errc::invalid, "there is no device to compile, link or build for");
  for (const device &d : devices)
    if (!contains(bundle.devices, d))
      throw runtime_error(errc::invalid, "device " + d.get_info<info::device::name>() +
                                             " is not one of the bundle's");
  return each_once(devices);
}

device_images images_for(const std::vector<device> &devices, const device_images &images) {
  device_images some;
  for (const device &d : devices)
    add(some, images_for(d, images));
  return some;
}

} // namespace sycl::detail

namespace sycl {

kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const std::vector<device> &devices,
                                            const property_list &) {
  const auto &impl = detail::bundle_access::impl(input);
  std::vector<device> some = detail::devices_of(*impl, devices);
  detail::constant_values values = impl->values_now();
  detail::device_images images =
      detail::image_maker(values).compile(detail::images_for(some, impl->images));
  return detail::bundle_access::bundle<bundle_state::object>(impl->in, std::move(some),
                                                             std::move(images), std::move(values));
}

kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &input,
                                            const property_list &properties) {
  return compile(input, input.get_devices(), properties);
}

kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const std::vector<device> &devices, const property_list &) {
  if (objects.empty())
    throw runtime_error(errc::invalid, "there is no bundle to link, and so no context");
  const context in = objects.front().get_context();
  std::vector<device> some;
  detail::device_images images;
  detail::constant_values values;
  for (const auto &object : objects) {
    const auto &impl = detail::bundle_access::impl(object);
    if (impl->in != in)
      throw runtime_error(errc::invalid, "the bundles that are linked have to be of one context");
    some = detail::devices_of(*impl, devices);
    detail::add(images, impl->images);
    values.add(impl->values);
  }
  images = detail::linked(some, images);
  return detail::bundle_access::bundle<bundle_state::executable>(
      in, std::move(some), std::move(images), std::move(values));
}

kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const std::vector<device> &devices,
                                             const property_list &properties) {
  return link(std::vector{object}, devices, properties);
}

kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>> &objects,
     const property_list &properties) {
  std::vector<device> common;
  if (!objects.empty())
    for (const device &d : objects.front().get_devices())
      if (std::all_of(objects.begin(), objects.end(), [&](const auto &object) {
            return detail::contains(object.get_devices(), d);
          }))
        common.push_back(d);
  return link(objects, common, properties);
}

kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &object,
                                             const property_list &properties) {
  return link(std::vector{object}, object.get_devices(), properties);
}

kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const std::vector<device> &devices,
                                              const property_list &) {
  const auto &impl = detail::bundle_access::impl(input);
  std::vector<device> some = detail::devices_of(*impl, devices);
  detail::constant_values values = impl->values_now();
  detail::device_images images = detail::image_maker(values).build(some, impl->images);
  return detail::bundle_access::bundle<bundle_state::executable>(
      impl->in, std::move(some), std::move(images), std::move(values));
}

kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &input,
                                              const property_list &properties) {
  return build(input, input.get_devices(), properties);
}

} // namespace sycl

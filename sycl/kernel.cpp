// Kernels and their names.
#include <specpi/host/kernel_names.hpp>
#include <specpi/host/object_moves.hpp>
#include <sycl/sycl.hpp>

namespace sycl::detail {

void register_kernel(const char *unit, const std::string &name, void *place) {
  const std::string id = unit + ("___" + name);
  __register_uniquely_identifiable_object(place, id.c_str(), kernel_name_kind);
}

/* The unit's kernels in images and on the host. The kernel named one may not be registered yet,
 * because a constructor launches it, and is added to the host's. */
static kernel_lists lists_of(const std::string &unit, const std::string &one) {
  kernel_lists lists;
  lists.ours.push_back(one);
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      for (const char *kernel : list<const char *>(specpiImageGetKernels, image))
        lists.theirs.emplace_back(kernel);
  for_each_host_kernel([&](const std::string &of, std::string kernel) {
    if (of == unit)
      lists.ours.push_back(std::move(kernel));
  });
  lists.sort();
  return lists;
}

image_kernel find_image_kernel(const std::string &unit, const std::string &name) {
  if (name.find("$_") != name.npos)
    return {name + " (clang numbers lambdas as images do with -Xclang -fsycl-is-host)", false};
  if (lambda_numbers(name).numbers.empty() && name.find("L_Z") == name.npos)
    return {name, true};
  image_kernel found = lists_of(unit, name).find(name);
  if (!found.is_certain && found.name == name)
    for_each_host_kernel([&](const std::string &other, const std::string &kernel) {
      if (!found.is_certain && kernel == name && other != unit)
        found = lists_of(other, name).find(name);
    });
  return found;
}

} // namespace sycl::detail

namespace sycl {

const char *kernel_id::get_name() const noexcept {
  return names_->first.c_str();
}

kernel_id::kernel_id(names both) : names_(std::make_shared<const names>(std::move(both))) {}

} // namespace sycl

namespace sycl::detail {

kernel_id kernel_id_access::make(const std::string &name, const std::string &unit) {
  return kernel_id({without_marks(name), is_of_one_unit(name) ? unit : std::string()});
}

const std::string &kernel_id_access::unit(const kernel_id &id) noexcept {
  return id.names_->second;
}

bool has_kernel(const device_image_impl &image, const kernel_id &id) {
  const std::string &unit = kernel_id_access::unit(id);
  return image.has_kernel(id.get_name()) && (unit.empty() || image.is_of(unit));
}

} // namespace sycl::detail

namespace sycl {

std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> ids;
  for (specpi_image image : detail::registered_images()) {
    const std::string unit = detail::unit_of(image);
    if (unit.empty())
      continue;
    for (const char *name : detail::list<const char *>(specpiImageGetKernels, image)) {
      const kernel_id id = detail::kernel_id_access::make(name, unit);
      if (std::find(ids.begin(), ids.end(), id) == ids.end())
        ids.push_back(id);
    }
  }
  return ids;
}

kernel::kernel(context of, detail::device_images images, std::string name,
               std::shared_ptr<const detail::constant_values> program_values,
               std::shared_ptr<detail::kernel_bundle_impl> bundle)
    : impl_(std::make_shared<const state>(state{std::move(of), std::move(images), std::move(name),
                                                std::move(program_values), std::move(bundle)})) {}

backend kernel::get_backend() const noexcept {
  return impl_->of.get_backend();
}

bool kernel::is_host() const noexcept {
  return impl_->of.is_host();
}

specpi_kernel_info kernel::on_host() noexcept {
  specpi_kernel_info info = {};
  info.group_size = detail::host_group_size;
  info.preferred_multiple = 1;
  return info;
}

detail::built_kernel kernel::built_for(const device &on) const {
  const detail::kernel_reference found =
      detail::find_kernel(images(), on, name(), detail::constant_values());
  if (!found)
    throw invalid_object_error(errc::invalid, "kernel " + name() + " has no code for " +
                                                  on.get_info<info::device::name>());
  return detail::built_kernel(found);
}

std::uint32_t kernel::ask(info::kernel::num_args) const {
  /* Take a device that the kernel has code for; it may not be the context's first one. */
  device of = impl_->of.get_devices().front();
  for (const detail::device_image_ptr &image : images())
    if (image->has_kernel(name()))
      of = image->get_device();
  return static_cast<std::uint32_t>(built_for(of).info.argument_count);
}

range<3> kernel::ask(info::kernel_device_specific::compile_work_group_size,
                     const specpi_kernel_info &info) noexcept {
  return {info.required[2], info.required[1], info.required[0]};
}

} // namespace sycl

namespace sycl::detail {

built_kernel::built_kernel(kernel_reference of, object_moves_ptr how)
    : kernel(std::move(of)), moves(std::move(how)) {
  check(specpiKernelGetInfo(kernel.get(), &info));
}

kernel_cache::entry::entry(const kernel_key &key, built_kernel of)
    : unit(key.unit), name(key.name), has_images(key.images),
      images(key.images ? *key.images : device_images()), constants(key.constants),
      kernel(std::move(of)) {}

bool kernel_cache::entry::is(const kernel_key &key) const noexcept {
  /*
   * The unit is compared, too, because images of several units may have kernels of the same name.
   */
  return name == key.name && unit == key.unit && has_images == (key.images != nullptr) &&
         (!has_images || images == *key.images) &&
         same(constants.entries(), key.constants.entries());
}

bool kernel_cache::entry::same(const constant_values::list &a,
                               const constant_values::list &b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
    return x.bytes == y.bytes && x.id == y.id;
  });
}

} // namespace sycl::detail

// Kernels and their names.
#include <sycl/sycl.hpp>

namespace sycl::detail {

lambda_numbers::lambda_numbers(const std::string &name) {
  for (std::size_t at = 0; at < name.size(); at++) {
    rest += name[at];
    if (name[at] != 'E')
      continue;
    std::size_t end = at + 1;
    long number = -1;
    while (end < name.size() && is_digit(name[end]) && number < 100000)
      number = (number < 0 ? 0 : number * 10) + (name[end++] - '0');
    if (end < name.size() && name[end] == '_') {
      numbers.push_back(number);
      at = end - 1;
    }
  }
}

std::string without_variables(std::string name) {
  for (std::size_t at = name.find("MUl"); at != name.npos; at = name.find("MUl", at)) {
    std::size_t begin = at;
    for (std::size_t size = at; size > 0; size--) {
      const std::string digits = std::to_string(size);
      if (size + digits.size() > at ||
          name.compare(at - size - digits.size(), digits.size(), digits))
        continue;
      begin = at - size - digits.size();
      break;
    }
    begin -= begin < at && begin > 0 && name[begin - 1] == 'L' ? 1 : 0;
    name.erase(begin, at + 1 - begin);
    at = begin;
  }
  for (std::size_t at = name.find('S'); at != name.npos; at = name.find('S', at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != name.npos && name[end] == '_')
      name.erase(at + 1, end - at - 1);
  }
  /* One that is a variable's own was nested in it. */
  if (name.compare(0, 7, "_ZTSNUl") == 0 && name.back() == 'E')
    name = "_ZTS" + name.substr(5, name.size() - 6);
  return name;
}

/* The position after a part of a nested name; name.size() for a part that is no plain name. */
static std::size_t end_of_part(const std::string &name, std::size_t at) {
  at += name[at] == 'L' ? 1 : 0;
  if (name[at] == 'S')
    return std::min(name.find('_', at), name.size() - 1) + 1;
  std::size_t length = 0;
  const std::size_t begin = at;
  while (at < name.size() && is_digit(name[at]) && length < name.size())
    length = length * 10 + static_cast<std::size_t>(name[at++] - '0');
  return at == begin ? name.size() : std::min(at + length, name.size());
}

/*
 * A mangled name in which variables that are template arguments have lost their namespaces: GCC
 * writes L_ZN1n1vEE for an extern "C" variable of a namespace, clang L_Z1vE.
 */
static std::string without_qualifiers(std::string name) {
  for (std::size_t at = name.find("L_ZN"); at != name.npos; at = name.find("L_ZN", at + 1)) {
    std::size_t last = at + 4;
    std::size_t end = last;
    while (end < name.size() && name[end] != 'E') {
      last = end;
      end = end_of_part(name, end);
    }
    if (name.compare(end, 2, "EE") == 0)
      name = name.substr(0, at + 3) + name.substr(last, end - last) + name.substr(end + 1);
  }
  return without_marks(without_variables(std::move(name)));
}

void register_kernel(const char *unit, const std::string &name, void *place) {
  const std::string id = unit + ("___" + name);
  __register_uniquely_identifiable_object(place, id.c_str(), kernel_name_kind);
}

/* Those of a list that differ from a name in numbers only, by these numbers, each once. Empty if
 * numbers do not tell one from another. */
static std::vector<std::string> like(const std::string &name, const std::vector<std::string> &names,
                                     name_form form) {
  const lambda_numbers wanted(form(name));
  std::vector<std::pair<std::vector<long>, std::string>> found;
  for (const std::string &other : names) {
    lambda_numbers parts(form(other));
    if (parts.rest == wanted.rest)
      found.emplace_back(std::move(parts.numbers), other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> sorted;
  sorted.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); i++) {
    if (i && found[i].second == found[i - 1].second)
      continue;
    if (i && found[i].first == found[i - 1].first)
      return {};
    sorted.push_back(found[i].second);
  }
  return sorted;
}

unit_kernels::unit_kernels(const std::string &unit, const std::string &one) : ours{one} {
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      for (const char *kernel : list<const char *>(specpiImageGetKernels, image))
        theirs.emplace_back(kernel);
  for_each_host_kernel([&](const std::string &of, std::string kernel) {
    if (of == unit)
      ours.push_back(std::move(kernel));
  });
  for (std::vector<std::string> *all : {&theirs, &ours}) {
    std::sort(all->begin(), all->end());
    all->erase(std::unique(all->begin(), all->end()), all->end());
  }
}

void unit_kernels::drop_common() {
  std::vector<std::string> rest[2];
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                      std::back_inserter(rest[0]));
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(rest[1]));
  theirs.swap(rest[0]);
  ours.swap(rest[1]);
}

/*
 * The name in the unit's images of a kernel whose name the host's compiler made. Without images, as
 * on a machine with a host device only, it is the same. Where host and images have different
 * numbers of such kernels, nobody can say which is which: the name then is one that no image has,
 * and says what to do.
 */
static image_kernel find_kernel_of_unit(const std::string &unit, const std::string &name) {
  unit_kernels kernels(unit, name);
  if (lambda_numbers(name).numbers.empty()) {
    if (std::binary_search(kernels.theirs.begin(), kernels.theirs.end(), name))
      return {name, true};
    kernels.drop_common(); /* without numbers equal names are of one kernel */
  }
  for (const name_form form : {as_it_is, without_variables, without_qualifiers}) {
    const std::vector<std::string> theirs = like(name, kernels.theirs, form);
    if (theirs.empty())
      continue;
    const std::vector<std::string> ours = like(name, kernels.ours, form);
    if (ours.size() == theirs.size())
      return {theirs[static_cast<std::size_t>(std::find(ours.begin(), ours.end(), name) -
                                              ours.begin())],
              true};
    return {name + " (the host has " +
                (ours.empty() ? "several kernels" : std::to_string(ours.size()) + " kernels") +
                " of such names and the image " + std::to_string(theirs.size()) +
                ": name them by classes that are declared at namespace scope)",
            false};
  }
  return {name, false};
}

image_kernel find_image_kernel(const std::string &unit, const std::string &name) {
  if (name.find("$_") != name.npos)
    return {name + " (clang numbers lambdas as images do with -Xclang -fsycl-is-host)", false};
  if (lambda_numbers(name).numbers.empty() && name.find("L_Z") == name.npos)
    return {name, true};
  image_kernel found = find_kernel_of_unit(unit, name);
  if (!found.is_certain && found.name == name)
    for_each_host_kernel([&](const std::string &other, const std::string &kernel) {
      if (!found.is_certain && kernel == name && other != unit)
        found = find_kernel_of_unit(other, name);
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
  /* The device is one that it has code for, which may not be the context's first one. */
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
  /* The unit says which is meant where images of several units have kernels of one name. */
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

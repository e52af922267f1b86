// Device images and the units that register them.
#include <sycl/sycl.hpp>

namespace sycl::detail {

std::vector<specpi_image> registered_images() {
  std::vector<specpi_image> images;
  std::size_t count = 0;
  do {
    images.resize(count);
    check(specpiImagesGet(images.size(), images.data(), &count));
  } while (count > images.size()); /* a library was loaded in between */
  images.resize(count);
  return images;
}

std::vector<std::string> registered_units() {
  std::vector<std::string> units;
  for (specpi_image image : registered_images()) {
    std::string unit = unit_of(image);
    if (!unit.empty() && std::find(units.begin(), units.end(), unit) == units.end())
      units.push_back(std::move(unit));
  }
  return units;
}

device_images unit_images(const device &of, const char *unit) {
  device_images images;
  if (of.is_host())
    return images;
  std::vector<specpi_image> mine;
  for (specpi_image image : registered_images())
    if (unit_of(image) == unit)
      mine.push_back(image);
  while (!mine.empty()) {
    const auto names = [](specpi_image image) {
      const auto kernels = list<const char *>(specpiImageGetKernels, image);
      return std::vector<std::string>(kernels.begin(), kernels.end());
    };
    const auto first = names(mine.front());
    std::vector<specpi_image> same;
    std::vector<specpi_image> others;
    for (specpi_image image : mine)
      (names(image) == first ? same : others).push_back(image);
    std::size_t index = 0;
    const specpi_result result = specpiImageSelect(of.handle(), same.size(), same.data(), &index);
    if (result == SPECPI_SUCCESS) {
      bundle_reference bundle;
      check(specpiBundleCreate(of.handle(), 1, &same[index], bundle.out()));
      images.push_back(std::make_shared<device_image_impl>(of, std::move(bundle)));
    } else if (result != SPECPI_ERROR_NO_IMAGE) {
      fail(result);
    }
    mine.swap(others);
  }
  return images;
}

std::string unit_of(specpi_image image) {
  specpi_property property = {};
  std::size_t count = 0;
  check(specpiImageGetProperties(image, "specpi/unit", 1, &property, &count));
  return count && property.bytes
             ? std::string(static_cast<const char *>(property.bytes), property.size)
             : std::string();
}

std::vector<specpi_property> properties_of(specpi_image image, const char *set) {
  std::size_t count = 0;
  check(specpiImageGetProperties(image, set, 0, nullptr, &count));
  std::vector<specpi_property> properties(count);
  check(specpiImageGetProperties(image, set, count, properties.data(), &count));
  return properties;
}

/* Returns whether two names, from the host's or the device's compiler, are of the same kernel. */
static bool same_kernel(const std::string &a, std::string_view b) {
  return a == b || is_without_marks(a, without_marks(b));
}

bool has_kernel(specpi_image image, const std::string &kernel) {
  for (const char *name : list<const char *>(specpiImageGetKernels, image))
    if (same_kernel(kernel, name))
      return true;
  return false;
}

bool needs_value(specpi_image image, const std::string &kernel, const std::string &id) {
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
  /* Images of other compilers lack the property. There constants named by types have no default. */
  return id.rfind("_ZTS", 0) == 0;
}

device_image_impl::device_image_impl(device of, bundle_reference bundle)
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

specpi_bundle_state device_image_impl::state() const noexcept {
  return specpiBundleGetState(bundle());
}

std::vector<std::string> device_image_impl::kernels() const {
  return {kernels_.begin(), kernels_.end()};
}

bool device_image_impl::has_kernel(const std::string &name) const {
  return name_of(name) != nullptr;
}

bool device_image_impl::has_constant(const std::string &id) const noexcept {
  return std::any_of(constants_.begin(), constants_.end(),
                     [&](const specpi_constant &c) { return id == c.name; });
}

bool device_image_impl::has_native_constants() const noexcept {
  return std::all_of(images_.begin(), images_.end(), [](specpi_image image) {
    std::size_t count = 0;
    return specpiImageGetConstants(image, 0, nullptr, &count) == SPECPI_SUCCESS &&
           (count == 0 || specpiImageHasNativeConstants(image));
  });
}

bool device_image_impl::has_property(const char *set, const std::string &name) const {
  for (specpi_image image : images_)
    for (const specpi_property &property : properties_of(image, set))
      if (name == property.name)
        return true;
  return false;
}

std::string device_image_impl::kernel_property(const char *set, const std::string &kernel) const {
  const char *name = name_of(kernel);
  for (specpi_image image : images_)
    for (const specpi_property &property : properties_of(image, set))
      if (name && std::string_view(name) == property.name && property.bytes)
        return {static_cast<const char *>(property.bytes), property.size};
  return {};
}

bool device_image_impl::exports(const std::string &function) const noexcept {
  return std::find(exported_.begin(), exported_.end(), function) != exported_.end();
}

bool device_image_impl::is_of(const std::string &unit) const {
  return std::any_of(images_.begin(), images_.end(),
                     [&](specpi_image image) { return unit_of(image) == unit; });
}

std::vector<specpi_value> device_image_impl::values_for(const constant_values &values) const {
  std::vector<specpi_value> mine;
  for (const specpi_constant &c : constants_)
    if (const auto *there = values.find(c.name))
      mine.push_back({c.name, std::min(there->bytes.size(), c.size), there->bytes.data()});
  return mine;
}

bundle_reference device_image_impl::input_with(const constant_values &values) const {
  bundle_reference made;
  check(specpiBundleCreate(device_.handle(), images_.size(), images_.data(), made.out()));
  const auto mine = values_for(values);
  check(specpiBundleSetMany(made.get(), mine.size(), mine.data()));
  return made;
}

kernel_reference device_image_impl::kernel(const std::string &name,
                                           const constant_values &values) const {
  kernel_reference made;
  const char *there = name_of(name);
  if (!there)
    there = name.c_str(); /* for libspecpi's message */
  if (state() == SPECPI_BUNDLE_INPUT) {
    /* Values for constants that the image lacks are left out: they belong to other kernels. */
    const auto mine = values_for(values);
    check(specpiBundleGetKernel(bundle(), there, nullptr, mine.size(), mine.data(), made.out()));
  } else {
    check(specpiKernelCreate(bundle(), there, made.out()));
  }
  return made;
}

const char *device_image_impl::name_of(const std::string &name) const {
  for (const char *k : kernels_)
    if (name == k)
      return k;
  for (std::size_t i = 0; i < kernels_.size(); i++)
    if (is_without_marks(name, plain_names_[i]))
      return kernels_[i];
  return nullptr;
}

const device_image_impl *find_image(const device_images &images, const device &of,
                                    const std::string &name, const std::string &unit) {
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

kernel_reference find_kernel(const device_images &images, const device &of, const std::string &name,
                             const constant_values &values, const std::string &unit) {
  const device_image_impl *found = find_image(images, of, name, unit);
  return found ? found->kernel(name, values) : kernel_reference();
}

device_images kept_images::find(const key &of) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto there = images_.find(of);
  return there == images_.end() ? device_images() : there->second;
}

device_images kept_images::keep(const key &of, const device_images &made) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return images_.emplace(of, made).first->second;
}

} // namespace sycl::detail

// Modules: their images, constants and states.
#include <sycl/sycl.hpp>

namespace sycl::detail {

void module_options::add_flags(const std::string &more) {
  if (!flags.empty() && !more.empty())
    flags += ' ';
  flags += more;
}

void module_options::write_log(const char *words) const {
  if (!log || !*words)
    return;
  *log << words;
  if (words[std::strlen(words) - 1] != '\n')
    *log << '\n';
  log->flush();
}

submission::submission() noexcept {
  specpiThreadGet()->command_groups++;
}

submission::~submission() {
  specpiThreadGet()->command_groups--;
}

bool differ(const specpi_constant &constant, const void *a, const void *b,
            std::size_t size) noexcept {
  const auto *one = static_cast<const unsigned char *>(a);
  const auto *other = static_cast<const unsigned char *>(b);
  for (std::size_t i = 0; i < constant.leaf_count; i++) {
    const specpi_leaf &leaf = constant.leaves[i];
    if (leaf.id != PI_SPEC_ID_PADDING && leaf.offset + leaf.size <= size &&
        std::memcmp(one + leaf.offset, other + leaf.offset, leaf.size) != 0)
      return true;
  }
  return false;
}

/* The constant of that name in a list, or NULL; valid as long as the list. */
static const specpi_constant *find_constant(const std::vector<specpi_constant> &constants,
                                            const char *id) noexcept {
  for (const specpi_constant &c : constants)
    if (std::strcmp(id, c.name) == 0)
      return &c;
  return nullptr;
}

module_impl::module_impl(specpi_bundle_state state, std::vector<device_images> versions,
                         constant_values values, std::vector<std::string> units)
    : state_(state), versions_(std::move(versions)), units_(std::move(units)),
      values_(std::move(values)) {
  for (const device_images &version : versions_)
    images_.insert(images_.end(), version.begin(), version.end());
  for (const device_image_ptr &image : images_)
    each_.push_back({image});
}

const device_images &module_impl::only(const device_image_ptr &image) const noexcept {
  for (const device_images &one : each_)
    if (one.front() == image)
      return one;
  return images_;
}

bool module_impl::has(const device_image_ptr &image) const noexcept {
  return std::find(images_.begin(), images_.end(), image) != images_.end();
}

bool module_impl::has_kernel(const std::string &name) const {
  return std::any_of(images_.begin(), images_.end(),
                     [&](const device_image_ptr &image) { return image->has_kernel(name); });
}

std::vector<std::string> module_impl::kernels() const {
  std::vector<std::string> names;
  for (const device_image_ptr &image : images_)
    for (std::string &name : image->kernels())
      names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool module_impl::has_constants() const {
  return std::any_of(images_.begin(), images_.end(),
                     [](const device_image_ptr &image) { return !image->constants().empty(); });
}

constant_values module_impl::values() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  return values_;
}

void module_impl::set(const symbolic_id &id, const void *value, std::size_t size) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  if (values_.has(id, value, size))
    return;
  constant_values changed = values_;
  changed.set(id, value, size);
  few<std::pair<specpi_bundle, std::size_t>, 8> found;
  for (const device_image_ptr &image : images_) {
    const auto &constants = image->constants();
    const specpi_constant *there = find_constant(constants, id.c_str());
    if (!there)
      continue;
    if (there->size > size)
      throw runtime_error(errc::invalid, std::string("constant ") + id.c_str() + " takes " +
                                             std::to_string(there->size) + " bytes, " +
                                             std::to_string(size) + " given");
    found.push_back({image->bundle(), there->size});
  }
  for (const auto &[bundle, bytes] : found)
    check(specpiBundleSet(bundle, id.c_str(), bytes, value));
  values_ = std::move(changed);
  generation_++;
}

bool module_impl::get(const symbolic_id &id, void *value, std::size_t size) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  if (const constant_values::entry *set = values_.find(id)) {
    std::memcpy(value, set->bytes.data(), std::min(size, set->bytes.size()));
    return true;
  }
  for (const device_image_ptr &image : images_) {
    const auto &constants = image->constants();
    const specpi_constant *there = find_constant(constants, id.c_str());
    if (there && there->size <= size && there->default_value) {
      std::memcpy(value, there->default_value, there->size);
      return true;
    }
  }
  return false;
}

std::shared_lock<std::shared_mutex> module_impl::hold_values() const {
  return std::shared_lock<std::shared_mutex>(mutex_);
}

std::string label_of(const module_impl &module, std::size_t number) {
  const auto names = module.kernels();
  return "module " + std::to_string(number) +
         (names.empty() ? std::string(" (no kernels)") : " (kernel " + names.front() + ")");
}

void write_log(const module_options &options, specpi_bundle bundle) {
  if (!options.log)
    return;
  std::size_t count = 0;
  check(specpiBundleGetLog(bundle, 0, nullptr, &count));
  std::string words(count, '\0');
  check(specpiBundleGetLog(bundle, count, words.data(), &count));
  options.write_log(words.c_str());
}

module_ptr executable(std::vector<device_images> versions, constant_values values,
                      std::vector<std::string> units) {
  auto made = std::make_shared<module_impl>(SPECPI_BUNDLE_EXECUTABLE, std::move(versions),
                                            std::move(values), std::move(units));
  if (!made->images().empty() && made->kernels().empty())
    throw link_program_error("an executable module has at least one kernel, and there is none");
  return made;
}

/* Returns whether code compiles, without linking it. */
static bool compiles(specpi_bundle input, const std::string &flags) {
  bundle_reference object;
  return specpiBundleCompile(input, flags.c_str(), object.out()) == SPECPI_SUCCESS;
}

/* Makes one step, a compilation or a build, for each image of an input module. */
static std::vector<device_images> step_all(const module_impl &input, const module_options &options,
                                           bundle_step step) {
  std::vector<device_images> versions;
  for (const device_images &version : input.versions()) {
    versions.emplace_back();
    for (const device_image_ptr &image : version) {
      bundle_reference made;
      const specpi_result result = step(image->bundle(), options.flags.c_str(), made.out());
      if (result != SPECPI_SUCCESS) {
        /* A failed build does not report whether compiling or linking failed. */
        const std::string sentence = specpiGetLastError();
        options.write_log(result == SPECPI_ERROR_BUILD_FAILED ? specpiGetBuildLog() : "");
        if (result == SPECPI_ERROR_BUILD_FAILED && step == specpiBundleBuild &&
            compiles(image->bundle(), options.flags))
          throw link_program_error(sentence);
        if (result == SPECPI_ERROR_BUILD_FAILED)
          throw compile_program_error(sentence);
        fail(result);
      }
      write_log(options, made.get());
      versions.back().push_back(
          std::make_shared<device_image_impl>(image->get_device(), std::move(made)));
    }
  }
  return versions;
}

module_ptr compile_module(const module_impl &input, const module_options &options) {
  const auto hold = input.hold_values();
  return std::make_shared<module_impl>(SPECPI_BUNDLE_OBJECT,
                                       step_all(input, options, specpiBundleCompile),
                                       input.held_values(), input.units());
}

module_ptr build_module(const module_impl &input, const module_options &options) {
  const auto hold = input.hold_values();
  return executable(step_all(input, options, specpiBundleBuild), input.held_values(),
                    input.units());
}

/* Refuses a constant with different values in two images. */
static void check_intersection(const module_list &modules, std::size_t i, std::size_t k,
                               const device_image_impl &one, const device_image_impl &other) {
  const auto &constants = one.constants();
  for (const specpi_constant &theirs : other.constants()) {
    const specpi_constant *mine = find_constant(constants, theirs.name);
    if (!mine || mine->size != theirs.size)
      continue; /* the link refuses a constant of another layout and reports the difference */
    std::vector<unsigned char> a(theirs.size);
    std::vector<unsigned char> b(theirs.size);
    const specpi_result first = specpiBundleGet(one.bundle(), theirs.name, a.size(), a.data());
    const specpi_result second = specpiBundleGet(other.bundle(), theirs.name, b.size(), b.data());
    if (first == second &&
        (first != SPECPI_SUCCESS || !differ(theirs, a.data(), b.data(), a.size())))
      continue;
    throw link_program_error("constant " + std::string(theirs.name) + " has another value in " +
                             label_of(*modules[k], k) + " than in " + label_of(*modules[i], i));
  }
}

/* Links a version of each module for one device to one image; NULL if there is none for it. */
static device_image_ptr link_version(const module_list &modules, const device &of,
                                     std::size_t version, const module_options &options) {
  std::vector<std::pair<std::size_t, device_image_ptr>> parts;
  for (std::size_t i = 0; i < modules.size(); i++) {
    const auto &versions = modules[i]->versions();
    if (versions.empty())
      continue;
    for (const device_image_ptr &image : versions[std::min(version, versions.size() - 1)])
      if (image->get_device() == of)
        parts.emplace_back(i, image);
  }
  if (parts.empty())
    return {};
  std::vector<specpi_bundle> bundles;
  for (std::size_t i = 0; i < parts.size(); i++) {
    for (std::size_t k = 0; k < i; k++)
      check_intersection(modules, parts[k].first, parts[i].first, *parts[k].second,
                         *parts[i].second);
    bundles.push_back(parts[i].second->bundle());
  }
  bundle_reference made;
  const specpi_result result =
      specpiBundleLink(bundles.size(), bundles.data(), options.flags.c_str(), made.out());
  if (result == SPECPI_ERROR_CONFLICT)
    throw link_program_error(specpiGetLastError());
  if (result == SPECPI_ERROR_BUILD_FAILED) {
    const std::string sentence = specpiGetLastError();
    options.write_log(specpiGetBuildLog());
    throw link_program_error(sentence);
  }
  check(result);
  write_log(options, made.get());
  return std::make_shared<device_image_impl>(of, std::move(made));
}

/*
 * Makes the checks that device linkers make, for the host device, whose code is linked already. The
 * images for devices record which functions units call and define.
 */
static void check_units(const std::vector<std::string> &units) {
  std::vector<specpi_image> images;
  std::vector<std::string> exported;
  bool has_kernels = false;
  for (specpi_image image : registered_images()) {
    if (std::find(units.begin(), units.end(), unit_of(image)) == units.end())
      continue;
    images.push_back(image);
    for (const specpi_property &function : properties_of(image, "specpi/exported functions"))
      exported.push_back(function.name);
    has_kernels = has_kernels || !list<const char *>(specpiImageGetKernels, image).empty();
  }
  for (specpi_image image : images)
    for (const specpi_property &function : properties_of(image, "specpi/imported functions"))
      if (std::find(exported.begin(), exported.end(), function.name) == exported.end())
        throw link_program_error("function " + std::string(function.name) +
                                 " is called by kernels of unit \"" + unit_of(image) +
                                 "\", and defined by none of the modules that are linked");
  if (!images.empty() && !has_kernels)
    throw link_program_error("an executable module has at least one kernel, and there is none");
}

module_ptr link_modules(const context &in, const module_list &all, const module_options &options) {
  /* A module that is in the list twice must not count as a second definition. */
  const module_list modules = each_once(all);
  std::size_t count = 0;
  constant_values values;
  std::vector<std::string> units;
  for (const module_ptr &m : modules) {
    count = std::max(count, m->versions().size());
    values.set(m->values());
    units.insert(units.end(), m->units().begin(), m->units().end());
  }
  check_units(units);
  std::vector<device_images> versions(count);
  for (std::size_t v = 0; v < count; v++)
    for (const device &of : in.get_devices())
      if (device_image_ptr image = link_version(modules, of, v, options))
        versions[v].push_back(std::move(image));
  return executable(std::move(versions), std::move(values), std::move(units));
}

/* The names that are equal for modules of the same code: kernels, exported functions and, if there
 * are no kernels, the units. */
static std::vector<std::string> symbols_of(const module_impl &module) {
  std::vector<std::string> names = module.kernels();
  const bool has_kernels = !names.empty();
  for (const device_image_ptr &image : module.images()) {
    names.insert(names.end(), image->exported().begin(), image->exported().end());
    if (!has_kernels)
      for (specpi_image part : image->images())
        names.push_back(unit_of(part));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/* The images of a version for another module: the same images, or copies of input images, because
 * their values can change. */
static device_images copy_version(const device_images &version) {
  device_images copies;
  for (const device_image_ptr &image : version) {
    if (image->state() != SPECPI_BUNDLE_INPUT) {
      copies.push_back(image);
      continue;
    }
    bundle_reference copy;
    check(specpiBundleCopy(image->bundle(), copy.out()));
    copies.push_back(std::make_shared<device_image_impl>(image->get_device(), std::move(copy)));
  }
  return copies;
}

module_ptr join_modules(const module_list &all) {
  const module_list modules = each_once(all);
  const auto symbols = symbols_of(*modules.front());
  for (std::size_t i = 1; i < modules.size(); i++) {
    const auto others = symbols_of(*modules[i]);
    if (others == symbols)
      continue;
    std::vector<std::string> differing;
    std::set_symmetric_difference(symbols.begin(), symbols.end(), others.begin(), others.end(),
                                  std::back_inserter(differing));
    throw invalid_object("modules that are joined have the same kernels and symbols: of " +
                         label_of(*modules.front(), 0) + " and " + label_of(*modules[i], i) +
                         " only one has " + differing.front());
  }
  std::vector<device_images> versions;
  constant_values values;
  for (const module_ptr &m : modules) {
    const auto hold = m->hold_values();
    for (const device_images &version : m->versions()) {
      const auto shared = [&](const device_images &there) { return there == version; };
      if (std::none_of(versions.begin(), versions.end(), shared))
        versions.push_back(copy_version(version));
    }
    values.add(m->held_values());
  }
  return std::make_shared<module_impl>(modules.front()->state(), std::move(versions),
                                       std::move(values), modules.front()->units());
}

module_ptr unit_module::made(specpi_bundle_state state) {
  if (state == SPECPI_BUNDLE_INPUT)
    return input_;
  const std::lock_guard<std::mutex> lock(mutex_);
  const unsigned long generation = input_->generation();
  kept &there = kept_[state == SPECPI_BUNDLE_EXECUTABLE];
  if (!there.module || there.generation != generation)
    there = {make(state), generation};
  return there.module;
}

module_ptr unit_module::make(specpi_bundle_state state) const {
  try {
    return state == SPECPI_BUNDLE_OBJECT ? compile_module(*input_, {}) : build_module(*input_, {});
  } catch (const compile_program_error &) {
  } catch (const link_program_error &) {
  }
  return std::make_shared<module_impl>(state, std::vector<device_images>(), input_->values());
}

std::shared_ptr<unit_module> module_of(const context &in, const char *unit) {
  return in.impl()->unit(unit, [&] {
    device_images images;
    for (const device &of : in.get_devices())
      for (device_image_ptr &image : unit_images(of, unit))
        images.push_back(std::move(image));
    std::vector<device_images> versions;
    if (!images.empty())
      versions.push_back(std::move(images));
    std::vector<std::string> units;
    if (in.is_host())
      units.emplace_back(unit);
    return std::make_shared<unit_module>(std::make_shared<module_impl>(
        SPECPI_BUNDLE_INPUT, std::move(versions), constant_values(), std::move(units)));
  });
}

group_module::operator bool() const noexcept {
  return module_ != nullptr;
}

void group_module::use(module_ptr module, const device_image_ptr &selected) noexcept {
  images_ = selected ? &module->only(selected) : &module->images();
  module_ = std::move(module);
}

void group_module::require(const kernel &of) const {
  bool mine = !of.program_values() && !of.images().empty();
  for (const device_image_ptr &image : of.images())
    mine = mine && module_->has(image);
  if (!mine)
    throw invalid_kernel("kernel " + of.name() +
                         " is not of the module that the command group uses");
}

[[noreturn]] static void fail_built_with(const symbolic_id &id) {
  throw runtime_error(errc::invalid,
                      std::string("constant ") + id.c_str() +
                          " is set to another value than the one that the module or kernel of the "
                          "command group was built with");
}

void check_built_with(const device_images &images, const device &of, const std::string &name,
                      const group_constants &constants) {
  if (constants.empty())
    return;
  for (const device_image_ptr &image : images) {
    if (image->get_device() != of || image->state() != SPECPI_BUNDLE_EXECUTABLE ||
        !image->has_kernel(name))
      continue;
    const auto &known = image->constants();
    for (const constant_values::entry &e : constants.entries()) {
      const specpi_constant *there = find_constant(known, e.id.c_str());
      if (!there)
        continue;
      constant_values::value_bytes built;
      built.resize(there->size);
      const specpi_result result =
          specpiBundleGet(image->bundle(), e.id.c_str(), built.size(), built.data());
      if (result != SPECPI_SUCCESS ||
          differ(*there, built.data(), e.bytes.data(), std::min(there->size, e.bytes.size())))
        fail_built_with(e.id);
    }
    return;
  }
}

bool differ(const symbolic_id &id, const void *a, const void *b, std::size_t size) {
  if (std::memcmp(a, b, size) == 0)
    return false;
  for (specpi_image image : registered_images()) {
    const auto constants = list<specpi_constant>(specpiImageGetConstants, image);
    if (const specpi_constant *there = find_constant(constants, id.c_str()))
      return differ(*there, a, b, size);
  }
  return true;
}

void check_built_with(const module_impl &module, const group_constants &constants) {
  for (const group_constants::default_value &d : constants.defaults()) {
    const auto *bytes = static_cast<const unsigned char *>(d.value);
    constant_values::value_bytes built(bytes, bytes + d.size);
    module.get(d.id, built.data(), built.size());
    const constant_values::entry *set = constants.find(d.id);
    if (set && differ(d.id, set->bytes.data(), built.data(), built.size()))
      fail_built_with(d.id);
  }
}

void keep_values(const context &in, const char *unit, const group_constants &constants) {
  for (const group_constants::default_value &d : constants.defaults())
    if (const constant_values::entry *set = constants.find(d.id))
      module_of(in, unit)->input()->set(d.id, set->bytes.data(), set->bytes.size());
}

} // namespace sycl::detail

namespace sycl {

bool module_device_image::has_kernel(const std::string &name) const {
  return image_->has_kernel(name);
}

std::string module_device_image::get_target() const {
  return specpiImageGetTarget(parts().front());
}

std::string module_device_image::get_format() const {
  return specpiImageGetFormatName(parts().front());
}

bool module_device_image::has_spec_constant() const {
  return !image_->constants().empty();
}

bool module_device_image::native_spec_constant() const {
  return has_spec_constant() && image_->has_native_constants();
}

} // namespace sycl

namespace sycl::detail {

module_device_image module_access::image(const device_image_ptr &image) {
  return module_device_image(image);
}

} // namespace sycl::detail

namespace sycl::this_module {

bool has_any_module(context ctxt, const char *unit) {
  return !detail::module_of(ctxt, unit)->input()->images().empty();
}

} // namespace sycl::this_module

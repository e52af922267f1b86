// From one state of a module to the next, and several modules to one. SYCL Modules, "Free
// functions".
#ifndef SYCL_DETAIL_MODULE_BUILD_HPP
#define SYCL_DETAIL_MODULE_BUILD_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/module_options.hpp>

namespace sycl::detail {

/* How a module, one of several, is called in errors: it has no name. */
inline std::string label_of(const module_impl &module, std::size_t number) {
  const auto names = module.kernels();
  return "module " + std::to_string(number) +
         (names.empty() ? std::string(" (no kernels)") : " (kernel " + names.front() + ")");
}

/* All that the drivers said about an image's programs. */
inline void write_log(const module_options &options, specpi_bundle bundle) {
  if (!options.log)
    return;
  std::size_t count = 0;
  check(specpiBundleGetLog(bundle, 0, nullptr, &count));
  std::string words(count, '\0');
  check(specpiBundleGetLog(bundle, count, words.data(), &count));
  options.write_log(words.c_str());
}

/*
 * An executable has kernels: a module without any cannot be dispatched. Modules without images are
 * empty, and stay so.
 */
inline module_ptr executable(std::vector<device_images> versions, constant_values values,
                             std::vector<std::string> units) {
  auto made = std::make_shared<module_impl>(SPECPI_BUNDLE_EXECUTABLE, std::move(versions),
                                            std::move(values), std::move(units));
  if (!made->images().empty() && made->kernels().empty())
    throw link_program_error("an executable module has at least one kernel, and there is none");
  return made;
}

/* Whether code compiles, when it is not to be linked. */
inline bool compiles(specpi_bundle input, const std::string &flags) {
  bundle_reference object;
  return specpiBundleCompile(input, flags.c_str(), object.out()) == SPECPI_SUCCESS;
}

/* One step for each image of an input module. */
inline std::vector<device_images> step_all(const module_impl &input, const module_options &options,
                                           bundle_step step) {
  std::vector<device_images> versions;
  for (const device_images &version : input.versions()) {
    versions.emplace_back();
    for (const device_image_ptr &image : version) {
      bundle_reference made;
      const specpi_result result = step(image->bundle(), options.flags.c_str(), made.out());
      if (result != SPECPI_SUCCESS) {
        /* A build says that it failed, not in which of its two steps. */
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

inline module_ptr compile_module(const module_impl &input, const module_options &options) {
  const auto hold = input.hold_values();
  return std::make_shared<module_impl>(SPECPI_BUNDLE_OBJECT,
                                       step_all(input, options, specpiBundleCompile),
                                       input.held_values(), input.units());
}

inline module_ptr build_module(const module_impl &input, const module_options &options) {
  const auto hold = input.hold_values();
  return executable(step_all(input, options, specpiBundleBuild), input.held_values(),
                    input.units());
}

/* ---- Linking ---- */

using module_list = std::vector<module_ptr>;

/* Refuses a constant that has one value in one image and another in another. */
inline void check_intersection(const module_list &modules, std::size_t i, std::size_t k,
                               const device_image_impl &one, const device_image_impl &other) {
  const auto &constants = one.constants();
  for (const specpi_constant &theirs : other.constants()) {
    const specpi_constant *mine = find_constant(constants, theirs.name);
    if (!mine || mine->size != theirs.size)
      continue; /* of another layout: the link refuses it and says how it differs */
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

/* The image of one device that a version of each module is linked to; none where there is none. */
inline device_image_ptr link_version(const module_list &modules, const device &of,
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
 * Refuses for the host device, whose code the host's linker has linked, what others' linkers
 * refuse: the images for devices tell what units call and define.
 */
inline void check_units(const std::vector<std::string> &units) {
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

/* Modules of one context; not empty. */
inline module_ptr link_modules(const context &in, const module_list &all,
                               const module_options &options) {
  /* What is linked with itself is not defined twice. */
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

/* ---- Joining ---- */

/* What says that two modules are of the same code: kernels, functions, without kernels the units.
 */
inline std::vector<std::string> symbols_of(const module_impl &module) {
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

/* Images of a module that others can use, too, or copies of input images, whose values change. */
inline device_images copy_version(const device_images &version) {
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

/* Modules of one context; not empty. */
inline module_ptr join_modules(const module_list &all) {
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

} // namespace sycl::detail

#endif

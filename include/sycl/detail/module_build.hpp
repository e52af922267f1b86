// From one state of a module to the next, and several modules to one. SYCL Modules, "Free
// functions".
#ifndef SYCL_DETAIL_MODULE_BUILD_HPP
#define SYCL_DETAIL_MODULE_BUILD_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/module_options.hpp>

namespace sycl::detail {

/* How a module, one of several, is called in errors: it has no name. */
std::string label_of(const module_impl &module, std::size_t number);

/* All that the drivers said about an image's programs. */
void write_log(const module_options &options, specpi_bundle bundle);

/*
 * An executable has kernels: a module without any cannot be dispatched. Modules without images are
 * empty, and stay so.
 */
module_ptr executable(std::vector<device_images> versions, constant_values values,
                      std::vector<std::string> units);

/* Whether code compiles, when it is not to be linked. */
bool compiles(specpi_bundle input, const std::string &flags);

/* One step for each image of an input module. */
std::vector<device_images> step_all(const module_impl &input, const module_options &options,
                                    bundle_step step);

module_ptr compile_module(const module_impl &input, const module_options &options);

module_ptr build_module(const module_impl &input, const module_options &options);

/* ---- Linking ---- */

using module_list = std::vector<module_ptr>;

/* Refuses a constant that has one value in one image and another in another. */
void check_intersection(const module_list &modules, std::size_t i, std::size_t k,
                        const device_image_impl &one, const device_image_impl &other);

/* The image of one device that a version of each module is linked to; none where there is none. */
device_image_ptr link_version(const module_list &modules, const device &of, std::size_t version,
                              const module_options &options);

/*
 * Refuses for the host device, whose code the host's linker has linked, what others' linkers
 * refuse: the images for devices tell what units call and define.
 */
void check_units(const std::vector<std::string> &units);

/* Modules of one context; not empty. */
module_ptr link_modules(const context &in, const module_list &all, const module_options &options);

/* ---- Joining ---- */

/* What says that two modules are of the same code: kernels, functions, without kernels the units.
 */
std::vector<std::string> symbols_of(const module_impl &module);

/* Images of a module that others can use, too, or copies of input images, whose values change. */
device_images copy_version(const device_images &version);

/* Modules of one context; not empty. */
module_ptr join_modules(const module_list &all);

} // namespace sycl::detail

#endif

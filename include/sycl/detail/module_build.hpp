// Functions that take modules from one state to the next and combine several. SYCL Modules, "Free
// functions".
#ifndef SYCL_DETAIL_MODULE_BUILD_HPP
#define SYCL_DETAIL_MODULE_BUILD_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/module_options.hpp>

namespace sycl::detail {

/* A label for one of several modules in error messages, because modules have no names. */
std::string label_of(const module_impl &module, std::size_t number);

/* Writes the drivers' build logs of a bundle to the stream of option log, if it is set. */
void write_log(const module_options &options, specpi_bundle bundle);

/*
 * Makes an executable module. Throws link_program_error if it has images but no kernel, because it
 * could not be dispatched. A module without images is empty and allowed.
 */
module_ptr executable(std::vector<device_images> versions, constant_values values,
                      std::vector<std::string> units);

module_ptr compile_module(const module_impl &input, const module_options &options);

module_ptr build_module(const module_impl &input, const module_options &options);

/* ---- Linking ---- */

using module_list = std::vector<module_ptr>;

/* Links modules of one context. The list must not be empty. */
module_ptr link_modules(const context &in, const module_list &all, const module_options &options);

/* ---- Joining ---- */

/* Joins modules of one context. The list must not be empty. */
module_ptr join_modules(const module_list &all);

} // namespace sycl::detail

#endif

// From one state of a module to the next, and several modules to one. SYCL Modules, "Free
// functions".
#ifndef SYCL_DETAIL_MODULE_BUILD_HPP
#define SYCL_DETAIL_MODULE_BUILD_HPP

#include <sycl/detail/module_impl.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/module_options.hpp>

namespace sycl::detail {

/* The label of a module, one of several, in errors: it has no name. */
std::string label_of(const module_impl &module, std::size_t number);

/* All that the drivers said about an image's programs. */
void write_log(const module_options &options, specpi_bundle bundle);

/*
 * An executable has kernels: a module without any cannot be dispatched. Modules without images are
 * empty, and stay so.
 */
module_ptr executable(std::vector<device_images> versions, constant_values values,
                      std::vector<std::string> units);

module_ptr compile_module(const module_impl &input, const module_options &options);

module_ptr build_module(const module_impl &input, const module_options &options);

/* ---- Linking ---- */

using module_list = std::vector<module_ptr>;

/* Modules of one context; not empty. */
module_ptr link_modules(const context &in, const module_list &all, const module_options &options);

/* ---- Joining ---- */

/* Modules of one context; not empty. */
module_ptr join_modules(const module_list &all);

} // namespace sycl::detail

#endif

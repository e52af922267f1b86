// The module of the calling translation unit. SYCL Modules, "Module for the current translation
// unit".
#ifndef SYCL_THIS_MODULE_HPP
#define SYCL_THIS_MODULE_HPP

#include <sycl/detail/unit_module.hpp>
#include <sycl/module.hpp>

namespace sycl {

namespace this_module {

/*
 * The unit's module in that state. The input module has the images that the device compiler made.
 * Modules in other states are made from it when they are asked for, with its present values of
 * constants. A module that cannot be made is empty. For example, a unit whose kernels call
 * functions of other units has no executable module; build throws with the reason.
 *
 * Each call returns the same input module, and kernels are dispatched from it: a constant that is
 * set in it has that value in kernels of command groups that use no other module.
 *
 * unit is the caller's unit: do not pass it.
 */
template <module_state State>
module<State> get(context ctxt, const char *unit = detail::this_unit()) {
  return detail::module_access::make<State>(
      ctxt, detail::module_of(ctxt, unit)->made(detail::bundle_state_of<State>));
}

/* Return whether the unit has a module that is not empty, in any state or in State. */
bool has_any_module(context ctxt, const char *unit = detail::this_unit());
template <module_state State>
bool has_module_in(context ctxt, const char *unit = detail::this_unit()) {
  return !detail::module_of(ctxt, unit)->made(detail::bundle_state_of<State>)->images().empty();
}

} // namespace this_module

} // namespace sycl

#endif

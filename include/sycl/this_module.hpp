// The module of the calling translation unit. SYCL Modules, "Module for the current translation
// unit".
#ifndef SYCL_THIS_MODULE_HPP
#define SYCL_THIS_MODULE_HPP

#include <sycl/detail/unit_module.hpp>
#include <sycl/module.hpp>

namespace sycl {

namespace this_module {

/*
 * The module with all images that there are in that state. Those of the input state are what the
 * device compiler made; the others are made of them, with the values that their constants have at
 * the time, when somebody asks. A module that cannot be made is empty: a unit whose kernels call
 * functions of other units has objects and nothing executable, which build says with its reason.
 *
 * The input module is the same each time, and kernels are dispatched from it: a constant that is
 * set in it has that value in the kernels of command groups that name no other module.
 *
 * unit is the caller's, and not to be given.
 */
template <module_state State>
module<State> get(context ctxt, const char *unit = detail::this_unit()) {
  return detail::module_access::make<State>(
      ctxt, detail::module_of(ctxt, unit)->made(detail::bundle_state_of<State>));
}

/* Returns whether the unit has a module that is not empty: in any state, and in the one asked for.
 */
bool has_any_module(context ctxt, const char *unit = detail::this_unit());
template <module_state State>
bool has_module_in(context ctxt, const char *unit = detail::this_unit()) {
  return !detail::module_of(ctxt, unit)->made(detail::bundle_state_of<State>)->images().empty();
}

} // namespace this_module

} // namespace sycl

#endif

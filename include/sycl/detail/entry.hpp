/*
 * Kernels: their names, and on the device their entry points. A kernel's one argument is the
 * function object's bytes; which parameters the function object takes decides what it is called
 * with.
 */
#ifndef SYCL_DETAIL_ENTRY_HPP
#define SYCL_DETAIL_ENTRY_HPP

#include <sycl/detail/builtins.hpp>
#include <sycl/item.hpp>
#include <sycl/kernel_handler.hpp>

#include <string>
#include <type_traits>
#include <typeinfo>

namespace sycl::detail {

/* Stands for the name of a kernel that has none: the function object's type is it. */
struct unnamed;
template <class Name, class F>
using kernel_type = std::conditional_t<std::is_same_v<Name, unnamed>, F, Name>;

/*
 * The name in device images: _ZTS and the mangled name of the type, which may be incomplete. A
 * pointer to a type is P and that, and a star before it marks types of one unit.
 */
template <class Name> std::string kernel_name() {
#ifdef __SYCL_DEVICE_ONLY__
  return {};
#else
  const char *name = typeid(Name *).name();
  return std::string("_ZTS") + (name + (*name == '*') + 1);
#endif
}

/* Calls a function object with or without the handler. */
template <class F> void invoke(const F &f, kernel_handler handler) {
  handler_access::enter(handler);
  if constexpr (std::is_invocable_v<const F &, kernel_handler>)
    f(handler);
  else
    f();
}
template <class F, class Item> void invoke(const F &f, const Item &at, kernel_handler handler) {
  handler_access::enter(handler);
  if constexpr (std::is_invocable_v<const F &, Item, kernel_handler>)
    f(at, handler);
  else
    f(at);
}

#ifdef __SYCL_DEVICE_ONLY__

/* The argument; a type of its own, so that an empty function object is one, too. */
template <class F> struct closure {
  F function;
};

template <class Name, class F> void single_task_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke(argument.function, handler_access::make());
}
template <class Name, class F, int D> void range_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke(argument.function, maker::this_item<D>(), handler_access::make());
}
template <class Name, class F, int D> void nd_range_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke(argument.function, maker::this_nd_item<D>(), handler_access::make());
}

#endif

} // namespace sycl::detail

#endif

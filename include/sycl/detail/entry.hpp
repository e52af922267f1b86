/*
 * Names of kernels, and their entry points on the device. A kernel's one argument is the function
 * object's bytes. The function object's parameters decide with which arguments it is called.
 */
#ifndef SYCL_DETAIL_ENTRY_HPP
#define SYCL_DETAIL_ENTRY_HPP

#include <sycl/detail/builtins.hpp>
#include <sycl/detail/kernel_names.hpp>
#include <sycl/item.hpp>
#include <sycl/kernel_handler.hpp>

#include <atomic>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace sycl::detail {

/* Stands for the missing name of a kernel, which the function object's type then names. */
struct unnamed;
template <class Name, class F>
using kernel_type = std::conditional_t<std::is_same_v<Name, unnamed>, F, Name>;

#ifndef __SYCL_DEVICE_ONLY__
/*
 * _ZTS and the mangled name of a type. The type may be incomplete, so the name is taken from the
 * pointer to it, which has a P before the name. GCC marks types local to a unit by a leading star.
 */
template <class Name> std::string host_kernel_name() {
  const char *name = typeid(Name *).name();
  return std::string("_ZTS") + (name + (*name == '*') + 1);
}

/*
 * Registers the name before the other constructors of the unit's library run, because they may
 * launch kernels of any unit. It takes two forms, because GCC ignores the priority of a function
 * made from a template, and clang that of an object.
 */
template <class Name, class Unit> struct host_kernel {
#ifdef __clang__
  __attribute__((constructor(101))) static void add() {
    register_kernel(this_unit(), host_kernel_name<Name>(), reinterpret_cast<void *>(&add));
  }
#else
  struct registration {
    registration() {
      register_kernel(this_unit(), host_kernel_name<Name>(), this);
    }
  };
  __attribute__((init_priority(101))) static inline registration add{};
#endif
};
#endif

/*
 * The kernel's name in device images: _ZTS and the device compiler's mangled name of the type.
 * Valid until the process ends. As long as no image has the kernel, each call looks again.
 */
template <class Name, class Unit = own_unit> const std::string &kernel_name() {
#ifdef __SYCL_DEVICE_ONLY__
  static const std::string none;
  return none;
#else
  static_cast<void>(&host_kernel<Name, Unit>::add);
  static std::atomic<const std::string *> known{nullptr};
  if (const std::string *there = known)
    return *there;
  const image_kernel found = find_image_kernel(this_unit(), host_kernel_name<Name>());
  const std::string &name = kept_text(found.name);
  if (found.is_certain)
    known = &name;
  return name;
#endif
}

/* The signatures that the function objects of kernels can have; a kernel_handler may follow. */
template <class F, class... At>
struct takes : std::disjunction<std::is_invocable<const F &, At..., kernel_handler>,
                                std::is_invocable<const F &, At...>> {};
template <class F, class... At> inline constexpr bool is_kernel = takes<F, At...>::value;
/* An item's index in one dimension, convertible to any integer type that a function object takes.
 */
struct any_integer {
  std::size_t value;
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>> operator N() const noexcept {
    return static_cast<N>(value);
  }
};
/* Items do not convert to int. any_integer finds the function objects that take an integer. */
template <class F, int D>
inline constexpr bool is_range_kernel =
    std::disjunction_v<takes<F, item<D>>,
                       std::conjunction<std::bool_constant<D == 1>, takes<F, any_integer>>>;

/* The index may be converted to the smaller integer type that the function object takes. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
/* Calls a function object with or without the handler. */
template <class F, class... At> void invoke(const F &f, kernel_handler handler, const At &...at) {
  handler_access::enter(handler);
  if constexpr (std::is_invocable_v<const F &, At..., kernel_handler>)
    f(at..., handler);
  else
    f(at...);
}
#pragma GCC diagnostic pop
template <class F, int D> void invoke_range(const F &f, kernel_handler handler, const item<D> &at) {
  if constexpr (is_kernel<F, item<D>>)
    invoke(f, handler, at);
  else
    invoke(f, handler, any_integer{at.get_id(0)});
}

#ifdef __SYCL_DEVICE_ONLY__

/* The kernel's argument. It is a type of its own, so that an empty function object is an argument,
 * too. */
template <class F> struct closure {
  F function;
};

template <class Name, class F> void single_task_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke(argument.function, handler_access::make());
}
template <class Name, class F, int D> void range_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke_range(argument.function, handler_access::make(), maker::this_item<D>());
}
template <class Name, class F, int D> void nd_range_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  invoke(argument.function, handler_access::make(), maker::this_nd_item<D>());
}
/* The group's first work-item runs the function, which then loops over all items of the group. */
template <class Name, class F, int D> void work_group_entry(closure<F> argument) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(Name));
  __specpi_two_levels();
  const group<D> of = maker::this_nd_item<D>().get_group();
  if (of.leader())
    invoke(argument.function, handler_access::make(), of);
}

#endif

} // namespace sycl::detail

#endif

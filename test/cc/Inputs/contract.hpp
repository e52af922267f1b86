/* The declarations by which include/sycl marks code for specpi-cc, for tests without its headers.
 */
#ifndef CONTRACT_HPP
#define CONTRACT_HPP

#include <cstddef>
#include <type_traits>

#define SYCL_EXTERNAL __attribute__((assume("specpi.external")))

extern "C" void __specpi_kernel_entry(const char *name);
extern "C" __attribute__((opencl_local)) char *__specpi_local_memory(void);
template <class V, class Id>
V __sycl_getScalar2020SpecConstantValue(const char *id, const Id *value,
                                        const void *buffer) noexcept;
template <class V, class Id>
V __sycl_getComposite2020SpecConstantValue(const char *id, const Id *value,
                                           const void *buffer) noexcept;
template <class V> V __sycl_getScalarSpecConstantValue(const char *id) noexcept;
template <class V> V __sycl_getCompositeSpecConstantValue(const char *id) noexcept;

std::size_t global_id(unsigned) __asm__("_Z13get_global_idj");

namespace sycl {
template <class T> struct specialization_id {
  using value_type = T;
  template <class... A> explicit constexpr specialization_id(A... a) : value(a...) {}
  T value;
};
} // namespace sycl

template <auto &S> auto get() {
  using V = typename std::remove_cv_t<std::remove_reference_t<decltype(S)>>::value_type;
  if constexpr (std::is_scalar_v<V>)
    return __sycl_getScalar2020SpecConstantValue<V>("", &S, nullptr);
  else
    return __sycl_getComposite2020SpecConstantValue<V>("", &S, nullptr);
}

template <class V, class N> V get_required() {
  if constexpr (std::is_scalar_v<V>)
    return __sycl_getScalarSpecConstantValue<V>(__builtin_sycl_unique_stable_name(N));
  else
    return __sycl_getCompositeSpecConstantValue<V>(__builtin_sycl_unique_stable_name(N));
}

template <class F> struct closure {
  F function;
};

template <class N, class F> void kernel(closure<F> it) {
  __specpi_kernel_entry(__builtin_sycl_unique_stable_name(N));
  it.function();
}

/* Defines the kernel of a name and a function object; host code calls this. */
template <class N, class F> void run(F function) {
  kernel<N>(closure<F>{function});
}
#endif

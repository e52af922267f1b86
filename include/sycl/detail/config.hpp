// What every header needs: the two names of the namespace, and marks for the device compiler.
#ifndef SYCL_DETAIL_CONFIG_HPP
#define SYCL_DETAIL_CONFIG_HPP

#if __cplusplus < 201703L
#error <sycl/sycl.hpp> is for C++17 and later
#endif

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202001
#endif

namespace sycl::detail {}
namespace cl {
namespace sycl = ::sycl;
}

/*
 * Marks a function that other translation units' kernels call, at its declaration and its
 * definition. Kernels of a unit that only declares it have to be linked with a unit that
 * defines it.
 */
#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL __attribute__((assume("specpi.external")))
#else
#define SYCL_EXTERNAL
#endif

/* Attributes of kernels are specpi-cc's, and nothing to the host's compiler. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#pragma GCC diagnostic ignored_attributes "sycl::"
#endif

#endif

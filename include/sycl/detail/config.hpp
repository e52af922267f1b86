// Definitions for every header: the two names of the namespace, and marks for the device compiler.
#ifndef SYCL_DETAIL_CONFIG_HPP
#define SYCL_DETAIL_CONFIG_HPP

#if __cplusplus < 201703L
#error <sycl/sycl.hpp> is for C++17 and later
#endif

/* libspecpi-sycl has objects of the C++ library in its classes, which have to be the program's. */
#ifndef __SYCL_DEVICE_ONLY__
#include <cstddef>
#if !defined(__GLIBCXX__) || defined(_GLIBCXX_DEBUG) || !_GLIBCXX_USE_CXX11_ABI
#error libspecpi-sycl was compiled for libstdc++ with its C++11 ABI, without _GLIBCXX_DEBUG: \
    compile with these, or compile the sources in the directory sycl with the program, too
#endif
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

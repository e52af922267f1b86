// Definitions for every header: the two names of the namespace, and marks for the device compiler.
#ifndef SYCL_DETAIL_CONFIG_HPP
#define SYCL_DETAIL_CONFIG_HPP

#if __cplusplus < 201703L
#error <sycl/sycl.hpp> is for C++17 and later
#endif

/* Classes of libspecpi-sycl contain objects of the C++ library, so the program and libspecpi-sycl
 * need the same C++ library. */
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
 * Marks a function that kernels of other translation units call, at its declaration and at its
 * definition. Kernels of a unit that only declares the function have to be linked with a unit that
 * defines it.
 */
#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL __attribute__((assume("specpi.external")))
#else
#define SYCL_EXTERNAL
#endif

/* Kernel attributes are for specpi-cc. The host's compiler does not know them and must not warn. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#pragma GCC diagnostic ignored_attributes "sycl::"
#endif

#endif

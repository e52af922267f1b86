/*
 * Replaces DPC++'s header of this name if GCC compiles the host side: DPC++ names unnamed kernels
 * by a builtin that only clang has.
 */
#pragma once

#undef __SYCL_UNNAMED_LAMBDA__
#include_next <sycl/detail/kernel_desc.hpp>
#define __SYCL_UNNAMED_LAMBDA__ 1

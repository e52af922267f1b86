/*
 * Stands before the header of this name of DPC++ where GCC compiles the host's side: kernels
 * without names have names there that only clang's builtin tells.
 */
#pragma once

#undef __SYCL_UNNAMED_LAMBDA__
#include_next <sycl/detail/kernel_desc.hpp>
#define __SYCL_UNNAMED_LAMBDA__ 1

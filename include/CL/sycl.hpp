// The name that SYCL 1.2.1 has for <sycl/sycl.hpp>.
#ifndef CL_SYCL_HPP
#define CL_SYCL_HPP

#include <sycl/sycl.hpp>

#endif

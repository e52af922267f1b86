// The name by which the proposal's footers, DPC++'s among them, include it.
#ifndef CL_SYCL_DETAIL_SPEC_CONST_INTEGRATION_HPP
#define CL_SYCL_DETAIL_SPEC_CONST_INTEGRATION_HPP

#include <sycl/detail/spec_const_integration.hpp>

#endif

// OpenCL's types, as <CL/cl.h> declares them, for code that does not include it.
#ifndef SYCL_DETAIL_OPENCL_TYPES_HPP
#define SYCL_DETAIL_OPENCL_TYPES_HPP

/* The structures that the types point to. */
struct _cl_context;
struct _cl_device_id;
struct _cl_kernel;
struct _cl_program;

namespace sycl::opencl {

using cl_context = ::_cl_context *;
using cl_device_id = ::_cl_device_id *;
using cl_kernel = ::_cl_kernel *;
using cl_program = ::_cl_program *;

} // namespace sycl::opencl

#endif

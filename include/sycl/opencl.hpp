/*
 * Modules from and to OpenCL's own objects. SYCL Modules, "OpenCL backend-specific functionality"
 * and "SYCL object interoperability". The types are OpenCL's, but <CL/cl.h> is not needed.
 *
 * feature_not_supported, for all functions: the context is not of the backend opencl.
 */
#ifndef SYCL_OPENCL_HPP
#define SYCL_OPENCL_HPP

#include <sycl/detail/opencl_module.hpp>
#include <sycl/detail/opencl_types.hpp>
#include <sycl/module.hpp>
#include <sycl/program.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sycl {

namespace opencl {

/* The address and the number of bytes. */
using binary_blob_t = std::pair<const char *, std::size_t>;

/*
 * An input module of a text in OpenCL C. Its kernels are known only once it is built; their names
 * are those in the text. runtime_error, errc::invalid: there is no text.
 */
module<module_state::input> create_with_source(context in, std::string source);

/*
 * An input module of SPIR-V. Its constants have their numbers in the SPIR-V.
 * invalid_object_error: the SPIR-V is not well-formed; runtime_error, errc::invalid: first is NULL.
 */
module<module_state::input> create_program_with_il(context in, binary_blob_t il);

/*
 * An input module of a binary for the context's devices. If they do not accept it, the build fails.
 * runtime_error, errc::invalid: there are no bytes.
 */
module<module_state::input> create_program_with_binary(context in, binary_blob_t device_binary);

/*
 * An input module of built-in kernels of the context's devices. kernel_not_found: a device lacks a
 * kernel; runtime_error, errc::invalid: there are no names.
 */
module<module_state::input>
create_program_with_builtin_kernels(context in, std::vector<std::string> kernel_names);

/*
 * Makes a module from a cl_program and holds a reference to it. The states require:
 * input: CL_PROGRAM_SOURCE or CL_PROGRAM_IL is not null. Builds start from that, without the values
 * that were set in the cl_program.
 * object: there is a binary from clCompileProgram.
 * executable: there is a binary from clLinkProgram or clBuildProgram, with at least one kernel.
 *
 * invalid_object: the cl_program is not in that state. runtime_error, errc::invalid: it is null, or
 * its cl_context is not that of a device of the context, as get_native returns it.
 */
template <module_state State> module<State> import(context in, cl_program program) {
  return detail::module_access::make<State>(
      in, detail::import_from_opencl(in, detail::bundle_state_of<State>, program));
}

} // namespace opencl

/* The backend's type for a class. */
template <backend Backend, class T> struct interop;

template <module_state State> struct interop<backend::opencl, module<State>> {
  using native_type = opencl::cl_program;
};
template <> struct interop<backend::opencl, program> {
  using native_type = opencl::cl_program;
};
template <> struct interop<backend::opencl, kernel> {
  using native_type = opencl::cl_kernel;
};
template <> struct interop<backend::opencl, context> {
  using native_type = opencl::cl_context;
};
template <> struct interop<backend::opencl, device> {
  using native_type = opencl::cl_device_id;
};

/*
 * Returns the backend's object for one of this library's objects. The caller must release it with
 * clReleaseProgram, clReleaseKernel, clReleaseContext or clReleaseDevice.
 *
 * A module must have exactly one device image; otherwise: invalid_object. The cl_program of an
 * input module is the one that was imported, or a new one with the present values, for
 * clCompileProgram and clBuildProgram. An object module's is for clLinkProgram; an executable
 * module's cannot be compiled or linked any more. A context must have exactly one device.
 */
template <backend Backend, module_state State>
typename interop<Backend, module<State>>::native_type get_native(const module<State> &of) {
  return static_cast<opencl::cl_program>(detail::native_program(*detail::module_access::impl(of)));
}
template <backend Backend>
typename interop<Backend, program>::native_type get_native(const program &of) {
  return of.get();
}
template <backend Backend>
typename interop<Backend, kernel>::native_type get_native(const kernel &of) {
  return static_cast<opencl::cl_kernel>(detail::native_kernel(of));
}
template <backend Backend>
typename interop<Backend, context>::native_type get_native(const context &of) {
  return reinterpret_cast<opencl::cl_context>(detail::native_context(of));
}
template <backend Backend>
typename interop<Backend, device>::native_type get_native(const device &of) {
  return reinterpret_cast<opencl::cl_device_id>(detail::native_device(of));
}

} // namespace sycl

#endif

/*
 * Modules and OpenCL's own objects. SYCL Modules, "OpenCL backend-specific functionality" and "SYCL
 * object interoperability". No header of OpenCL is needed; the types are those of <CL/cl.h>.
 *
 * All of it is for contexts of the backend opencl; for others: feature_not_supported.
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

/* Bytes: first points to second of them. */
using binary_blob_t = std::pair<const char *, std::size_t>;

/*
 * An input module of a text in OpenCL C. Its kernels are known when it is built, by the names that
 * they have in the text. runtime_error, errc::invalid: there is no text.
 */
module<module_state::input> create_with_source(context in, std::string source);

/*
 * An input module of IL: SPIR-V. Its constants have the numbers that the IL gives them.
 * invalid_object_error: it is not well-formed; runtime_error, errc::invalid: first is NULL.
 */
module<module_state::input> create_program_with_il(context in, binary_blob_t il);

/*
 * An input module of a binary for the context's devices. Whether they take it is known when it is
 * built. runtime_error, errc::invalid: there are no bytes.
 */
module<module_state::input> create_program_with_binary(context in, binary_blob_t device_binary);

/*
 * An input module of kernels that the context's devices have without a compiler.
 * kernel_not_found: one has no kernel of a name; runtime_error, errc::invalid: there are no names.
 */
module<module_state::input>
create_program_with_builtin_kernels(context in, std::vector<std::string> kernel_names);

/*
 * The module of a cl_program, whose reference count increases as long as the module is there.
 *
 * input: CL_PROGRAM_SOURCE or CL_PROGRAM_IL is not null; what is built is made of that, without
 * values that were set in the cl_program. object: there is a binary, from clCompileProgram.
 * executable: there is a binary, from clLinkProgram or clBuildProgram, with at least one kernel.
 *
 * invalid_object: the cl_program is not in that state. runtime_error, errc::invalid: it is null, or
 * of another cl_context than those of the context's devices, which get_native gives.
 */
template <module_state State> module<State> import(context in, cl_program program) {
  return detail::module_access::make<State>(
      in, detail::import_from_opencl(in, detail::bundle_state_of<State>, program));
}

} // namespace opencl

/* The type that a backend has for a class. */
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
 * The backend's object of one of this library's, with a reference that the caller gives up: by
 * clReleaseProgram, clReleaseKernel, clReleaseContext or clReleaseDevice.
 *
 * A module has one cl_program when it has one device image; otherwise: invalid_object. That of an
 * input module is a new one, for clCompileProgram and clBuildProgram, with the values that are set
 * now, or the one that was imported. That of an object module is for clLinkProgram, and that of an
 * executable one for nothing that compiles. A context has one cl_context when it has one device.
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

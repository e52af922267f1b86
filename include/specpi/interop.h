/*
 * Bundles of what no compiler for SYCL made, OpenCL's programs in and out. Part of specpi.h, which
 * includes this file. The proposal SYCL Modules, section "OpenCL backend-specific functionality",
 * is where they come from.
 *
 * A program for OpenCL's own compiler has no symbolic ids: the constants of IL are those that the
 * module declares, and their names are their numbers, "42". A boolean takes 1 byte.
 *
 * What a driver refuses is SPECPI_ERROR_DRIVER, with its words; SPECPI_ERROR_OUT_OF_MEMORY is host
 * memory. They are not repeated at each function.
 */
#ifndef SPECPI_INTEROP_H
#define SPECPI_INTEROP_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * A new input bundle of IL, a SPIR-V module: also one that was not made for SYCL, and for any
 * device whose plugin takes SPIR-V. The bytes are copied. Its kernels are the module's entry
 * points.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, il or bundle is NULL. SPECPI_ERROR_INVALID_IMAGE: not a
 * well-formed SPIR-V module. SPECPI_ERROR_NO_IMAGE: the device takes no SPIR-V.
 */
specpi_result specpiBundleCreateWithIL(specpi_device device, size_t size, const void *il,
                                       specpi_bundle *bundle);

/*
 * A new input bundle of a text in OpenCL C, which is copied and needs no NUL at its end. It has
 * no constants, and its kernels are known when it is built.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, source or bundle is NULL, or size is 0.
 * SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleCreateWithSource(specpi_device device, size_t size, const char *source,
                                           specpi_bundle *bundle);

/*
 * The same of a binary for the device, as CL_PROGRAM_BINARIES gives it. Whether the driver takes it
 * is known when it is built.
 */
specpi_result specpiBundleCreateWithBinary(specpi_device device, size_t size, const void *binary,
                                           specpi_bundle *bundle);

/*
 * A new input bundle of the driver's own kernels, CL_DEVICE_BUILT_IN_KERNELS. Building it compiles
 * nothing.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, names, a name or bundle is NULL, or count is 0.
 * SPECPI_ERROR_UNKNOWN_KERNEL: the device has no built-in kernel of a name; the message lists those
 * that it has. SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleCreateWithBuiltInKernels(specpi_device device, size_t count,
                                                   const char *const *names, specpi_bundle *bundle);

/*
 * A new bundle in that state around a cl_program. The bundle holds a reference to it until it is
 * released. program must be of specpiDeviceGetContext's context, and for the device.
 *
 * INPUT: it has a source or IL, from which it is built later; values set in the cl_program do not
 * count. OBJECT: it has a binary for the device, and was compiled. EXECUTABLE: it has a binary, was
 * linked or built, and has a kernel.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, program or bundle is NULL, no such state, or the program
 * is of another context. SPECPI_ERROR_INVALID_STATE: it is not in that state; the message says what
 * it lacks. SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleImport(specpi_device device, specpi_bundle_state state, void *program,
                                 specpi_bundle *bundle);

/*
 * The cl_program of an image of a bundle, of a device of the backend OpenCL, with a reference that
 * the caller gives up by clReleaseProgram.
 *
 * Of an input bundle it is a new one, not compiled, with the values that are set now; or the
 * imported one. Of an object or executable bundle it is the bundle's own, and must not be compiled,
 * built or, if executable, linked. Images that were linked have one program.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or program is NULL, or there is no such image.
 * SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL, or its OpenCL is too old to
 * set constants.
 */
specpi_result specpiBundleGetNativeProgram(specpi_bundle bundle, size_t image, void **program);

/*
 * The same for a kernel: its cl_kernel, for clReleaseKernel. Setting arguments through it is not
 * safe while other threads launch the kernel.
 */
specpi_result specpiKernelGetNative(specpi_kernel kernel, void **native);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

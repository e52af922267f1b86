/*
 * Bundles from code that no SYCL compiler made, and conversions between bundles and OpenCL's
 * programs. Part of specpi.h, which includes this file. The source is the proposal SYCL Modules,
 * section "OpenCL backend-specific functionality".
 *
 * Programs for OpenCL's own compiler have no symbolic ids: the names of a SPIR-V module's constants
 * are their numbers, e.g. "42". A boolean takes 1 byte.
 *
 * Every function may return SPECPI_ERROR_DRIVER, with the driver's message, and
 * SPECPI_ERROR_OUT_OF_MEMORY for host memory. These codes are not repeated at each function.
 */
#ifndef SPECPI_INTEROP_H
#define SPECPI_INTEROP_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * A new input bundle of IL, a SPIR-V module, which need not have been made for SYCL; for any device
 * whose plugin takes SPIR-V. The bytes are copied. The bundle's kernels are the module's entry
 * points.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, il or bundle is NULL. SPECPI_ERROR_INVALID_IMAGE: not a
 * well-formed SPIR-V module. SPECPI_ERROR_NO_IMAGE: the device takes no SPIR-V.
 */
specpi_result specpiBundleCreateWithIL(specpi_device device, size_t size, const void *il,
                                       specpi_bundle *bundle);

/*
 * A new input bundle of a text in OpenCL C, which is copied and needs no NUL at its end. The bundle
 * has no constants, and its kernels are known only once it is built.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, source or bundle is NULL, or size is 0.
 * SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleCreateWithSource(specpi_device device, size_t size, const char *source,
                                           specpi_bundle *bundle);

/*
 * The same for a binary of the device, as CL_PROGRAM_BINARIES returns it. If the driver does not
 * accept it, the build fails.
 */
specpi_result specpiBundleCreateWithBinary(specpi_device device, size_t size, const void *binary,
                                           specpi_bundle *bundle);

/*
 * A new input bundle of the driver's own kernels, CL_DEVICE_BUILT_IN_KERNELS. Building it compiles
 * nothing.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, names, a name or bundle is NULL, or count is 0.
 * SPECPI_ERROR_UNKNOWN_KERNEL: the device lacks a built-in kernel; the message lists the ones that
 * it has. SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleCreateWithBuiltInKernels(specpi_device device, size_t count,
                                                   const char *const *names, specpi_bundle *bundle);

/*
 * A new bundle in that state around a cl_program, to which the bundle holds a reference. program
 * must be for the device, and in the context of specpiDeviceGetContext. The states require:
 * INPUT: the program has a source or IL. Builds start from that, without the values that were set
 * in the cl_program. OBJECT: the program was compiled and has a binary for the device. EXECUTABLE:
 * the program was linked or built, and has a binary for the device and a kernel.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, program or bundle is NULL, there is no such state, or the
 * program is of another context. SPECPI_ERROR_INVALID_STATE: the program is not in that state; the
 * message says what it lacks. SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL.
 */
specpi_result specpiBundleImport(specpi_device device, specpi_bundle_state state, void *program,
                                 specpi_bundle *bundle);

/*
 * Returns the cl_program of an image of a bundle. The device must be of the backend OpenCL. The
 * caller must release the program with clReleaseProgram.
 *
 * For an input bundle the program is the imported one, or a new one that is not compiled and has
 * the present values. For other bundles it is the bundle's own, and must not be compiled, built or,
 * if the bundle is executable, linked. Images that were linked share one program.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or program is NULL, or there is no such image.
 * SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL, or its OpenCL is too old to
 * set constants.
 */
specpi_result specpiBundleGetNativeProgram(specpi_bundle bundle, size_t image, void **program);

/*
 * Returns the cl_kernel of a kernel. The caller must release it with clReleaseKernel. Setting
 * arguments through it is not safe while other threads launch the kernel.
 */
specpi_result specpiKernelGetNative(specpi_kernel kernel, void **native);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

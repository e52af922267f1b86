/*
 * A FAKE libOpenCL.so.1, for tests only. It has real objects and moves real bytes, but compiles and
 * runs nothing. It is for tests in which the driver has to fail on demand, or ThreadSanitizer has
 * to see into the driver, or which need several platforms.
 *
 * It follows OpenCL in the following. Objects are typed and reference-counted, and every handle is
 * checked (CL_INVALID_* for a wrong or released one). Buffers, images and USM have bytes; copies,
 * fills, rectangles and maps work on them. A command whose wait list is complete runs inside the
 * call that enqueues it; others run inside the call that completes their last event. The thread
 * that completes an event calls its callbacks.
 *
 * Programs behave like those of Intel's CPU runtime. Values of specialization constants have effect
 * only if they are set before the first build; later ones are accepted and ignored. Setting one for
 * a program from source aborts the process. A build with the option -fake-fail fails. Binaries
 * contain the IL and the values, so a program from a binary has them.
 *
 * Kernels are the entry points of the SPIR-V module, with its parameters; in source, every
 * "kernel void NAME(". A launch runs nothing. It writes as many fake_opencl_records as fit into the
 * memory of the first argument that is a buffer or a USM pointer:
 *   {FAKE_RECORD_LAUNCH, number of dimensions, work items}
 *   {id, size, value} for each specialization constant, in the order of the linked modules, then
 *                     of the ids; value has size bytes
 *   {FAKE_RECORD_ARGUMENT | index, size, first 8 bytes} for each argument passed by value
 *   {FAKE_RECORD_END, 0, 0}
 * If FAKE_OPENCL_POINTERS is set in the environment, that argument may be any other pointer, too,
 * as with Intel's CPU runtime; it must point to FAKE_POINTER_ROOM bytes. Drivers that use this one
 * and allocate their own memory need that.
 *
 * Every built program has a global variable "fake_variable" and a host pipe "fake_pipe" of 64
 * bytes each, which all programs share.
 */
#ifndef SPECPI_TEST_FAKE_OPENCL_H
#define SPECPI_TEST_FAKE_OPENCL_H

#include "../../plugins/opencl/driver.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(NAME, text): the kinds of objects. */
#define FAKE_TYPES(X)                                                                              \
  X(PLATFORM, "platform")                                                                          \
  X(DEVICE, "device")                                                                              \
  X(CONTEXT, "context")                                                                            \
  X(QUEUE, "queue")                                                                                \
  X(MEM, "memory object")                                                                          \
  X(SAMPLER, "sampler")                                                                            \
  X(PROGRAM, "program")                                                                            \
  X(KERNEL, "kernel")                                                                              \
  X(EVENT, "event")                                                                                \
  X(USM, "USM allocation")

typedef enum fake_type {
#define FAKE_TYPE(name, text) FAKE_##name,
  FAKE_TYPES(FAKE_TYPE)
#undef FAKE_TYPE
      FAKE_TYPE_COUNT
} fake_type;

typedef struct fake_opencl_record {
  uint32_t what;
  uint32_t size;
  uint64_t value;
} fake_opencl_record;

enum { FAKE_POINTER_ROOM = 8 * sizeof(fake_opencl_record) };

#define FAKE_RECORD_LAUNCH UINT32_C(0xfffffffe)
#define FAKE_RECORD_END UINT32_C(0xfffffffd)
#define FAKE_RECORD_ARGUMENT UINT32_C(0xf0000000)

/*
 * The platforms, in this order. FAKE_OPENCL_PLATFORMS in the environment is their number,
 * default 1. Each has one root device with 4 compute units, and with two affinity domains if
 * FAKE_OPENCL_DOMAINS is set. Each platform has its own extension functions, which refuse objects
 * of other platforms.
 *   FULL     OpenCL 3.0 with everything
 *   OLD      OpenCL 1.2 without any extension: no IL, no USM
 *   MIDDLE   OpenCL 2.0 with cl_khr_il_program, cl_khr_subgroups and USM: programs from IL, but no
 *            way to set a constant
 *
 * FAKE_OPENCL_WITHOUT in the environment is a comma-separated list of features that all platforms
 * lack:
 *   usm       the extension for unified shared memory
 *   compiler  CL_DEVICE_COMPILER_AVAILABLE is CL_FALSE; clCompileProgram, and clBuildProgram except
 *             for binaries, return CL_COMPILER_NOT_AVAILABLE
 *   linker    the same for CL_DEVICE_LINKER_AVAILABLE and clLinkProgram
 */
enum { FAKE_PLATFORM_FULL, FAKE_PLATFORM_OLD, FAKE_PLATFORM_MIDDLE, FAKE_PLATFORMS_MAX };

/*
 * Makes the nth call from now on (1 is the next one) of a function such as "clBuildProgram" return
 * code and do nothing else. If call is NULL, calls of all functions count except
 * clGetExtensionFunctionAddressForPlatform, which returns no code, and functions that release
 * something (clRelease*, clMemFreeINTEL, clMemBlockingFreeINTEL), from whose failure no program can
 * recover.
 */
void fake_opencl_fail(const char *call, unsigned long nth, cl_int code);

/* Cancels the request. Returns the function that failed, NULL if none did. */
const char *fake_opencl_unfail(void);

/* Returns the number of calls of a function, including failed ones; NULL: of all functions. */
unsigned long fake_opencl_calls(const char *call);

/* Returns the number of live objects of a type, including objects that only other objects hold. */
size_t fake_opencl_live(fake_type type);

/* Returns the number of live objects of all types except platforms and root devices. */
size_t fake_opencl_live_all(void);

/*
 * Writes a line for each of these objects, like "kernel 12: 2 references, held by 1", at most size
 * bytes including the NUL. Returns the number of objects.
 */
size_t fake_opencl_list(char *text, size_t size);

/* Makes new objects reuse the address that was released last (newest), or longest ago. */
void fake_opencl_reuse_addresses(bool newest);

#endif

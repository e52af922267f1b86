/*
 * A FAKE libOpenCL.so.1, for tests only: it keeps real objects and moves real bytes, but
 * compiles and runs nothing. Tests use it where the driver has to fail on demand, where
 * ThreadSanitizer has to see the driver too, and where several platforms are needed.
 *
 * What it does as OpenCL says: objects are typed and counted, and every handle is checked
 * (a wrong or released one is CL_INVALID_*). Buffers, images and USM hold bytes; copies,
 * fills, rectangles and maps work on them. A command whose wait list is complete runs inside
 * the call that enqueues it; others run inside the call that completes their last event.
 * Callbacks are called by the thread that completes the event.
 *
 * Programs behave as those of Intel's CPU runtime: the values of specialization constants
 * which are set before the first build count; one that is set later is accepted, and
 * forgotten. On a program from source the call aborts the process. A build with the option
 * -fake-fail fails. Binaries hold the IL and the values, so a program from a binary has them.
 *
 * Kernels are the entry points of the SPIR-V module, with its parameters; in source every
 * "kernel void NAME(" is one. A launch writes fake_opencl_record's, as many as fit, into
 * the memory of the first argument that is a buffer or a USM pointer:
 *   {FAKE_RECORD_LAUNCH, number of dimensions, work items}
 *   {id, size, value} for each specialization constant, in the order of the modules that
 *                     were linked, then of the ids; value has size bytes
 *   {FAKE_RECORD_ARGUMENT | index, size, first 8 bytes} for each argument passed by value
 *   {FAKE_RECORD_END, 0, 0}
 * With FAKE_OPENCL_POINTERS in the environment any other pointer will do, as with Intel's CPU
 * runtime, for a driver on top of this one that has memory of its own: it has FAKE_POINTER_ROOM
 * bytes.
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
 * The platforms, in this order; FAKE_OPENCL_PLATFORMS in the environment is how many of them
 * there are, 1 without it. Each has one root device with 4 compute units; with
 * FAKE_OPENCL_DOMAINS in the environment it has two affinity domains. The extension
 * functions of different platforms are different functions, which accept nothing of another
 * platform.
 *   FULL     OpenCL 3.0 with everything
 *   OLD      OpenCL 1.2 without any extension: no IL, no USM
 *   MIDDLE   OpenCL 2.0 with cl_khr_il_program, cl_khr_subgroups and USM: programs from IL,
 *            but no way to set a constant
 * FAKE_OPENCL_WITHOUT in the environment is what all of them lack, words with commas between:
 *   usm       the extension for unified shared memory
 *   compiler  the answer to CL_DEVICE_COMPILER_AVAILABLE is CL_FALSE, and clBuildProgram, but for
 *             binaries, and clCompileProgram say CL_COMPILER_NOT_AVAILABLE
 *   linker    the same for CL_DEVICE_LINKER_AVAILABLE and clLinkProgram
 */
enum { FAKE_PLATFORM_FULL, FAKE_PLATFORM_OLD, FAKE_PLATFORM_MIDDLE, FAKE_PLATFORMS_MAX };

/*
 * The nth call from now on (1 is the next one) of call, "clBuildProgram" or so, returns code
 * and does nothing else. With NULL every call counts but those that give something back
 * (clRelease*, clMemFreeINTEL, clMemBlockingFreeINTEL), whose failure nobody can make good,
 * and clGetExtensionFunctionAddressForPlatform, which has no code.
 */
void fake_opencl_fail(const char *call, unsigned long nth, cl_int code);

/* Takes the request back. The name of the call that failed; NULL when it was never reached. */
const char *fake_opencl_unfail(void);

/* The number of calls of call, failures included; NULL: all calls together. */
unsigned long fake_opencl_calls(const char *call);

/* The number of objects of a type, those that only other objects hold included. */
size_t fake_opencl_live(fake_type type);

/* The same for all types, without platforms and root devices. */
size_t fake_opencl_live_all(void);

/*
 * Writes a line for each such object, "kernel 12: 2 references, held by 1", at most size
 * bytes with the NUL, and returns the number of objects.
 */
size_t fake_opencl_list(char *text, size_t size);

/* Returns whether a new object takes the address of the one released last; if not, the oldest. */
void fake_opencl_reuse_addresses(bool newest);

#endif

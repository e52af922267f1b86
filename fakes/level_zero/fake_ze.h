/*
 * A fake Level Zero driver, which executes on the CPU. The real loader loads it through
 * ZE_ENABLE_ALT_DRIVERS=<path of libze_specpi_cpu.so>. Tests that control it link to libfake_ze.so,
 * which has everything except the functions that the loader looks for. It does not imitate a GPU's
 * speed or rounding. It does what programs may rely on, and makes every check that a driver or the
 * validation layer makes or should make.
 *
 * It follows Level Zero in the following. Each command queue and each immediate command list runs
 * its commands on its own thread. Commands start in the order in which they were appended, each
 * after the events that it waits for. Without an event or a barrier between them they have no
 * order: of the commands that may run, the one appended last runs first. Intel's OpenCL runtime for
 * CPUs runs the kernels from their SPIR-V, with specialization constants. The host cannot access
 * device memory (SIGSEGV), unless the device is an integrated one.
 *
 * zeDriverGetExtensionFunctionAddress finds functions that are newer than loader 1.8 (FAKE_NEWER of
 * functions.h). The loader has them, too, if libze_newer.so is preloaded, or if the build's
 * directory fakes/level_zero/newer is in LD_LIBRARY_PATH.
 *
 * It differs from Level Zero in the following. A native binary contains the SPIR-V and the values
 * of its constants. There is no sysman (zes*), no tools API (zet*), no physical and virtual memory,
 * and no fabric. Such functions in the tables of ze* return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE.
 *
 * Environment, read once at the first call:
 *   FAKE_ZE_DRIVERS       number of drivers, 0 to 4, default 1
 *   FAKE_ZE_DEVICES       number of root devices per driver, 0 to 8, default 1
 *   FAKE_ZE_PARTS         number of sub-devices per root device, 0 to 8, default 2
 *   FAKE_ZE_TYPE          type of the devices: gpu (default) or cpu
 *   FAKE_ZE_INTEGRATED    1: devices share the host's memory; 0 (default): they do not
 *   FAKE_ZE_PEERS         0: devices cannot access each other; 1 (default): they can
 *   FAKE_ZE_API           the version that zeDriverGetApiVersion returns, default 1.4
 *   FAKE_ZE_WITHOUT       extensions to leave out, comma-separated
 *   FAKE_ZE_COPY_ENGINES  0: only the queue group that runs kernels; 1: also a main copy engine;
 *                         2 (default): also a group of link copy engines
 *   FAKE_ZE_MEMORY        bytes of each root device's memory, default 8 GiB
 *   FAKE_ZE_ORDER         which of the commands that may run runs first: reverse (default) or
 *                         submission
 *   FAKE_ZE_TIMESTAMP_BITS  valid bits of timestamps, default 36
 *   FAKE_ZE_FAIL          call:nth:code, the same as fake_ze_fail(call, nth, code); an empty call
 *                         means any
 *   FAKE_ZE_CRASH         the name of a function that ends the process with SIGSEGV
 *   FAKE_ZE_NULL          1: commands complete at once and do nothing, for benchmarks (null.c)
 *   FAKE_ZE_STRICT        1: a failure that only a defect of the program can cause (a wrong handle,
 *                         a freed pointer) prints a line to stderr and aborts
 *   FAKE_ZE_CALLS         a file to which each process appends at its end a line "symbol calls" for
 *                         every function of the driver
 *   FAKE_ZE_TRACE         1: each refusal prints a line to stderr; 2: each call, too
 */
#ifndef SPECPI_TEST_FAKE_ZE_H
#define SPECPI_TEST_FAKE_ZE_H

#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, text): the kinds of objects. */
#define FAKE_KINDS(X)                                                                              \
  X(DRIVER, "driver")                                                                              \
  X(DEVICE, "device")                                                                              \
  X(CONTEXT, "context")                                                                            \
  X(QUEUE, "command queue")                                                                        \
  X(LIST, "command list")                                                                          \
  X(FENCE, "fence")                                                                                \
  X(POOL, "event pool")                                                                            \
  X(EVENT, "event")                                                                                \
  X(MEMORY, "allocation")                                                                          \
  X(IMPORT, "imported host memory")                                                                \
  X(IMAGE, "image")                                                                                \
  X(SAMPLER, "sampler")                                                                            \
  X(SEMAPHORE, "external semaphore")                                                               \
  X(MODULE, "module")                                                                              \
  X(BUILD_LOG, "build log")                                                                        \
  X(KERNEL, "kernel")

typedef enum fake_kind {
#define FAKE_KIND(NAME, text) FAKE_##NAME,
  FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
      FAKE_KIND_COUNT
} fake_kind;

/*
 * Makes the nth call from now on (1 is the next one; 0: none) of a function such as
 * "zeMemAllocDevice" return code and do nothing else. If call is NULL, calls of all functions count
 * except those that release something (*Destroy, *Free*, *Close, *Release*), from whose failure no
 * program can recover. Calls of all threads count.
 */
void fake_ze_fail(const char *call, unsigned long nth, ze_result_t code);

/*
 * Makes the nth command that a queue runs from now on (1 is the next one; 0: none) do nothing and
 * fail with code. Its context is then lost, and all waits in the context return code.
 */
void fake_ze_fail_command(unsigned long nth, ze_result_t code);

/* Cancels the request. Returns the function that failed, NULL if none did. */
const char *fake_ze_unfail(void);

/* Returns the number of calls of a function, including failed ones; NULL: of all functions. */
unsigned long fake_ze_calls(const char *call);

/* Sets all counts of calls to 0, and cancels requests of fake_ze_fail. Objects stay. */
void fake_ze_reset(void);

/* Calls function for every function of the driver, with the number of its calls, in any order. */
void fake_ze_each_call(void (*function)(const char *symbol, unsigned long calls, void *user),
                       void *user);

/*
 * Returns the number of live objects of a kind. Only this function counts drivers and devices,
 * which always exist. It does not count objects that belong to another one (a module's variables).
 */
size_t fake_ze_live(fake_kind kind);

/* Returns the number of live objects of all kinds except drivers and devices. */
size_t fake_ze_live_all(void);

/*
 * Writes a line for each of these objects, like "event 12 of context 3", at most size bytes
 * including the NUL. Returns the number of objects.
 */
size_t fake_ze_list(char *text, size_t size);

/* Returns the message of this thread's last refused call; "" if there is none. */
const char *fake_ze_reason(void);

/*
 * Copies the message of the first command that failed while running since fake_ze_reset, in any
 * thread; "" if none failed. Returns its length.
 */
size_t fake_ze_fault(char *text, size_t size);

/* Returns the number of threads that run commands. */
size_t fake_ze_threads(void);

#ifdef __cplusplus
}
#endif

#endif

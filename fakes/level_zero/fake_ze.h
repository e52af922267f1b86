/*
 * A fake Level Zero driver, which executes on the CPU: the real loader finds it by
 * ZE_ENABLE_ALT_DRIVERS=<path of libze_specpi_cpu.so>. Tests that control it link libfake_ze.so,
 * which is all of it but the functions that the loader looks for. It is no GPU and says nothing
 * about one's speed or its rounding; it is what a program may rely on of a driver, with every check
 * that a driver or the validation layer makes or should make.
 *
 * What it does as Level Zero says: each command queue and each immediate command list runs its
 * commands on a thread of its own. Commands start in the order in which they were appended, each
 * when the events it waits for are signalled, but without an event or a barrier between them they
 * keep no order: of those that may run, the one appended last runs first. Kernels are really run,
 * from their SPIR-V, by Intel's OpenCL runtime for CPUs, constants included. Device memory has
 * addresses that the host must not touch (SIGSEGV) unless the device is an integrated one.
 *
 * Functions that came after loader 1.8 (FAKE_NEWER of functions.h) are found with
 * zeDriverGetExtensionFunctionAddress; with libze_newer.so preloaded, or the directory
 * fakes/level_zero/newer of the build in LD_LIBRARY_PATH, the loader has them, too.
 *
 * What it is not: a native binary is a container of the SPIR-V and the values of its constants.
 * There is no sysman (zes*), no tools API (zet*), no physical and virtual memory, no fabric; their
 * functions in the tables of ze* answer ZE_RESULT_ERROR_UNSUPPORTED_FEATURE.
 *
 * Environment, read once at the first call:
 *   FAKE_ZE_DRIVERS       how many drivers zeDriverGet gives: 0 to 4, 1 without it
 *   FAKE_ZE_DEVICES       how many root devices each has: 0 to 8, 1 without it
 *   FAKE_ZE_PARTS         how many sub-devices each of those has: 0 to 8, 2 without it
 *   FAKE_ZE_TYPE          what the devices are: gpu (without it) or cpu
 *   FAKE_ZE_INTEGRATED    1: they share the host's memory; 0 (without it): they do not
 *   FAKE_ZE_PEERS         0: devices cannot access each other; 1 (without it): they can
 *   FAKE_ZE_API           what zeDriverGetApiVersion says, 1.4 without it
 *   FAKE_ZE_WITHOUT       names of extensions that are left out, with commas between
 *   FAKE_ZE_COPY_ENGINES  0: only the queue group that runs kernels; 1: a main copy engine, too;
 *                         2 (without it): and a group of link copy engines
 *   FAKE_ZE_MEMORY        bytes of each root device's memory, 8 GiB without it
 *   FAKE_ZE_ORDER         reverse (without it) or submission: which of the commands that may run
 *                         runs first
 *   FAKE_ZE_TIMESTAMP_BITS  valid bits of timestamps, 36 without it
 *   FAKE_ZE_FAIL          call:nth:code, as fake_ze_fail(call, nth, code); an empty call: any
 *   FAKE_ZE_CRASH         the name of a function that ends the process with SIGSEGV
 *   FAKE_ZE_NULL          1: commands complete at once and do nothing, for benches (null.c)
 *   FAKE_ZE_STRICT        1: what only a defect of the program can cause (a wrong handle, a
 *                         pointer that was freed) writes a line to stderr and aborts
 *   FAKE_ZE_CALLS         a file to which each process adds, at its end, a line "symbol calls" for
 *                         every function that the driver has
 *   FAKE_ZE_TRACE         1: each refusal writes a line to stderr; 2: each call, too
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
 * The nth call from now on (1 is the next one; 0: none) of call, "zeMemAllocDevice" or so, returns
 * code and does nothing else. With NULL every call counts but those that give something back
 * (*Destroy, *Free*, *Close, *Release*), whose failure nobody can make good. Counts of all threads.
 */
void fake_ze_fail(const char *call, unsigned long nth, ze_result_t code);

/*
 * The nth command from now on that a queue runs (1 is the next one; 0: none) does nothing and fails
 * with code: its context is lost then, and answers everything that waits with code.
 */
void fake_ze_fail_command(unsigned long nth, ze_result_t code);

/* Takes the request back. The function that failed; NULL when it was never reached. */
const char *fake_ze_unfail(void);

/* The number of calls of call, failures included; NULL: all calls together. */
unsigned long fake_ze_calls(const char *call);

/* Sets the counts of calls to 0 and takes a request of fake_ze_fail back; objects stay. */
void fake_ze_reset(void);

/* Gives every function that the driver has, with the number of its calls, in no order. */
void fake_ze_each_call(void (*function)(const char *symbol, unsigned long calls, void *user),
                       void *user);

/*
 * The number of objects of a kind. Drivers and devices are always there, and count only here.
 * Those that belong to another object (a module's variables) do not count.
 */
size_t fake_ze_live(fake_kind kind);

/* The same for all kinds together, without drivers and devices. */
size_t fake_ze_live_all(void);

/*
 * Writes a line for each such object, "event 12 of context 3", at most size bytes with the NUL, and
 * returns the number of objects.
 */
size_t fake_ze_list(char *text, size_t size);

/* Why the last call of this thread that was refused was refused, as a message; "" without one. */
const char *fake_ze_reason(void);

/*
 * Why commands failed that were running already: the message of the first one that did since
 * fake_ze_reset, in any thread; "" without one. Returns its length.
 */
size_t fake_ze_fault(char *text, size_t size);

/* The number of threads that run commands. */
size_t fake_ze_threads(void);

#ifdef __cplusplus
}
#endif

#endif

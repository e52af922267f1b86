/*
 * A libcuda.so.1 for tests: the CUDA driver API on the CPU. It is no GPU and says nothing about
 * one's speed or its rounding; it is what a program may rely on of a driver, with every check that
 * a driver makes or should make.
 *
 * What it does as CUDA says: every stream runs its commands in order on a thread of its own, with
 * the rules of the legacy default stream; events, callbacks and graphs are real, and so is the
 * time that events measure. Kernels are really run, from their PTX, by the interpreter of
 * ptx.h. Device memory has addresses of its own, which the host cannot touch (SIGSEGV); each
 * access of a kernel and each copy is checked against what is allocated, to the byte. A failure in
 * a kernel stays in its context until that is destroyed.
 *
 * What it is not: SASS cannot be run on a CPU. A "cubin" of this driver (cuLinkComplete) is an ELF
 * file of machine EM_CUDA with the flags of its architecture, and one section ".specpi.ptx" for
 * each PTX text that was linked; only such are loaded. Cubins of ptxas are refused with
 * CUDA_ERROR_NO_BINARY_FOR_GPU. Fat binaries are read when their members are not compressed. There
 * is no graphics, no capture of streams, no clusters, no multicast, no IPC between processes.
 * cuGetExportTable finds nothing. Virtual memory management is what an H200 was seen to do (CUDA
 * 13.0): physical memory is mapped as a whole, and a mapping is unmapped, and given access to, as a
 * whole. Memory pools are what an H100 was seen to do (CUDA 13.0).
 *
 * Each PTX text first passes through the real ptxas, which refuses in its own words what a GPU's
 * driver would refuse, and whose register counts the functions report.
 *
 * Environment, read once at the first call:
 *   FAKE_CUDA_DEVICES  how many devices there are: 0 to 8, 1 without it; 0: cuInit says
 *                      CUDA_ERROR_NO_DEVICE
 *   FAKE_CUDA_VERSION  what cuDriverGetVersion says, 12040 without it; cuGetProcAddress knows
 *                      nothing newer
 *   FAKE_CUDA_PTXAS    the ptxas; without it the one of the build; "": none
 *   FAKE_CUDA_MEMORY   bytes of each device's memory, 8 GiB without it
 *   FAKE_CUDA_UNITS    multiprocessors of each device, 4 without it
 *   FAKE_CUDA_VIRTUAL  0: the devices have no virtual memory management
 *   FAKE_CUDA_POOLS    0: they have no memory pools
 *   FAKE_CUDA_STEPS    instructions after which a kernel ends with CUDA_ERROR_LAUNCH_TIMEOUT;
 *                      0: never
 *   FAKE_CUDA_FAIL     call:nth:code, as fake_cuda_fail(call, nth, code); an empty call: any
 *   FAKE_CUDA_STRICT   1: what only a defect of the program can cause (a wrong handle, a pointer
 *                      that was freed) writes a line to stderr and aborts
 *   FAKE_CUDA_CALLS    a file to which each process adds, at its end, a line "symbol calls" for
 *                      every function that the driver has
 *   FAKE_CUDA_TRACE    1: each refusal writes a line to stderr
 */
#ifndef SPECPI_TEST_FAKE_CUDA_H
#define SPECPI_TEST_FAKE_CUDA_H

#include <cuda.h>

#include <stdbool.h>
#include <stddef.h>

#if CUDA_VERSION >= 13000
/* Names that mean newer forms there: here they are what they were in CUDA 12. */
#undef cuDeviceGetUuid
#undef cuEventElapsedTime
#undef cuGraphAddDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphRemoveDependencies
#undef cuMemAdvise
#undef cuMemPrefetchAsync
CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t count);
CUresult cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUdevice device);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUdevice device, CUstream stream);
#endif

/* X(NAME, text): the kinds of objects. */
#define FAKE_KINDS(X)                                                                              \
  X(CONTEXT, "context")                                                                            \
  X(STREAM, "stream")                                                                              \
  X(EVENT, "event")                                                                                \
  X(MEMORY, "device allocation")                                                                   \
  X(HOST, "host allocation")                                                                       \
  X(REGISTERED, "registered host memory")                                                          \
  X(MANAGED, "managed allocation")                                                                 \
  X(RESERVATION, "address reservation")                                                            \
  X(PHYSICAL, "physical allocation")                                                               \
  X(MAPPED, "mapping of physical memory")                                                          \
  X(ARRAY, "array")                                                                                \
  X(MIPMAP, "mipmapped array")                                                                     \
  X(TEXTURE, "texture object")                                                                     \
  X(SURFACE, "surface object")                                                                     \
  X(MODULE, "module")                                                                              \
  X(FUNCTION, "function")                                                                          \
  X(LINK, "link state")                                                                            \
  X(GRAPH, "graph")                                                                                \
  X(NODE, "graph node")                                                                            \
  X(GRAPH_EXEC, "executable graph")                                                                \
  X(EXTERNAL_MEMORY, "external memory")                                                            \
  X(EXTERNAL_SEMAPHORE, "external semaphore")                                                      \
  X(POOL, "memory pool")

typedef enum fake_kind {
#define FAKE_KIND(NAME, text) FAKE_##NAME,
  FAKE_KINDS(FAKE_KIND)
#undef FAKE_KIND
      FAKE_KIND_COUNT
} fake_kind;

/*
 * The nth call from now on (1 is the next one) of call, "cuMemAlloc" or "cuMemAlloc_v2" or so,
 * returns code and does nothing else. With NULL every call counts but those that give something
 * back (*Destroy, *Free*, *Unload, *Release, *Unregister, *Unmap), whose failure nobody can make
 * good, and cuGetErrorName and cuGetErrorString.
 */
void fake_cuda_fail(const char *call, unsigned long nth, CUresult code);

/* Takes the request back. The symbol of the call that failed; NULL when it was never reached. */
const char *fake_cuda_unfail(void);

/* The number of calls of call, failures included; NULL: all calls together. */
unsigned long fake_cuda_calls(const char *call);

/* Gives every function that the driver has, with the number of its calls, in no order. */
void fake_cuda_each_call(void (*function)(const char *symbol, unsigned long calls, void *user),
                         void *user);

/*
 * The number of objects of a kind. Those that belong to another object (a module's functions and
 * variables, a mipmapped array's levels, a device's default pool) do not count.
 */
size_t fake_cuda_live(fake_kind kind);

/* The same for all kinds together. */
size_t fake_cuda_live_all(void);

/*
 * Writes a line for each such object, "stream 12 of context 3", at most size bytes with the NUL,
 * and returns the number of objects.
 */
size_t fake_cuda_list(char *text, size_t size);

/* Why the last call of this thread that was refused was refused, as a message; "" without one. */
const char *fake_cuda_reason(void);

/* Why kernels failed: the message of the last one that did, in any thread; "" without one. */
size_t fake_cuda_fault(char *text, size_t size);

/* Times that ptxas was started. */
unsigned long fake_cuda_ptxas_runs(void);

#endif

/*
 * A fake libcuda.so.1: the CUDA driver API on the CPU. It does not imitate a GPU's speed or
 * rounding. It does what programs may rely on, and makes every check that a driver makes or should
 * make.
 *
 * It follows CUDA in the following. Every stream runs its commands in order on its own thread, with
 * the rules of the legacy default stream. Events, callbacks and graphs are real, and events measure
 * real time. The interpreter of ptx.h runs kernels from their PTX. Device memory has addresses that
 * the host cannot access (SIGSEGV). Each copy and each access of a kernel is checked against the
 * allocations, byte by byte. After a kernel's failure its context is unusable.
 *
 * It differs from CUDA in the following. A CPU cannot run SASS. A "cubin" of this driver
 * (cuLinkComplete) is an ELF file of machine EM_CUDA with the flags of its architecture, and a
 * section ".specpi.ptx" for each linked PTX text. It loads only such cubins, and refuses those of
 * ptxas with CUDA_ERROR_NO_BINARY_FOR_GPU. It reads fat binaries if their members are not
 * compressed. There is no graphics, no stream capture, no clusters, no multicast, and no IPC
 * between processes. cuGetExportTable finds nothing. Virtual memory management behaves as observed
 * on an H200 (CUDA 13.0): physical memory can only be mapped as a whole, and a mapping is unmapped
 * and given access as a whole. Memory pools behave as observed on an H100 (CUDA 13.0).
 *
 * Each PTX text passes through the real ptxas first. It refuses what a GPU's driver would refuse,
 * and functions report its register counts.
 *
 * Environment, read once at the first call:
 *   FAKE_CUDA_DEVICES  number of devices, 0 to 8, default 1; with 0, cuInit returns
 *                      CUDA_ERROR_NO_DEVICE
 *   FAKE_CUDA_VERSION  the version that cuDriverGetVersion returns, default 12040;
 *                      cuGetProcAddress finds no newer functions
 *   FAKE_CUDA_PTXAS    path of ptxas, default the build's; "" for none
 *   FAKE_CUDA_MEMORY   bytes of each device's memory, default 8 GiB
 *   FAKE_CUDA_UNITS    multiprocessors of each device, default 4
 *   FAKE_CUDA_VIRTUAL  0: the devices have no virtual memory management
 *   FAKE_CUDA_POOLS    0: the devices have no memory pools
 *   FAKE_CUDA_STEPS    number of instructions after which a kernel fails with
 *                      CUDA_ERROR_LAUNCH_TIMEOUT; 0 for no limit
 *   FAKE_CUDA_FAIL     call:nth:code, the same as fake_cuda_fail(call, nth, code); an empty call
 *                      means any
 *   FAKE_CUDA_STRICT   1: a failure that only a defect of the program can cause (a wrong handle, a
 *                      freed pointer) prints a line to stderr and aborts
 *   FAKE_CUDA_CALLS    a file to which each process appends at its end a line "symbol calls" for
 *                      every function of the driver
 *   FAKE_CUDA_TRACE    1: each refusal prints a line to stderr
 */
#ifndef SPECPI_TEST_FAKE_CUDA_H
#define SPECPI_TEST_FAKE_CUDA_H

#include <cuda.h>

#include <stdbool.h>
#include <stddef.h>

#if CUDA_VERSION >= 13000
/* CUDA 13's headers define these names as newer versions; the fake uses CUDA 12's. */
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
 * Makes the nth call from now on (1 is the next one) of a function such as "cuMemAlloc" or
 * "cuMemAlloc_v2" return code and do nothing else. If call is NULL, calls of all functions count
 * except cuGetErrorName, cuGetErrorString and functions that release something (*Destroy, *Free*,
 * *Unload, *Release, *Unregister, *Unmap), from whose failure no program can recover.
 */
void fake_cuda_fail(const char *call, unsigned long nth, CUresult code);

/* Cancels the request. Returns the symbol of the call that failed, NULL if none did. */
const char *fake_cuda_unfail(void);

/* Returns the number of calls of a function, including failed ones; NULL: of all functions. */
unsigned long fake_cuda_calls(const char *call);

/*
 * Returns the number of live objects of a kind. It does not count objects that belong to another
 * one: a module's functions and variables, a mipmapped array's levels, a device's default pool.
 */
size_t fake_cuda_live(fake_kind kind);

/* The same for all kinds together. */
size_t fake_cuda_live_all(void);

/*
 * Writes a line for each of these objects, like "stream 12 of context 3", at most size bytes
 * including the NUL. Returns the number of objects.
 */
size_t fake_cuda_list(char *text, size_t size);

/* Returns the message of this thread's last refused call; "" if there is none. */
const char *fake_cuda_reason(void);

/* Copies the message of the last failed kernel, in any thread; "" if none failed. */
size_t fake_cuda_fault(char *text, size_t size);

/* Returns how often ptxas was started. */
unsigned long fake_cuda_ptxas_runs(void);

#endif

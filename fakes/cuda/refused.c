/* Functions that the fake CUDA driver always refuses, and the profiler's switch. */
#include "memory.h"

/* Prototypes of cudaProfiler.h. */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUresult cuProfilerStart(void) {
  FAKE_ENTER(cuProfilerStart, CONTEXT);
  return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void) {
  FAKE_ENTER(cuProfilerStop, CONTEXT);
  return CUDA_SUCCESS;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *ret, CUdeviceptr pointer) {
  FAKE_ENTER(cuIpcGetMemHandle, CONTEXT);
  FAKE_REQUIRE(ret && fake_memory_at(pointer), INVALID_VALUE,
               "cuIpcGetMemHandle: NULL, or nothing is allocated at 0x%llx", pointer);
  return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuIpcGetMemHandle: no memory for several processes");
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *ret, CUipcMemHandle handle, unsigned int flags) {
  FAKE_ENTER(cuIpcOpenMemHandle, CONTEXT);
  (void)handle;
  (void)flags;
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuIpcOpenMemHandle: NULL");
  return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuIpcOpenMemHandle: no memory for several processes");
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  FAKE_ENTER(cuIpcCloseMemHandle, CONTEXT);
  return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuIpcCloseMemHandle: 0x%llx was not opened",
                     pointer);
}

CUresult cuModuleGetTexRef(CUtexref *ret, CUmodule module, const char *name) {
  FAKE_ENTER(cuModuleGetTexRef, CONTEXT);
  FAKE_REQUIRE(ret && name && fake_find(module, FAKE_MODULE), INVALID_VALUE,
               "cuModuleGetTexRef: NULL, or no module");
  return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuModuleGetTexRef: no texture references");
}

CUresult cuModuleGetSurfRef(CUsurfref *ret, CUmodule module, const char *name) {
  FAKE_ENTER(cuModuleGetSurfRef, CONTEXT);
  FAKE_REQUIRE(ret && name && fake_find(module, FAKE_MODULE), INVALID_VALUE,
               "cuModuleGetSurfRef: NULL, or no module");
  return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuModuleGetSurfRef: no surface references");
}

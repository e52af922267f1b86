#include "exporter.h"

#include <cudaTypedefs.h>

#include <dlfcn.h>
#include <string.h>

/* C has no conversion between object and function pointers; POSIX lets a program copy the bytes. */
#define FIND(library, function, symbol)                                                            \
  do {                                                                                             \
    void *address = dlsym(library, symbol);                                                        \
    memcpy(&(function), &address, sizeof address);                                                 \
  } while (0)

int export_from_cuda(size_t *size) {
  /* The plugin has loaded the driver already, and keeps it. */
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return -1;
  PFN_cuMemGetAllocationGranularity_v10020 granularity;
  PFN_cuMemCreate_v10020 create;
  PFN_cuMemExportToShareableHandle_v10020 export;
  PFN_cuMemRelease_v10020 release;
  FIND(library, granularity, "cuMemGetAllocationGranularity");
  FIND(library, create, "cuMemCreate");
  FIND(library, export, "cuMemExportToShareableHandle");
  FIND(library, release, "cuMemRelease");
  if (!granularity || !create || !export || !release)
    return -1;
  const CUmemAllocationProp properties = {
      .type = CU_MEM_ALLOCATION_TYPE_PINNED,
      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
  };
  size_t step = 0;
  CUmemGenericAllocationHandle memory;
  if (granularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS ||
      step == 0)
    return -1;
  const size_t rounded = (*size + step - 1) / step * step;
  if (create(&memory, rounded, &properties, 0) != CUDA_SUCCESS)
    return -1;
  int file = -1;
  if (export(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) != CUDA_SUCCESS)
    file = -1;
  release(memory); /* the descriptor keeps the memory alive */
  *size = rounded;
  return file;
}

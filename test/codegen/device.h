/*
 * Shared parts of the tests that run PTX: the driver, a module for each sub-group size, and
 * launches.
 */
#ifndef SPECPI_TEST_CODEGEN_DEVICE_H
#define SPECPI_TEST_CODEGEN_DEVICE_H

#include "world.h"

#include <cuda.h>

enum { COLUMNS = 16, LOCAL = 40, GROUPS = 2, ITEMS = LOCAL * GROUPS };

#define CU(call) assert_int_equal((call), CUDA_SUCCESS)

static const int sizes[] = {8, 16, 32};

/* The loaded module of each sub-group size. */
static CUmodule loaded[3];
static int inputs[2 * ITEMS];
static CUdeviceptr device_inputs;

/* Builds and loads NAME8.spv, NAME16.spv and NAME32.spv. */
static inline int load_modules(const char *name, unsigned level) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  for (size_t i = 0; i < 3; i++) {
    const unsigned char value[] = {42, 0, 0, 0};
    const codegen_value values[] = {{.id = 7, .size = 4, .bytes = value}};
    size_t size;
    char file[64];
    snprintf(file, sizeof file, "%s%d.spv", name, sizes[i]);
    unsigned char *bytes = read_module(file, &size);
    codegen_request request = request_of(bytes, size);
    request.optimization = level;
    request.no_offset = strcmp(name, "kernels") != 0; /* halves the build's time */
    request.values = values;
    request.value_count = strcmp(name, "kernels") == 0 ? 1 : 0;
    char *ptx = build_module(generators, request);
    CU(cuModuleLoadData(&loaded[i], ptx));
    free(ptx);
    free(bytes);
  }
  codegen_free(generators);
  return 0;
}

static inline int start(const char *name, unsigned level) {
  CUdevice device;
  CUcontext context;
  CU(cuInit(0));
  CU(cuDeviceGet(&device, 0));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxSetCurrent(context));
  for (int i = 0; i < 2 * ITEMS; i++)
    inputs[i] = (i * 37 + 11) % 101;
  CU(cuMemAlloc(&device_inputs, sizeof inputs));
  CU(cuMemcpyHtoD(device_inputs, inputs, sizeof inputs));
  return load_modules(name, level);
}

static inline int end(void **state) {
  (void)state;
  for (size_t i = 0; i < 3; i++)
    CU(cuModuleUnload(loaded[i]));
  CU(cuMemFree(device_inputs));
  CU(cuDevicePrimaryCtxRelease(0));
  return 0;
}

static inline void launch(CUmodule module, const char *name, unsigned y, unsigned shared,
                          void **arguments) {
  CUfunction function;
  CU(cuModuleGetFunction(&function, module, name));
  CU(cuLaunchKernel(function, GROUPS, 1, 1, LOCAL / y, y, 1, shared, NULL, arguments, NULL));
  CU(cuCtxSynchronize());
}

/* Launches a kernel with an output buffer and the inputs, and reads the output. */
static inline void run_kernel(size_t module, const char *name, unsigned y, void *out, size_t size) {
  CUdeviceptr memory;
  unsigned given = 0; /* offset in dynamic local memory, for kernels with such an argument */
  CU(cuMemAlloc(&memory, size));
  CU(cuMemsetD8(memory, 0, size));
  void *arguments[] = {&memory, &device_inputs, &given};
  launch(loaded[module], name, y, 256, arguments);
  CU(cuMemcpyDtoH(out, memory, size));
  CU(cuMemFree(memory));
}

#define EXPECT(column, value)                                                                      \
  do {                                                                                             \
    const long long expected_ = (long long)(value);                                                \
    if (at[column] != expected_)                                                                   \
      fail_msg("size %d, item %d, column %d: %lld, not %lld", sizes[s], id, column,                \
               (long long)at[column], expected_);                                                  \
  } while (0)

#endif

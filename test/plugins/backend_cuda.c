/* The CUDA plugin over the fake driver, libcuda.so.1 of fakes/cuda. */
#include "../cuda/world.h"

#include "../../plugins/cuda/backend.h"

static const pi_device_info queries[] = {PI_DEVICE_INFO_MAX_COMPUTE_UNITS,
                                         PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH,
                                         PI_DEVICE_INFO_NAME,
                                         PI_DEVICE_INFO_UUID,
                                         PI_DEVICE_INFO_PCI_ADDRESS,
                                         PI_DEVICE_INFO_GLOBAL_MEM_SIZE,
                                         PI_DEVICE_INFO_MAX_MEM_BANDWIDTH,
                                         PI_DEVICE_INFO_USM_HOST_SUPPORT,
                                         PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT,
                                         PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY};

const backend_info backend = {
    .name = "cuda",
    .max_alignment = 256,
    .platform = PI_EXT_PLATFORM_BACKEND_CUDA,
    .platform_name = "NVIDIA CUDA",
    /* Six of Intel's execution units, the matrix combinations, and the id before CUDA 12.8. */
    .refused_queries = {8, 8},
    .driver_queries = queries,
    .driver_query_count = sizeof queries / sizeof queries[0],
    .mipmaps = true,
    .cube_maps = true,
    .describes_images = true,
    .numbers_devices = true,
    .tries_calls = true,
    .has_streams = true,
    .offsets_need_code = true,
    .advises_for_host = true,
    .imports_at_once = true,
    .describes_imports = true,
    .pins_used_memory = true,
    .call = {.copy = "cuMemcpyAsync",
             .create_image = "cuArray3DCreate",
             .prefetch = "cuMemPrefetchAsync",
             .advise = "cuMemAdvise"},
};

unsigned long driver_calls(const char *call) {
  return fake_cuda_calls(call);
}

size_t driver_live(driver_kind kind) {
  static const fake_kind kinds[] = {
      [DRIVER_MEMORY] = FAKE_MEMORY,   [DRIVER_HOST] = FAKE_HOST,
      [DRIVER_SHARED] = FAKE_MANAGED,  [DRIVER_REGISTERED] = FAKE_REGISTERED,
      [DRIVER_IMAGE] = FAKE_ARRAY,     [DRIVER_RUN] = FAKE_GRAPH_EXEC,
      [DRIVER_CONTEXT] = FAKE_CONTEXT, [DRIVER_EVENT] = FAKE_EVENT};
  return fake_cuda_live(kinds[kind]);
}

size_t driver_live_all(void) {
  return fake_cuda_live_all();
}

void driver_fail(const char *call, unsigned long nth) {
  fake_cuda_fail(call, nth, CUDA_ERROR_OUT_OF_MEMORY);
}

const char *driver_unfail(void) {
  return fake_cuda_unfail();
}

static const char kernels[] = ".version 7.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
                              "  .reg .b32 %r<4>;\n"
                              "  .reg .b64 %rd<3>;\n"
                              "  ld.param.u64 %rd1, [p];\n"
                              "  ld.param.u32 %r1, [n];\n"
                              "  cvta.to.global.u64 %rd2, %rd1;\n"
                              "  ld.global.u32 %r2, [%rd2];\n"
                              "  add.s32 %r3, %r2, %r1;\n"
                              "  st.global.u32 [%rd2], %r3;\n"
                              "  ret;\n"
                              "}\n";

pi_uint32 backend_to_report(void) {
  return (pi_uint32)cuda_backend_chosen()->backend;
}

const void *backend_kernels(void) {
  return kernels;
}

size_t backend_kernels_size(void) {
  return sizeof kernels;
}

bool barriers_end_alone(pi_queue queue) {
  (void)queue;
  return true;
}

bool device_is_integrated(void) {
  return false;
}

bool device_moves_memory(void) {
  int concurrent = 0;
  driver(cu.DeviceGetAttribute(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0));
  return concurrent;
}

bool driver_imports_memory(void) {
  return true;
}

bool driver_has_format(const pi_image_format *format, bool is_writable) {
  (void)format;
  (void)is_writable;
  return true;
}

size_t driver_size_of(const void *memory) {
  CUdeviceptr base;
  size_t size = 0;
  driver(cu.MemGetAddressRange(&base, &size, cu_pointer(memory)));
  return size;
}

/* Fences have a stream of their own. */
void driver_finish(void) {
  driver(cu.CtxSynchronize());
}

bool driver_is_clean(void) {
  char left[4096] = "";
  if (fake_cuda_list(left, sizeof left) == 0)
    return true;
  print_error("left in the driver:\n%s\n", left);
  return false;
}

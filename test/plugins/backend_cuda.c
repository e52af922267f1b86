/* The CUDA plugin over the test driver, libcuda.so.1 of test/drivers/cuda. */
#include "../cuda/world.h"

const backend_info backend = {
    .name = "cuda",
    .max_alignment = 256,
    .mipmaps = true,
    .cube_maps = true,
    .describes_images = true,
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
  static const fake_kind kinds[] = {[DRIVER_MEMORY] = FAKE_MEMORY,
                                    [DRIVER_HOST] = FAKE_HOST,
                                    [DRIVER_REGISTERED] = FAKE_REGISTERED,
                                    [DRIVER_IMAGE] = FAKE_ARRAY,
                                    [DRIVER_EVENT] = FAKE_EVENT};
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

bool driver_is_clean(void) {
  char left[4096] = "";
  if (fake_cuda_list(left, sizeof left) == 0)
    return true;
  print_error("left in the driver:\n%s\n", left);
  return false;
}

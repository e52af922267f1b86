/*
 * Reads any bytes as code for CUDA: its kind, and the kernels of PTX and of a cubin. Code accepted
 * for a device needs no higher capability or PTX version than the device has.
 */
#include "fuzz.h"

#include "../../plugins/code/code_head.h"
#include "../../plugins/code/code_info.h"

#include <string.h>

static void check_kind(const uint8_t *data, size_t size) {
  const ptx_target target = {.capability = 90, .ptx_version = 84};
  const code_head code = code_head_read(data, size);
  const int rank = code_head_rank(&code, &target);
  char text[64];
  code_head_describe(&code, text, sizeof text);
  FUZZ_CHECK(text[0] != '\0' && strlen(text) < sizeof text - 1);
  FUZZ_CHECK((size == 0) == (code.kind == CODE_IS_NOTHING));
  if (rank > 0 && code.kind != CODE_IS_FATBIN)
    FUZZ_CHECK(code.capability <= target.capability && code.version <= target.ptx_version);
}

static void check_kernels(const code_info *info) {
  for (size_t i = 0; i < info->count; i++) {
    const code_kernel *kernel = &info->kernels[i];
    FUZZ_CHECK(kernel->name && kernel->name[0] != '\0');
    FUZZ_CHECK(kernel->parameter_count == CODE_UNKNOWN || kernel->parameter_count == 0 ||
               kernel->parameters);
    FUZZ_CHECK(code_find(info, kernel->name));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_kind(data, size);
  code_info *info = code_new();
  FUZZ_CHECK(info);
  FUZZ_CHECK(ptx_read_kernels((const char *)data, size, info) == PI_SUCCESS);
  if (cubin_check(data, size) == PI_SUCCESS) {
    (void)cubin_is_linked(data);
    FUZZ_CHECK(cubin_read_kernels(data, size, info) == PI_SUCCESS);
  }
  code_sort(info);
  check_kernels(info);
  code_release(info);
  return 0;
}

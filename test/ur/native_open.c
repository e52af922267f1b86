#include "native.h"

#include <dlfcn.h>

void *native_library;
ze_context_handle_t native_context;
ze_device_handle_t native_device;

void *native_find(const char *name) {
  void *function = dlsym(native_library, name);
  if (!function)
    fail_msg("libze_loader.so.1 has no %s", name);
  return function;
}

int native_open(void **state) {
  ur_native_handle_t native = 0;
  if (run_open(state) != 0)
    return -1;
  native_library = dlopen("libze_loader.so.1", RTLD_NOW);
  assert_non_null(native_library);
  assert_ok(UR(urContextGetNativeHandle)(place.context, &native));
  native_context = (ze_context_handle_t)native;
  assert_ok(UR(urDeviceGetNativeHandle)(place.device, &native));
  native_device = (ze_device_handle_t)native;
  return 0;
}

ze_result_t native_module(run_module code, const ze_module_constants_t *constants,
                          ze_module_handle_t *ret, ze_module_build_log_handle_t *log) {
  ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                  .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                  .pBuildFlags = "-cl-mad-enable",
                                  .pConstants = constants};
  description.pInputModule = run_code(code, &description.inputSize);
  return ZE(zeModuleCreate)(native_context, native_device, &description, ret, log);
}

ze_kernel_handle_t native_kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  assert_ze(ZE(zeKernelCreate)(module, &desc, &kernel));
  return kernel;
}

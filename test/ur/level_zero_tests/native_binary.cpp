// Answers zeModuleGetNativeBinary for Level Zero's tests with the code that the module was made of.
// The adapter refuses the function on purpose, and most tests of modules and kernels only call it
// to make a module a second time.
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <map>
#include <mutex>
#include <vector>

static std::mutex mutex;
static std::map<ze_module_handle_t, std::vector<uint8_t>> codes;

template <class function> static function *next(const char *name) {
  return reinterpret_cast<function *>(dlsym(RTLD_NEXT, name));
}

extern "C" ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_module_desc_t *desc, ze_module_handle_t *module,
                                      ze_module_build_log_handle_t *log) {
  const auto create = next<decltype(zeModuleCreate)>("zeModuleCreate");
  const ze_result_t result = create(context, device, desc, module, log);
  if (result != ZE_RESULT_SUCCESS)
    return result;
  const std::lock_guard<std::mutex> guard(mutex);
  codes[*module].assign(desc->pInputModule, desc->pInputModule + desc->inputSize);
  return result;
}

extern "C" ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module, size_t *size,
                                               uint8_t *binary) {
  const std::lock_guard<std::mutex> guard(mutex);
  const auto found = codes.find(module);
  if (found == codes.end())
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *size = found->second.size();
  if (binary)
    std::memcpy(binary, found->second.data(), *size);
  return ZE_RESULT_SUCCESS;
}

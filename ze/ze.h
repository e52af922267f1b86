/*
 * Entries of Level Zero that work on the adapter's objects (../plugins/objects). Programs call them
 * with the native handles that they get from a SYCL runtime. A handle is the pointer to the object,
 * as in UR (../ur/handles.h).
 *
 * Level Zero counts no references. An object that an entry has created lives until the application
 * destroys it, or longer if a runtime has adopted it.
 */
#ifndef ZE_ZE_H
#define ZE_ZE_H

#include "../plugins/base/error.h"
#include "../plugins/objects/handle.h"

#include <level_zero/ze_api.h>
#include <string.h>

/* Entries that are newer than Debian's header. */
typedef struct _ze_init_driver_type_desc_t {
  int stype;
  const void *pNext;
  uint32_t flags;
} ze_init_driver_type_desc_t;
ZE_APIEXPORT ze_result_t zeInitDrivers(uint32_t *pCount, ze_driver_handle_t *phDrivers,
                                       ze_init_driver_type_desc_t *desc);
ZE_APIEXPORT ze_result_t zeDeviceGetRootDevice(ze_device_handle_t hDevice,
                                               ze_device_handle_t *phRootDevice);
ZE_APIEXPORT ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t hCommandList,
                                                      uint64_t timeout);
ZE_APIEXPORT ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t hDriver,
                                                         const char **ppString);

/* Translates a result of PI; ZE_RESULT_ERROR_UNKNOWN if Level Zero has none like it. */
ze_result_t ze_answer(pi_result result);

/* Returns from the calling function with a result and a message unless the condition holds. */
#define ZE_REQUIRE(condition, code, ...)                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      plugin_error(PI_ERROR_INVALID_VALUE, __VA_ARGS__);                                           \
      return ZE_RESULT_ERROR_##code;                                                               \
    }                                                                                              \
  } while (0)
#define ZE_REQUIRE_POINTER(pointer)                                                                \
  ZE_REQUIRE(pointer, INVALID_NULL_POINTER, "%s: " #pointer " is NULL", __func__)

/* Returns from the calling function with an error unless handle is a live object of that kind. */
#define ZE_REQUIRE_HANDLE(handle, KIND) ZE_REQUIRE_IS(handle, ZE_IS(handle, KIND), INVALID_ARGUMENT)
#define ZE_REQUIRE_IS(handle, condition, code)                                                     \
  do {                                                                                             \
    ZE_REQUIRE(handle, INVALID_NULL_HANDLE, "%s: " #handle " is NULL", __func__);                  \
    ZE_REQUIRE(condition, code, "%s: " #handle " is not a live handle", __func__);                 \
  } while (0)
#define ZE_IS(handle, KIND) object_is((const object_head *)(const void *)(handle), OBJECT_##KIND)

/* The same for handles that may be of a SYCL runtime's object or of one of Level Zero's entries. */
#define ZE_REQUIRE_EVENT(handle)                                                                   \
  ZE_REQUIRE_IS(handle, ZE_IS(handle, EVENT) || ZE_IS(handle, SIGNAL), INVALID_ARGUMENT)
#define ZE_REQUIRE_LIST(handle)                                                                    \
  ZE_REQUIRE_IS(handle, ZE_IS(handle, QUEUE) || ZE_IS(handle, LIST), INVALID_ARGUMENT)

/* Returns from the calling function with the error if a PI expression fails. */
#define ZE_TRY(expression)                                                                         \
  do {                                                                                             \
    const pi_result tried = (expression);                                                          \
    if (tried != PI_SUCCESS)                                                                       \
      return ze_answer(tried);                                                                     \
  } while (0)

typedef struct ze_signal ze_signal;
typedef struct ze_signal_pool ze_signal_pool;
typedef struct ze_command_list ze_command_list;

/* Returns from the calling function with the result of an expression if that is an error. */
#define ZE_PASS(expression)                                                                        \
  do {                                                                                             \
    const ze_result_t passed = (expression);                                                       \
    if (passed != ZE_RESULT_SUCCESS)                                                               \
      return passed;                                                                               \
  } while (0)

/* X(Level Zero's type, the object's, noun): defines <noun>_of(handle) and <noun>_handle(object). */
#define ZE_HANDLES(X)                                                                              \
  X(ze_driver_handle_t, pi_platform, platform)                                                     \
  X(ze_device_handle_t, pi_device, device)                                                         \
  X(ze_context_handle_t, pi_context, context)                                                      \
  X(ze_module_handle_t, pi_program, program)                                                       \
  X(ze_kernel_handle_t, pi_kernel, kernel)                                                         \
  X(ze_event_handle_t, pi_event, event)                                                            \
  X(ze_event_handle_t, ze_signal *, signal)                                                        \
  X(ze_event_pool_handle_t, ze_signal_pool *, pool)                                                \
  X(ze_fence_handle_t, ze_signal *, fence)                                                         \
  X(ze_command_queue_handle_t, pi_queue, queue)                                                    \
  X(ze_command_list_handle_t, ze_command_list *, list)                                             \
  X(ze_physical_mem_handle_t, struct physical_memory *, physical)
#define ZE_HANDLE(ze_type, pi_type, noun)                                                          \
  static inline pi_type noun##_of(ze_type handle) { return (pi_type)(void *)handle; }              \
  static inline ze_type noun##_handle(pi_type object) { return (ze_type)(void *)object; }
ZE_HANDLES(ZE_HANDLE)
#undef ZE_HANDLE

/*
 * Returns how many items of a list to write, by Level Zero's convention: *count is the capacity of
 * ret. If *count is 0 or above have, it receives have, the number of all items. Returns 0 if ret is
 * NULL.
 */
static inline uint32_t ze_list(uint32_t *count, uint32_t have, const void *ret) {
  const uint32_t room = *count;
  if (room == 0 || room > have)
    *count = have;
  return ret ? *count : 0;
}

/* Writes a list of objects by that convention. The objects' pointers are their handles. */
static inline ze_result_t ze_list_objects(uint32_t *count, uint32_t have, const void *objects,
                                          void *ret) {
  const uint32_t room = ze_list(count, have, ret);
  if (room)
    memcpy(ret, objects, room * sizeof(void *));
  return ZE_RESULT_SUCCESS;
}

/* Returns the device that a module was made for. A module is a program built for one device. */
pi_device ze_module_device(pi_program program);

/*
 * Finds the size of a kernel's work-groups: the one that zeKernelSetGroupSize has set, else the one
 * that the kernel was compiled for, else one work-item.
 */
pi_result ze_kernel_group(pi_kernel kernel, pi_device device, size_t ret[3]);

/* Writes a text by Level Zero's convention: *size is the capacity of ret, unless ret is NULL, and
 * receives the text's size. */
static inline ze_result_t ze_text(size_t *size, const char *text, char *ret) {
  const size_t have = strlen(text) + 1;
  ZE_REQUIRE(!ret || *size >= have, INVALID_SIZE, "*pSize is %zu, the text has %zu", *size, have);
  if (ret)
    memcpy(ret, text, have);
  *size = have;
  return ZE_RESULT_SUCCESS;
}

#endif

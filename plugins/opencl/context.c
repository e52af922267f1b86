/* Contexts, and the functions that a runtime has called at their end (deleters). */
#include "checks.h"
#include "device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * A function to call when a context ends, from piextContextSetExtendedDeleter.
 *
 * Since OpenCL 3.0 the driver keeps deleters and calls them when anybody releases the context's
 * last reference. For older drivers the plugin keeps them in a list, and piContextRelease calls
 * them when it is about to release the last reference.
 */
typedef struct deleter {
  struct deleter *next;
  cl_context context;
  void (*function)(void *user_data);
  void *user_data;
} deleter;

static pthread_mutex_t deleters_lock = PTHREAD_MUTEX_INITIALIZER;
static deleter *deleters;           /* guarded by deleters_lock */
static atomic_size_t deleter_count; /* length of deleters; if 0, a release needs no lock */

/*
 * Takes the deleters of a context out of the list, the latest first like OpenCL does. The caller
 * holds the lock.
 */
static deleter *take_deleters(cl_context context) {
  deleter *taken = NULL;
  deleter **end = &taken;
  for (deleter **place = &deleters; *place;) {
    deleter *current = *place;
    if (current->context != context) {
      place = &current->next;
      continue;
    }
    *place = current->next;
    current->next = NULL;
    *end = current;
    end = &current->next;
    atomic_fetch_sub(&deleter_count, 1);
  }
  return taken;
}

/* Calls and frees deleters. They may use the plugin, so the caller must not hold the lock. */
static void run_deleters(deleter *taken) {
  while (taken) {
    deleter *next = taken->next;
    taken->function(taken->user_data);
    free(taken);
    taken = next;
  }
}

/*
 * Runs the deleters that an earlier context at the address of a new one has left in the list. That
 * context has ended, but its last reference was released natively, which the plugin did not see.
 */
static void run_stale_deleters(cl_context context) {
  if (atomic_load(&deleter_count) == 0)
    return;
  pthread_mutex_lock(&deleters_lock);
  deleter *taken = take_deleters(context);
  pthread_mutex_unlock(&deleters_lock);
  run_deleters(taken);
}

static void CL_CALLBACK run_at_destruction(cl_context context, void *user_data) {
  (void)context;
  run_deleters(user_data);
}

pi_result piextContextSetExtendedDeleter(pi_context context, void (*func)(void *user_data),
                                         void *user_data) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(func);
  deleter *new = malloc(sizeof *new);
  REQUIRE_MEMORY(new, "a deleter of %zu bytes", sizeof *new);
  *new = (deleter){NULL, cl_from_context(context), func, user_data};

  if (cl.SetContextDestructorCallback &&
      opencl_extensions_of_context(cl_from_context(context))->version >= 300) {
    const pi_result result =
        CL_CALL(SetContextDestructorCallback, cl_from_context(context), run_at_destruction, new);
    if (result != PI_SUCCESS)
      free(new);
    return result;
  }
  pthread_mutex_lock(&deleters_lock);
  new->next = deleters;
  deleters = new;
  atomic_fetch_add(&deleter_count, 1);
  pthread_mutex_unlock(&deleters_lock);
  return PI_SUCCESS;
}

pi_result piContextRelease(pi_context context) {
  REQUIRE_CONTEXT(context);
  const cl_context released = cl_from_context(context);
  if (atomic_load(&deleter_count) == 0)
    return CL_CALL(ReleaseContext, released);

  /*
   * The lock makes reading the count and releasing one step: of two threads that release the last
   * two references, one reads 2 and the other 1. The last reference is released after the deleters
   * have run, because they may still use the context.
   */
  pthread_mutex_lock(&deleters_lock);
  cl_uint references;
  pi_result result = CL_GET(Context, released, CL_CONTEXT_REFERENCE_COUNT, &references);
  const bool is_last = result == PI_SUCCESS && references == 1;
  deleter *taken = is_last ? take_deleters(released) : NULL;
  if (result == PI_SUCCESS && !is_last)
    result = CL_CALL(ReleaseContext, released);
  pthread_mutex_unlock(&deleters_lock);
  if (is_last) {
    run_deleters(taken);
    result = CL_CALL(ReleaseContext, released);
  }
  return result;
}

/* Passes properties to the driver unchecked: their keys and values are OpenCL's. */
pi_result piContextCreate(const pi_context_properties *properties, pi_uint32 num_devices,
                          const pi_device *devices,
                          void (*pfn_notify)(const char *errinfo, const void *private_info,
                                             size_t cb, void *user_data),
                          void *user_data, pi_context *ret_context) {
  REQUIRE(num_devices != 0, PI_ERROR_INVALID_VALUE, "num_devices is 0");
  REQUIRE_POINTER(devices);
  REQUIRE_POINTER(ret_context);
  TRY(check_notify(pfn_notify, user_data));
  for (pi_uint32 i = 0; i < num_devices; i++)
    REQUIRE(devices[i], PI_ERROR_INVALID_DEVICE, "devices[%u] is NULL", i);

  cl_int code;
  const cl_context context = cl.CreateContext(properties, num_devices, cl_from_devices(devices),
                                              pfn_notify, user_data, &code);
  TRY(cl_result(code, "clCreateContext"));
  run_stale_deleters(context);
  opencl_context_known(context);
  *ret_context = pi_from_cl_context(context);
  return PI_SUCCESS;
}

/* Returns a context's answer of any length, which the caller frees. */
static pi_result ask_list(cl_context context, cl_context_info query, void **ret, size_t *size) {
  TRY(CL_CALL(GetContextInfo, context, query, 0, NULL, size));
  void *value = malloc(*size ? *size : 1);
  REQUIRE_MEMORY(value, "a list of %zu bytes", *size);
  const pi_result result = CL_CALL(GetContextInfo, context, query, *size, value, NULL);
  if (result == PI_SUCCESS)
    *ret = value;
  else
    free(value);
  return result;
}

pi_result opencl_context_devices(cl_context context, cl_device_id **ret, size_t *count) {
  void *devices;
  size_t size;
  TRY(ask_list(context, CL_CONTEXT_DEVICES, &devices, &size));
  const bool has_devices = size >= sizeof(cl_device_id);
  if (!has_devices)
    free(devices);
  REQUIRE(has_devices, PI_ERROR_INVALID_CONTEXT, "the context has no devices");
  *ret = devices;
  *count = size / sizeof(cl_device_id);
  return PI_SUCCESS;
}

static pi_result answer_list(cl_context context, cl_context_info query, const info_answer *answer) {
  void *value;
  size_t size;
  TRY(ask_list(context, query, &value, &size));
  const pi_result result = answer_bytes(answer, value, size);
  free(value);
  return result;
}

/* Answers with the platform of a device, because OpenCL has no such query of a context and all
 * devices of a context belong to one platform. */
static pi_result answer_platform(cl_context context, const info_answer *answer) {
  cl_device_id *devices;
  size_t count;
  TRY(opencl_context_devices(context, &devices, &count));
  cl_platform_id platform;
  const pi_result result = CL_GET(Device, devices[0], CL_DEVICE_PLATFORM, &platform);
  free(devices);
  return result == PI_SUCCESS ? answer_handle(answer, platform) : result;
}

/* Answers with the abilities that all devices of the context have. */
static pi_result answer_atomics(cl_context context, pi_device_info query,
                                const info_answer *answer) {
  cl_device_id *devices;
  size_t count;
  TRY(opencl_context_devices(context, &devices, &count));
  pi_uint64 common = UINT64_MAX;
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++) {
    pi_uint64 of_device = 0;
    result = opencl_device_atomics(devices[i], query, &of_device);
    common &= of_device;
  }
  free(devices);
  return result == PI_SUCCESS ? answer_uint64(answer, common) : result;
}

pi_result piContextGetInfo(pi_context context, pi_context_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  TRY(answer_check(&answer));
  const cl_context asked = cl_from_context(context);
  switch (param_name) {
  case PI_CONTEXT_INFO_REFERENCE_COUNT:
  case PI_CONTEXT_INFO_NUM_DEVICES: {
    cl_uint value;
    TRY(CL_GET(Context, asked, param_name, &value));
    return answer_uint32(&answer, value);
  }
  case PI_CONTEXT_INFO_DEVICES:
  case PI_CONTEXT_INFO_PROPERTIES:
    return answer_list(asked, param_name, &answer);
  case PI_CONTEXT_INFO_PLATFORM:
    return answer_platform(asked, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES:
    return answer_atomics(asked, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES:
    return answer_atomics(asked, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES:
    return answer_atomics(asked, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES:
    return answer_atomics(asked, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, &answer);
  /*
   * OpenCL has no command for rectangles in USM, so the plugin uses a command per row. A runtime
   * that gets false here uses a kernel instead, which is faster.
   */
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT:
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT:
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT:
    return answer_bool(&answer, false);
  }
  return answer_unknown("pi_context_info", param_name);
}

/*
 * The new handle has one reference: the caller's if plugin_owns_native_handle, else a new one.
 * Ignores the devices, which the native context knows; runtimes may pass none.
 */
pi_result piextContextCreateWithNativeHandle(pi_native_handle native_handle, pi_uint32 num_devices,
                                             const pi_device *devices,
                                             bool plugin_owns_native_handle, pi_context *context) {
  (void)num_devices;
  (void)devices;
  REQUIRE(native_handle, PI_ERROR_INVALID_CONTEXT, "native_handle is 0");
  REQUIRE_POINTER(context);
  if (!plugin_owns_native_handle)
    TRY(CL_CALL(RetainContext, (cl_context)native_handle));
  opencl_context_known((cl_context)native_handle);
  *context = (pi_context)native_handle;
  return PI_SUCCESS;
}

/* Contexts: a ze_context_handle_t and its devices, which may be roots, parts, or both. */
#include "context.h"
#include "checks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* OpenCL's CL_CONTEXT_PLATFORM, which is also PI_CONTEXT_INFO_PLATFORM. */
enum { PROPERTY_PLATFORM = PI_CONTEXT_INFO_PLATFORM };
/* libsycl's wish for a primary context of CUDA's (1), or none (0), goes to every backend. */
enum { PROPERTY_CUDA_PRIMARY = 0xff02 };

/* A function to call at the end of a context. */
typedef struct context_deleter {
  struct context_deleter *next;
  void (*function)(void *user_data);
  void *user_data;
} context_deleter;

bool context_has(pi_context context, pi_device device) {
  for (pi_uint32 i = 0; i < context->device_count; i++)
    if (device_is_in(device, context->devices[i]))
      return true;
  return false;
}

pi_uint32 context_root(pi_context context, pi_device device) {
  pi_uint32 index = 0;
  while (index + 1 < context->root_count && context->roots[index] != device->root)
    index++;
  return index;
}

static pi_result check_properties(const pi_context_properties *properties, pi_platform platform) {
  for (; properties && properties[0]; properties += 2) {
    switch (properties[0]) {
    case PROPERTY_CUDA_PRIMARY:
      PI_REQUIRE(properties[1] == 0 || properties[1] == 1, PI_ERROR_INVALID_PROPERTY,
                 "the value of property 0x%x is %lld, expected is 0 or 1", PROPERTY_CUDA_PRIMARY,
                 (long long)properties[1]);
      break;
    case PROPERTY_PLATFORM:
      PI_REQUIRE(properties[1] == (pi_context_properties)platform, PI_ERROR_INVALID_PLATFORM,
                 "the value of property 0x%x is not the devices' platform", PROPERTY_PLATFORM);
      break;
    default:
      return pi_error(PI_ERROR_INVALID_PROPERTY, "0x%llx is not a property of a context",
                      (unsigned long long)properties[0]);
    }
  }
  return PI_SUCCESS;
}

/* devices is not NULL where count is not 0. */
static pi_result check_devices(pi_uint32 count, const pi_device *devices) {
  for (pi_uint32 i = 0; i < count; i++) {
    PI_REQUIRE(pi_handle_is((const pi_handle *)(const void *)devices[i], PI_HANDLE_DEVICE),
               PI_ERROR_INVALID_DEVICE, "devices[%u] is %s", i,
               devices[i] ? "not a live handle" : "NULL");
    PI_REQUIRE(devices[i]->platform == devices[0]->platform, PI_ERROR_INVALID_DEVICE,
               "devices[%u] is of another platform than devices[0]", i);
  }
  return PI_SUCCESS;
}

static void add_root(pi_context context, pi_device root) {
  for (pi_uint32 i = 0; i < context->root_count; i++)
    if (context->roots[i] == root)
      return;
  context->roots[context->root_count++] = root;
}

/* An object for devices, without the driver's context; free_context frees it. */
static pi_result new_context(pi_uint32 count, const pi_device *devices, pi_context *ret) {
  pi_context context = calloc(1, sizeof *context);
  pi_device *all = calloc(count, sizeof(pi_device));
  pi_device *roots = calloc(count, sizeof(pi_device));
  if (!context || !all || !roots) {
    free(context);
    free(all);
    free(roots);
    pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a context of %u devices", count);
    return PI_ERROR_OUT_OF_HOST_MEMORY;
  }
  pi_handle_init(&context->handle, PI_HANDLE_CONTEXT);
  context->platform = devices[0]->platform;
  context->device_count = count;
  context->devices = all;
  context->roots = roots;
  for (pi_uint32 i = 0; i < count; i++) {
    all[i] = devices[i];
    add_root(context, devices[i]->root);
  }
  *ret = context;
  return PI_SUCCESS;
}

static void free_context(pi_context context) {
  free(context->devices);
  free(context->roots);
  free(context);
}

/* A driver that cannot say counts as one whose devices do not reach each other. */
static bool reaches(pi_device device, pi_device other) {
  ze_bool_t can = false;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every device has a root
  return ze.DeviceCanAccessPeer(device->device, other->device, &can) == ZE_RESULT_SUCCESS && can;
}

static bool all_reach_all(pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++)
    for (pi_uint32 k = 0; k < context->root_count; k++)
      if (i != k && !reaches(context->roots[i], context->roots[k]))
        return false;
  return true;
}

/* The contexts that own their handle. Level Zero counts no references, so there is one for each. */
static pi_context owners;
static pthread_mutex_t owners_lock = PTHREAD_MUTEX_INITIALIZER;

static void list_owner(pi_context context) {
  pthread_mutex_lock(&owners_lock);
  context->next = owners;
  owners = context;
  pthread_mutex_unlock(&owners_lock);
}

static void unlist_owner(pi_context context) {
  pthread_mutex_lock(&owners_lock);
  pi_context *place = &owners;
  while (*place != context)
    place = &(*place)->next;
  *place = context->next;
  pthread_mutex_unlock(&owners_lock);
}

/* The context that owns a handle, with one more reference if wanted; NULL without one. */
static pi_context find_owner(ze_context_handle_t native, bool with_reference) {
  pthread_mutex_lock(&owners_lock);
  pi_context found = owners;
  while (found && found->context != native)
    found = found->next;
  if (found && with_reference)
    context_retain(found);
  pthread_mutex_unlock(&owners_lock);
  return found;
}

/* Takes the driver's context in; what it owns then goes with the object. */
static pi_result complete(pi_context context, ze_context_handle_t native, bool is_owned) {
  context->context = native;
  context->shares_device_memory = all_reach_all(context);
  PI_TRY(event_pools_create(context));
  context->is_owned = is_owned;
  if (is_owned)
    list_owner(context);
  return PI_SUCCESS;
}

/*
 * With all devices of the driver: memory is given to those that a call names, and a context costs
 * the same for one. pfn_notify has nothing to be called for: Level Zero tells of errors through
 * results only.
 */
pi_result piContextCreate(const pi_context_properties *properties, pi_uint32 num_devices,
                          const pi_device *devices,
                          void (*pfn_notify)(const char *errinfo, const void *private_info,
                                             size_t cb, void *user_data),
                          void *user_data, pi_context *ret_context) {
  PI_REQUIRE(num_devices != 0, PI_ERROR_INVALID_VALUE, "num_devices is 0");
  REQUIRE_POINTER(devices);
  REQUIRE_POINTER(ret_context);
  PI_REQUIRE(pfn_notify || !user_data, PI_ERROR_INVALID_VALUE,
             "user_data is given without pfn_notify");
  PI_TRY(check_devices(num_devices, devices));
  PI_TRY(check_properties(properties, devices[0]->platform));

  pi_context context;
  PI_TRY(new_context(num_devices, devices, &context));
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t native = NULL;
  pi_result result = ze_result(ze.ContextCreate(context->platform->driver, &description, &native),
                               "zeContextCreate");
  if (result == PI_SUCCESS) {
    result = complete(context, native, true);
    if (result != PI_SUCCESS)
      ze.ContextDestroy(native);
  }
  if (result == PI_SUCCESS)
    *ret_context = context;
  else
    free_context(context);
  return result;
}

/* Runs what is registered, the latest first; deleters may register others. */
static void run_deleters(pi_context context) {
  context_deleter *taken = atomic_exchange(&context->deleters, NULL);
  while (taken) {
    context_deleter *next = taken->next;
    taken->function(taken->user_data);
    free(taken);
    taken = next;
  }
}

/* The deleters may still use the context, so it gets one more reference while they run. */
void context_release(pi_context context) {
  while (pi_handle_release(&context->handle)) {
    if (atomic_load(&context->deleters)) {
      pi_handle_init(&context->handle, PI_HANDLE_CONTEXT);
      run_deleters(context);
      continue;
    }
    event_pools_destroy(context);
    if (context->is_owned) {
      unlist_owner(context);
      /* Its failure means nothing: the caller has no use for the handle any more. */
      ze.ContextDestroy(context->context);
    }
    const pi_context origin = context->origin;
    free_context(context);
    if (origin)
      context_release(origin);
    return;
  }
}

pi_result piContextRetain(pi_context context) {
  REQUIRE_CONTEXT(context);
  context_retain(context);
  return PI_SUCCESS;
}

pi_result piContextRelease(pi_context context) {
  REQUIRE_CONTEXT(context);
  context_release(context);
  return PI_SUCCESS;
}

pi_result piextContextSetExtendedDeleter(pi_context context, void (*func)(void *user_data),
                                         void *user_data) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(func);
  context_deleter *deleter = malloc(sizeof *deleter);
  PI_REQUIRE(deleter, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a deleter of %zu bytes",
             sizeof *deleter);
  *deleter = (context_deleter){atomic_load(&context->deleters), func, user_data};
  while (!atomic_compare_exchange_weak(&context->deleters, &deleter->next, deleter))
    ;
  return PI_SUCCESS;
}

/* What all devices of a context can do; query is one of piDeviceGetInfo whose answer is bits. */
static pi_result answer_common(pi_context context, pi_device_info query, const pi_answer *answer) {
  pi_uint64 common = UINT64_MAX;
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    pi_uint64 bits = 0;
    PI_TRY(piDeviceGetInfo(context->devices[i], query, sizeof bits, &bits, NULL));
    common &= bits;
  }
  return pi_answer_uint64(answer, common);
}

pi_result piContextGetInfo(pi_context context, pi_context_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_CONTEXT_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&context->handle));
  case PI_CONTEXT_INFO_NUM_DEVICES:
    return pi_answer_uint32(&answer, context->device_count);
  case PI_CONTEXT_INFO_DEVICES:
    return pi_answer_bytes(&answer, context->devices,
                           context->device_count * sizeof context->devices[0]);
  case PI_CONTEXT_INFO_PROPERTIES:
    return pi_answer_bytes(&answer, NULL, 0);
  case PI_CONTEXT_INFO_PLATFORM:
    return pi_answer_handle(&answer, context->platform);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, &answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, &answer);
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT:
    return pi_answer_bool(&answer, true);
  /* Level Zero fills in one piece only; a runtime's one kernel is better than a fill for each row.
   */
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT:
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT:
    return pi_answer_bool(&answer, false);
  }
  return pi_answer_unknown("pi_context_info", param_name);
}

/* The ze_context_handle_t; it lives as long as the context, of which this takes no reference. */
pi_result piextContextGetNativeHandle(pi_context context, pi_native_handle *native_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)context->context;
  return PI_SUCCESS;
}

/*
 * Level Zero does not tell which devices or driver a context has, so the caller has to. A handle
 * that piextContextGetNativeHandle gave stays that context's: then the reference to that context is
 * what plugin_owns_native_handle hands over.
 */
pi_result piextContextCreateWithNativeHandle(pi_native_handle native_handle, pi_uint32 num_devices,
                                             const pi_device *devices,
                                             bool plugin_owns_native_handle, pi_context *context) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_CONTEXT, "native_handle is 0");
  REQUIRE_POINTER(context);
  PI_REQUIRE(num_devices != 0, PI_ERROR_INVALID_VALUE,
             "num_devices is 0: Level Zero does not tell the devices of a context");
  REQUIRE_POINTER(devices);
  PI_TRY(check_devices(num_devices, devices));
  pi_context made;
  PI_TRY(new_context(num_devices, devices, &made));
  const ze_context_handle_t native = (ze_context_handle_t)native_handle;
  const pi_context origin = find_owner(native, !plugin_owns_native_handle);
  const pi_result result = complete(made, native, plugin_owns_native_handle && !origin);
  if (result == PI_SUCCESS) {
    made->origin = origin;
    *context = made;
  } else {
    if (origin && !plugin_owns_native_handle)
      context_release(origin);
    free_context(made);
  }
  return result;
}

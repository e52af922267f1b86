#include "context.h"

#include "driver.h"
#include "handle_checks.h"
#include "native.h"

#include <stdlib.h>

/* OpenCL's CL_CONTEXT_PLATFORM, which is also PI_CONTEXT_INFO_PLATFORM. */
enum { PROPERTY_PLATFORM = PI_CONTEXT_INFO_PLATFORM };
/* libsycl's request for CUDA's primary context (1) or another one (0), sent to every backend. */
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
      REQUIRE(properties[1] == 0 || properties[1] == 1, PI_ERROR_INVALID_PROPERTY,
              "the value of property 0x%x is %lld, not 0 or 1", PROPERTY_CUDA_PRIMARY,
              (long long)properties[1]);
      break;
    case PROPERTY_PLATFORM:
      REQUIRE(properties[1] == (pi_context_properties)platform, PI_ERROR_INVALID_PLATFORM,
              "the value of property 0x%x is not the devices' platform", PROPERTY_PLATFORM);
      break;
    default:
      return plugin_error(PI_ERROR_INVALID_PROPERTY, "0x%llx is not a property of a context",
                          (unsigned long long)properties[0]);
    }
  }
  return PI_SUCCESS;
}

/* devices is not NULL unless count is 0. */
static pi_result check_context_devices(pi_uint32 count, const pi_device *devices) {
  for (pi_uint32 i = 0; i < count; i++) {
    REQUIRE(object_is((const object_head *)(const void *)devices[i], OBJECT_DEVICE),
            PI_ERROR_INVALID_DEVICE, "devices[%u] is %s", i,
            devices[i] ? "not a live handle" : "NULL");
    REQUIRE(devices[i]->platform == devices[0]->platform, PI_ERROR_INVALID_DEVICE,
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

/* Makes a context without the driver's part; its lists follow the object in memory. */
static pi_result new_context(pi_uint32 count, const pi_device *devices, pi_context *ret) {
  pi_context context = calloc(1, sizeof *context + 2 * (size_t)count * sizeof(pi_device));
  REQUIRE_MEMORY(context, "a context of %u devices", count);
  object_init(&context->handle, OBJECT_CONTEXT);
  deferred_frees_init(&context->deferred);
  context->platform = devices[0]->platform;
  context->device_count = count;
  context->devices = (pi_device *)(void *)(context + 1);
  context->roots = context->devices + count;
  for (pi_uint32 i = 0; i < count; i++) {
    context->devices[i] = devices[i];
    add_root(context, devices[i]->root);
  }
  *ret = context;
  return PI_SUCCESS;
}

/* Returns a new context, or frees it after a failure. */
static pi_result finish_context(pi_context context, pi_result result, pi_context *ret) {
  if (result == PI_SUCCESS)
    *ret = context;
  else
    free(context);
  return result;
}

pi_result context_create(pi_uint32 count, const pi_device *devices,
                         const pi_context_properties *properties, pi_context *ret) {
  TRY(check_context_devices(count, devices));
  TRY(check_properties(properties, devices[0]->platform));
  pi_context context;
  TRY(new_context(count, devices, &context));
  return finish_context(context, driver_context_create(context), ret);
}

/* Checks that devices may be those of an existing context. */
static pi_result check_known(pi_context known, pi_uint32 count, const pi_device *devices) {
  REQUIRE(count <= known->device_count, PI_ERROR_INVALID_VALUE,
          "num_devices is %u, the context has %u", count, known->device_count);
  for (pi_uint32 i = 0; i < count; i++)
    REQUIRE(context_has(known, devices[i]), PI_ERROR_INVALID_DEVICE,
            "devices[%u] is not a device of the context", i);
  return PI_SUCCESS;
}

pi_result context_adopt(pi_native_handle native, pi_uint32 count, const pi_device *devices,
                        bool is_owned, pi_context *ret) {
  TRY(check_context_devices(count, devices));
  object_head *found;
  TRY(native_find(OBJECT_CONTEXT, "context", native, is_owned, &found));
  const pi_context known = (pi_context)(void *)found;
  if (known) {
    const pi_result result = check_known(known, count, devices);
    if (result == PI_SUCCESS)
      *ret = known;
    else if (!is_owned)
      context_release(known);
    return result;
  }
  pi_device device;
  if (count == 0) {
    TRY(driver_context_device(native, &device));
    devices = &device;
    count = 1;
  }
  pi_context context;
  TRY(new_context(count, devices, &context));
  context->native = native;
  TRY(finish_context(context, driver_context_adopt(context, is_owned), ret));
  if (context->is_owned)
    registry_note(&context->noted, native, &context->handle);
  return PI_SUCCESS;
}

pi_result context_native(pi_context context, pi_native_handle *ret) {
  if (native_is_foreign())
    return native_of_object("context", &context->noted, &context->handle, ret);
  pi_native_handle native;
  TRY(driver_context_native(context, &native));
  registry_note(&context->noted, native, &context->handle);
  *ret = native;
  return PI_SUCCESS;
}

/* Runs the registered deleters, the latest first; deleters may register others. */
static void run_deleters(pi_context context) {
  context_deleter *taken = atomic_exchange(&context->deleters, NULL);
  while (taken) {
    context_deleter *next = taken->next;
    taken->function(taken->user_data);
    free(taken);
    taken = next;
  }
}

/* Adds one more reference while the deleters run, because they may still use the context. */
void context_release(pi_context context) {
  while (object_release(&context->handle)) {
    if (atomic_load(&context->deleters)) {
      object_init(&context->handle, OBJECT_CONTEXT);
      run_deleters(context);
      continue;
    }
    registry_forget(&context->noted);
    deferred_frees_end(context);
    driver_context_destroy(context);
    free(context);
    return;
  }
}

pi_result context_add_deleter(pi_context context, void (*function)(void *user_data),
                              void *user_data) {
  context_deleter *deleter = malloc(sizeof *deleter);
  REQUIRE_MEMORY(deleter, "a deleter of %zu bytes", sizeof *deleter);
  *deleter = (context_deleter){atomic_load(&context->deleters), function, user_data};
  while (!atomic_compare_exchange_weak(&context->deleters, &deleter->next, deleter))
    ;
  return PI_SUCCESS;
}

/* Answers with the bits that all devices of a context set in their answer to query. */
static pi_result answer_common(pi_context context, pi_device_info query,
                               const info_answer *answer) {
  pi_uint64 common = UINT64_MAX;
  for (pi_uint32 i = 0; i < context->device_count; i++) {
    pi_uint64 bits = 0;
    TRY(device_answer(context->devices[i], query, &(info_answer){sizeof bits, &bits, NULL}));
    common &= bits;
  }
  return answer_uint64(answer, common);
}

pi_result context_answer(pi_context context, pi_context_info query, const info_answer *answer) {
  switch (query) {
  case PI_CONTEXT_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, object_references(&context->handle));
  case PI_CONTEXT_INFO_NUM_DEVICES:
    return answer_uint32(answer, context->device_count);
  case PI_CONTEXT_INFO_DEVICES:
    return answer_bytes(answer, context->devices,
                        context->device_count * sizeof context->devices[0]);
  case PI_CONTEXT_INFO_PROPERTIES:
    return answer_bytes(answer, NULL, 0);
  case PI_CONTEXT_INFO_PLATFORM:
    return answer_handle(answer, context->platform);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, answer);
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES:
    return answer_common(context, PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, answer);
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT:
    return answer_bool(answer, true);
  /* Level Zero fills only contiguous memory; a runtime's kernel is faster than many fills. */
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT:
    return answer_bool(answer, DRIVER_FILLS_2D);
  /* No driver fills two-dimensional memory with patterns of every size. */
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT:
    return answer_bool(answer, false);
  }
  return answer_unknown("pi_context_info", query);
}

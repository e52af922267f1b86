/* Contexts of the fake CUDA driver, and each thread's stack of current contexts. */
#include "fake.h"
#include "work.h"

#include <stdlib.h>

enum { STACK = 64 };

/* A current context. If it was destroyed, the handle's object has another serial or is gone. */
typedef struct fake_current_entry {
  CUcontext handle;
  unsigned long serial;
} fake_current_entry;

static _Thread_local fake_current_entry stack[STACK];
static _Thread_local size_t depth;

static unsigned long long ids;

static fake_context *find_entry(const fake_current_entry *entry) {
  fake_context *context = fake_find(entry->handle, FAKE_CONTEXT);
  return context && context->head.serial == entry->serial ? context : NULL;
}

fake_context *fake_current(void) {
  return depth == 0 ? NULL : find_entry(&stack[depth - 1]);
}

CUresult fake_check_current(void) {
  FAKE_REQUIRE(depth != 0 && stack[depth - 1].handle, INVALID_CONTEXT,
               "no context is current on this thread");
  FAKE_REQUIRE(fake_current(), CONTEXT_IS_DESTROYED, "the current context was destroyed");
  return CUDA_SUCCESS;
}

CUresult fake_check_owner(const fake_object *object, const char *function) {
  FAKE_REQUIRE(object->context == fake_current(), INVALID_CONTEXT,
               "%s: the object %lu belongs to another context than the current one", function,
               object->serial);
  return CUDA_SUCCESS;
}

void fake_break(fake_context *context, CUresult code) {
  if (context->sticky == CUDA_SUCCESS)
    context->sticky = code;
}

static void set_top(fake_context *context) {
  stack[depth - 1] = (fake_current_entry){FAKE_HANDLE(CUcontext, context), context->head.serial};
}

static const size_t limits[CU_LIMIT_MAX] = {
    [CU_LIMIT_STACK_SIZE] = 1024,
    [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
    [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
    [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
};

static CUresult check_flags(unsigned flags) {
  FAKE_REQUIRE((flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0, INVALID_VALUE,
               "0x%x has unknown flags of contexts", flags);
  const unsigned schedule = flags & CU_CTX_SCHED_MASK;
  FAKE_REQUIRE((schedule & (schedule - 1)) == 0, INVALID_VALUE,
               "0x%x has more than one way to wait", flags);
  return CUDA_SUCCESS;
}

CUresult fake_context_new(CUdevice device, unsigned flags, bool primary, fake_context **ret) {
  FAKE_TRY(check_flags(flags));
  fake_context *context = fake_new(FAKE_CONTEXT, sizeof *context, NULL, false);
  context->device = device;
  context->flags = flags | CU_CTX_MAP_HOST;
  context->primary = primary;
  context->id = ++ids;
  memcpy(context->limits, limits, sizeof limits);
  context->legacy = fake_stream_new(context, CU_STREAM_DEFAULT, 0, true);
  *ret = context;
  return CUDA_SUCCESS;
}

void fake_context_end(fake_context *context) {
  context->ending = true;
  fake_changed();
  /* ending makes commands that wait for a value end, so that all others can end, too. */
  fake_stream_wait_all(context);
  fake_end_objects(context);
  fake_streams_end(context);
  fake_delete(context);
  fake_changed();
}

CUresult cuCtxCreate_v2(CUcontext *ret, unsigned int flags, CUdevice device) {
  FAKE_ENTER(cuCtxCreate_v2, INIT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuCtxCreate: the place for the context is NULL");
  FAKE_TRY(fake_check_device(device));
  FAKE_REQUIRE(depth < STACK, INVALID_VALUE, "cuCtxCreate: more than %d contexts are current",
               STACK);
  fake_context *context;
  FAKE_TRY(fake_context_new(device, flags, false, &context));
  depth++;
  set_top(context);
  *ret = FAKE_HANDLE(CUcontext, context);
  return CUDA_SUCCESS;
}

/* Handles of destroyed contexts are refused like any other wrong handle. */
CUresult cuCtxDestroy(CUcontext handle) {
  FAKE_ENTER(cuCtxDestroy, INIT);
  fake_context *context = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(context, INVALID_CONTEXT, "cuCtxDestroy: no live context is %p", (void *)handle);
  FAKE_REQUIRE(!context->primary, INVALID_CONTEXT,
               "cuCtxDestroy: a primary context is released, not destroyed");
  if (context == fake_current())
    depth--;
  fake_context_end(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  FAKE_ENTER(cuCtxPushCurrent, INIT);
  fake_context *context = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(context, INVALID_CONTEXT, "cuCtxPushCurrent: no live context is %p", (void *)handle);
  FAKE_REQUIRE(depth < STACK, INVALID_VALUE, "cuCtxPushCurrent: more than %d contexts are current",
               STACK);
  depth++;
  set_top(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *ret) {
  FAKE_ENTER(cuCtxPopCurrent, INIT);
  FAKE_REQUIRE(depth != 0, INVALID_CONTEXT, "cuCtxPopCurrent: no context is current");
  depth--;
  if (ret)
    *ret = stack[depth].handle;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  FAKE_ENTER(cuCtxSetCurrent, INIT);
  if (!handle) {
    if (depth != 0)
      depth--;
    return CUDA_SUCCESS;
  }
  fake_context *context = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(context, INVALID_CONTEXT, "cuCtxSetCurrent: no live context is %p", (void *)handle);
  if (depth == 0)
    depth = 1;
  set_top(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *ret) {
  FAKE_ENTER(cuCtxGetCurrent, INIT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuCtxGetCurrent: the place for the context is NULL");
  *ret = depth == 0 ? NULL : stack[depth - 1].handle;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  FAKE_ENTER(cuCtxGetDevice, LIVING);
  FAKE_REQUIRE(device, INVALID_VALUE, "cuCtxGetDevice: device is NULL");
  *device = fake_current()->device;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags) {
  FAKE_ENTER(cuCtxGetFlags, LIVING);
  FAKE_REQUIRE(flags, INVALID_VALUE, "cuCtxGetFlags: flags is NULL");
  *flags = fake_current()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int *version) {
  FAKE_ENTER(cuCtxGetApiVersion, INIT);
  FAKE_REQUIRE(version, INVALID_VALUE, "cuCtxGetApiVersion: version is NULL");
  if (!handle)
    FAKE_TRY(fake_check_current());
  FAKE_REQUIRE(!handle || fake_find(handle, FAKE_CONTEXT), INVALID_CONTEXT,
               "cuCtxGetApiVersion: no live context is %p", (void *)handle);
  *version = 3020;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  FAKE_ENTER(cuCtxSynchronize, CONTEXT);
  fake_context *context = fake_current();
  fake_stream_wait_all(context);
  return context->sticky;
}

static CUresult check_limit(CUlimit limit) {
  FAKE_REQUIRE((unsigned)limit < CU_LIMIT_MAX, INVALID_VALUE, "no limit is %d", (int)limit);
  if (limits[limit] == 0)
    return fake_deny(CUDA_ERROR_UNSUPPORTED_LIMIT, "the limit %d is not supported", (int)limit);
  return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  FAKE_ENTER(cuCtxSetLimit, CONTEXT);
  FAKE_TRY(check_limit(limit));
  FAKE_REQUIRE(limit != CU_LIMIT_STACK_SIZE || value <= 512 << 10, INVALID_VALUE,
               "cuCtxSetLimit: a stack of %zu bytes", value);
  fake_current()->limits[limit] = value;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  FAKE_ENTER(cuCtxGetLimit, LIVING);
  FAKE_REQUIRE(value, INVALID_VALUE, "cuCtxGetLimit: value is NULL");
  FAKE_TRY(check_limit(limit));
  *value = fake_current()->limits[limit];
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  FAKE_ENTER(cuCtxSetCacheConfig, CONTEXT);
  FAKE_REQUIRE((unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL, INVALID_VALUE,
               "cuCtxSetCacheConfig: no preference is %d", (int)config);
  fake_current()->cache = config;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  FAKE_ENTER(cuCtxGetCacheConfig, LIVING);
  FAKE_REQUIRE(config, INVALID_VALUE, "cuCtxGetCacheConfig: config is NULL");
  *config = fake_current()->cache;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  FAKE_ENTER(cuCtxGetStreamPriorityRange, LIVING);
  if (least)
    *least = FAKE_PRIORITY_LEAST;
  if (greatest)
    *greatest = FAKE_PRIORITY_GREATEST;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags) {
  FAKE_ENTER(cuCtxEnablePeerAccess, CONTEXT);
  FAKE_REQUIRE(flags == 0, INVALID_VALUE, "cuCtxEnablePeerAccess: flags are %u, not 0", flags);
  fake_context *context = fake_current();
  const fake_context *peer = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(peer && peer != context, INVALID_CONTEXT,
               "cuCtxEnablePeerAccess: %p is no other live context", (void *)handle);
  if (!fake_can_access_peer(context->device, peer->device))
    return fake_deny(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "both contexts are of device %d",
                     peer->device);
  if (context->peers[peer->device])
    return fake_deny(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "device %d may access device %d",
                     context->device, peer->device);
  context->peers[peer->device] = true;
  return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  FAKE_ENTER(cuCtxDisablePeerAccess, CONTEXT);
  fake_context *context = fake_current();
  const fake_context *peer = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(peer && peer != context, INVALID_CONTEXT,
               "cuCtxDisablePeerAccess: %p is no other live context", (void *)handle);
  if (!context->peers[peer->device])
    return fake_deny(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "device %d may not access device %d",
                     context->device, peer->device);
  context->peers[peer->device] = false;
  return CUDA_SUCCESS;
}

/* CUDA contexts: the primary one, the application's own, and their clock. */
#include "../plugins/context.h"
#include "launch.h"

static CUcontext native_of(pi_context context) {
  pi_native_handle native = 0;
  must(piextContextGetNativeHandle(context, &native));
  return (CUcontext)native; // NOLINT(performance-no-int-to-ptr)
}

static pi_context new_context(void) {
  pi_context context = NULL;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
  return context;
}

static pi_context adopt(CUcontext native, bool is_owned) {
  pi_context context = NULL;
  must(piextContextCreateWithNativeHandle((pi_native_handle)native, 0, NULL, is_owned, &context));
  return context;
}

WORLD_TEST(contexts_share_the_primary_context) {
  const pi_context second = new_context();
  assert_ptr_equal(native_of(second), native_of(w.context));
  CUcontext expected = NULL;
  /* libsycl's property, true or false, makes no difference. */
  for (pi_context_properties value = 0; value < 2; value++) {
    const pi_context_properties list[] = {0xff02, value, 0};
    pi_context asked = NULL;
    must(piContextCreate(list, 1, &w.device, NULL, NULL, &asked));
    assert_ptr_equal(native_of(asked), native_of(w.context));
    must(piContextRelease(asked));
  }
  driver(cuDevicePrimaryCtxRetain(&expected, 0));
  assert_ptr_equal(native_of(second), expected);
  driver(cuDevicePrimaryCtxRelease(0));
  must(piContextRelease(second));
  /* The first context still works. */
  pi_mem buffer = new_buffer(16, NULL);
  must(piMemRelease(buffer));
}

WORLD_TEST(each_device_has_a_context_of_its_own) {
  pi_device both[2];
  get_two_devices(both);
  pi_context context = NULL;
  pi_device twice[] = {w.device, w.device};
  must(piContextCreate(NULL, 2, twice, NULL, NULL, &context));
  assert_ptr_equal(native_of(context), native_of(w.context));
  must(piContextRelease(context));
  both[0] = (pi_device)(void *)w.context;
  fails(PI_ERROR_INVALID_DEVICE, piContextCreate(NULL, 1, both, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 1, &w.device, NULL, &context, &context));
  /* A context of the second device is not the first one's. */
  must(piContextCreate(NULL, 1, &both[1], NULL, NULL, &context));
  assert_ptr_not_equal(native_of(context), native_of(w.context));
  pi_device of_context = NULL;
  must(piContextGetInfo(context, PI_CONTEXT_INFO_DEVICES, sizeof of_context, &of_context, NULL));
  assert_ptr_equal(of_context, both[1]);
  must(piContextRelease(context));
}

/* The application's own references to a primary context. The second device has no other ones. */
WORLD_TEST(a_native_primary_context_is_counted) {
  CUcontext native = NULL;
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  driver(cuDevicePrimaryCtxRetain(&native, 1));
  must(piContextRelease(adopt(native, false)));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts + 1);
  /* The plugin has a reference of its own. */
  pi_context context = adopt(native, false);
  driver(cuDevicePrimaryCtxRelease_v2(1));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts + 1);
  must(piContextRelease(context));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
  /* Or the plugin takes over the caller's reference. */
  driver(cuDevicePrimaryCtxRetain(&native, 1));
  must(piContextRelease(adopt(native, true)));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
}

WORLD_TEST(a_context_of_the_application_is_used) {
  CUcontext native = NULL;
  CUcontext current = NULL;
  driver(cuCtxCreate_v2(&native, 0, 0));
  driver(cuCtxSetCurrent(NULL));
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  pi_context context = adopt(native, false);
  /* The thread's current context does not change. */
  driver(cuCtxGetCurrent(&current));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
  pi_mem buffer = NULL;
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &buffer, NULL));
  must(piMemRelease(buffer));
  must(piContextRelease(context));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
  must(piContextRelease(adopt(native, true)));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts - 1);
}

WORLD_TEST(wrong_native_contexts_are_refused) {
  const pi_uint32 before = references_of_context(w.context);
  pi_device both[2];
  get_two_devices(both);
  const pi_native_handle native = (pi_native_handle)native_of(w.context);
  pi_context context = NULL;
  fails(PI_ERROR_INVALID_CONTEXT, piextContextCreateWithNativeHandle(0, 0, NULL, false, &context));
  fails(PI_ERROR_INVALID_VALUE,
        piextContextCreateWithNativeHandle(native, 1, NULL, false, &context));
  fails(PI_ERROR_INVALID_DEVICE,
        piextContextCreateWithNativeHandle(native, 1, &both[1], false, &context));
  fails(PI_ERROR_INVALID_VALUE,
        piextContextCreateWithNativeHandle(native, 2, both, false, &context));
  assert_null(context);
  assert_int_equal(references_of_context(w.context), before);
}

/* A native function and its program must belong to the context that is passed with them. */
WORLD_TEST(functions_of_another_context_are_refused) {
  pi_device devices[2];
  pi_context other = NULL;
  pi_kernel kernels[2] = {NULL};
  pi_program programs[2];
  pi_kernel made = (pi_kernel)(void *)&w;
  pi_native_handle function = 0;
  get_two_devices(devices);
  must(piContextCreate(NULL, 1, &devices[1], NULL, NULL, &other));
  const pi_context contexts[2] = {w.context, other};
  for (int i = 0; i < 2; i++) {
    must(piProgramCreate(contexts[i], launch_text, sizeof launch_text, &programs[i]));
    must(piProgramBuild(programs[i], 0, NULL, "", NULL, NULL));
    must(piKernelCreate(programs[i], "write", &kernels[i]));
  }
  CUfunction foreign = NULL;
  must(piextProgramGetNativeHandle(programs[0], &function));
  driver(cuCtxSetCurrent(native_of(w.context)));
  driver(cu.ModuleGetFunction(&foreign, (CUmodule)function, "write_with_offset"));
  must(piextKernelGetNativeHandle(kernels[0], &function));
  /* A function of a PI kernel, and one that the driver returned. */
  for (int i = 0; i < 2; i++) {
    if (i == 1)
      function = (pi_native_handle)(void *)foreign;
    fails(PI_ERROR_INVALID_CONTEXT,
          piextKernelCreateWithNativeHandle(function, other, NULL, false, &made));
    fails(PI_ERROR_INVALID_CONTEXT,
          piextKernelCreateWithNativeHandle(function, w.context, programs[1], false, &made));
    assert_ptr_equal(made, &w);
  }
  pi_kernel good = NULL;
  must(piextKernelCreateWithNativeHandle(function, w.context, programs[0], false, &good));
  must(piKernelRelease(good));
  for (int i = 0; i < 2; i++) {
    must(piKernelRelease(kernels[i]));
    must(piProgramRelease(programs[i]));
  }
  must(piContextRelease(other));
}

static void times(pi_uint64 *device, pi_uint64 *host) {
  must(piGetDeviceAndHostTimer(w.device, device, host));
}

static pi_uint64 profiling(pi_event event, pi_profiling_info query) {
  pi_uint64 time = 0;
  must(piEventGetProfilingInfo(event, query, sizeof time, &time, NULL));
  return time;
}

/* Times of events and of the device's timer come from one clock. */
WORLD_TEST(events_and_the_timer_share_a_clock) {
  enum { TOLERANCE = 20 * 1000 * 1000 }; /* ns; this driver's streams are threads of the machine */
  const pi_queue queue = new_queue(PROFILING);
  const pi_mem buffer = new_buffer(1 << 16, NULL);
  pi_uint64 device[2];
  pi_uint64 host[2];
  times(&device[0], &host[0]);
  pi_event event = NULL;
  fill_buffer(queue, buffer, 1, NULL, &event);
  must(piEventsWait(1, &event));
  times(&device[1], &host[1]);
  assert_true(device[0] <= device[1] && host[0] < host[1]);
  const pi_uint64 start = profiling(event, PI_PROFILING_INFO_COMMAND_START);
  const pi_uint64 end = profiling(event, PI_PROFILING_INFO_COMMAND_END);
  assert_in_range(start, device[0] - TOLERANCE, device[1] + TOLERANCE);
  assert_in_range(end, start, device[1] + TOLERANCE);
  assert_in_range(device[0], host[0] - TOLERANCE, host[0] + TOLERANCE);
  assert_in_range(device[1], host[1] - TOLERANCE, host[1] + TOLERANCE);
  must(piGetDeviceAndHostTimer(w.device, NULL, NULL));
  must(piEventRelease(event));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* The second device has no context: the timer creates one for the query. */
WORLD_TEST(the_timer_needs_no_context) {
  pi_device both[2];
  get_two_devices(both);
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  pi_uint64 device = 0;
  must(piGetDeviceAndHostTimer(both[1], &device, NULL));
  assert_true(device != 0);
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
}

/* Creates the first PI context of a device, and with it the primary context. */
static pi_result create_first(void) {
  pi_device both[2];
  get_two_devices(both);
  pi_context context = w.context;
  const pi_result result = piContextCreate(NULL, 1, &both[1], NULL, NULL, &context);
  if (result == PI_SUCCESS)
    must(piContextRelease(context));
  else
    assert_ptr_equal(context, w.context);
  return result;
}

/* Another library allocates memory from a pool. The driver names no context for such memory. */
WORLD_TEST(pooled_memory_is_known_on_its_device_alone) {
  pi_device both[2];
  get_two_devices(both);
  pi_context contexts[2] = {w.context, NULL};
  must(piContextCreate(NULL, 1, &both[1], NULL, NULL, &contexts[1]));
  for (int owner = 0; owner < 2; owner++) {
    const CUmemPoolProps properties = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = owner}};
    CUmemoryPool pool = NULL;
    CUdeviceptr memory = 0;
    driver(cuCtxSetCurrent(native_of(contexts[owner])));
    driver(cuMemPoolCreate(&pool, &properties));
    driver(cuMemAllocFromPoolAsync(&memory, 64, pool, NULL));
    for (int asked = 0; asked < 2; asked++) {
      pi_usm_type type = PI_MEM_TYPE_HOST;
      must(piextUSMGetMemAllocInfo(contexts[asked], (const void *)(uintptr_t)memory,
                                   PI_MEM_ALLOC_TYPE, sizeof type, &type, NULL));
      assert_int_equal(type, asked == owner ? PI_MEM_TYPE_DEVICE : PI_MEM_TYPE_UNKNOWN);
    }
    driver(cuCtxSetCurrent(native_of(contexts[owner])));
    driver(cuMemFreeAsync(memory, NULL));
    driver(cuStreamSynchronize(NULL));
    driver(cuMemPoolDestroy(pool));
    driver(cuCtxSetCurrent(NULL));
  }
  must(piContextRelease(contexts[1]));
}

static CUcontext own;

/* After a failure the caller still owns the handle. */
static pi_result create_native(void) {
  pi_context context = w.context;
  const pi_result result =
      piextContextCreateWithNativeHandle((pi_native_handle)own, 1, &w.device, false, &context);
  if (result == PI_SUCCESS)
    must(piContextRelease(context));
  else
    assert_ptr_equal(context, w.context);
  return result;
}

WORLD_TEST(failed_creations_leave_no_context) {
  with_failures(create_first);
  driver(cuCtxCreate_v2(&own, 0, 0));
  driver(cuCtxSetCurrent(NULL));
  with_failures(create_native);
  driver(cuCtxDestroy_v2(own));
  driver(cuDevicePrimaryCtxRetain(&own, 0));
  with_failures(create_native);
  driver(cuDevicePrimaryCtxRelease_v2(0));
}

/* Contexts: the primary one, those of the application, their end, and their clock. */
#include "launch.h"

#include "../../plugins/cuda/cuda.h"

#include <pthread.h>

static CUcontext native_of(pi_context context) {
  pi_native_handle native = 0;
  must(piextContextGetNativeHandle(context, &native));
  return (CUcontext)native; // NOLINT(performance-no-int-to-ptr)
}

static pi_uint32 references_of_context(pi_context context) {
  pi_uint32 count = 0;
  must(piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
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

static void primary(void **state) {
  (void)state;
  const pi_context second = new_context();
  assert_ptr_equal(native_of(second), native_of(w.context));
  CUcontext expected = NULL;
  driver(cuDevicePrimaryCtxRetain(&expected, 0));
  assert_ptr_equal(native_of(second), expected);
  driver(cuDevicePrimaryCtxRelease(0));
  must(piContextRelease(second));
  /* The first one goes on. */
  pi_mem buffer = new_buffer(16, NULL);
  must(piMemRelease(buffer));
}

static void properties(void **state) {
  (void)state;
  pi_context context = NULL;
  /* What libsycl passes, with and without its property for the primary context. */
  for (pi_context_properties value = 0; value < 2; value++) {
    const pi_context_properties list[] = {0xff02, value, 0};
    must(piContextCreate(list, 1, &w.device, NULL, NULL, &context));
    assert_ptr_equal(native_of(context), native_of(w.context));
    must(piContextRelease(context));
  }
  const pi_context_properties platform[] = {0x1084, (pi_context_properties)w.platform, 0};
  must(piContextCreate(platform, 1, &w.device, NULL, NULL, &context));
  must(piContextRelease(context));
  context = NULL;
  const pi_context_properties third_value[] = {0xff02, 2, 0};
  const pi_context_properties no_platform[] = {0xff02, 1, 0x1084, 0, 0};
  const pi_context_properties unknown[] = {0x1234, 1, 0};
  fails(PI_ERROR_INVALID_PROPERTY,
        piContextCreate(third_value, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PLATFORM,
        piContextCreate(no_platform, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PROPERTY, piContextCreate(unknown, 1, &w.device, NULL, NULL, &context));
  assert_null(context);
}

static void devices(void **state) {
  (void)state;
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_GPU, 2, both, NULL));
  pi_context context = NULL;
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 2, both, NULL, NULL, &context));
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

/* A handle that came from here is the context it came from. */
static void native_known(void **state) {
  (void)state;
  const CUcontext native = native_of(w.context);
  const pi_uint32 before = references_of_context(w.context);
  assert_ptr_equal(adopt(native, false), w.context);
  assert_int_equal(references_of_context(w.context), before + 1);
  assert_ptr_equal(adopt(native, true), w.context);
  assert_int_equal(references_of_context(w.context), before + 1);
  must(piContextRelease(w.context));
}

/* The application's own references to a primary context: the second device's, where it is alone. */
static void native_primary(void **state) {
  (void)state;
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
  /* Or it has the caller's. */
  driver(cuDevicePrimaryCtxRetain(&native, 1));
  must(piContextRelease(adopt(native, true)));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
}

static void native_own(void **state) {
  (void)state;
  CUcontext native = NULL;
  CUcontext current = NULL;
  driver(cuCtxCreate_v2(&native, 0, 0));
  driver(cuCtxSetCurrent(NULL));
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  pi_context context = adopt(native, false);
  /* Nothing changes for the thread. */
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

static void native_refused(void **state) {
  (void)state;
  const pi_uint32 before = references_of_context(w.context);
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_GPU, 2, both, NULL));
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

/* What deleters see, in which order. */
typedef struct seen {
  pi_context context;
  int order[4];
  int count;
} seen;

static seen deleted;

/* A function, and a program for it, are of the context that they are said to be of. */
static void functions_of_others(void **state) {
  (void)state;
  pi_device devices[2];
  pi_context other = NULL;
  pi_kernel kernels[2] = {NULL};
  pi_program programs[2];
  pi_kernel made = (pi_kernel)(void *)&w;
  pi_native_handle function = 0;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
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
  /* One that came from a kernel, and one that the driver gave out. */
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

static void note(void *user_data) {
  deleted.order[deleted.count++] = *(int *)user_data;
}

/* The context is still good for everything. */
static void use_context(void *user_data) {
  note(user_data);
  pi_mem buffer = NULL;
  must(piMemBufferCreate(deleted.context, PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &buffer, NULL));
  must(piMemRelease(buffer));
  static int third = 3;
  must(piextContextSetExtendedDeleter(deleted.context, note, &third));
}

static void deleters(void **state) {
  (void)state;
  static int numbers[] = {1, 2};
  deleted = (seen){.context = new_context()};
  must(piextContextSetExtendedDeleter(deleted.context, use_context, &numbers[0]));
  must(piextContextSetExtendedDeleter(deleted.context, note, &numbers[1]));
  must(piContextRetain(deleted.context));
  must(piContextRelease(deleted.context));
  assert_int_equal(deleted.count, 0);
  must(piContextRelease(deleted.context));
  const int expected[] = {2, 1, 3};
  assert_int_equal(deleted.count, 3);
  assert_memory_equal(deleted.order, expected, sizeof expected);
}

static void times(pi_uint64 *device, pi_uint64 *host) {
  must(piGetDeviceAndHostTimer(w.device, device, host));
}

static pi_uint64 profiling(pi_event event, pi_profiling_info query) {
  pi_uint64 time = 0;
  must(piEventGetProfilingInfo(event, query, sizeof time, &time, NULL));
  return time;
}

/* Times of events and of the device's timer are of one clock. */
static void clocks(void **state) {
  (void)state;
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

/* A second device, which has no context: the timer makes one for the moment. */
static void clock_without_context(void **state) {
  (void)state;
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_GPU, 2, both, NULL));
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  pi_uint64 device = 0;
  must(piGetDeviceAndHostTimer(both[1], &device, NULL));
  assert_true(device != 0);
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
}

/* ---- Each call of the driver fails once ---- */

typedef pi_result scenario(void);

static pi_result create(void) {
  pi_context context = w.context;
  const pi_result result = piContextCreate(NULL, 1, &w.device, NULL, NULL, &context);
  if (result == PI_SUCCESS)
    must(piContextRelease(context));
  else
    assert_ptr_equal(context, w.context);
  return result;
}

/* The first one of a device, whose primary context begins with it. */
static pi_result create_first(void) {
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_GPU, 2, both, NULL));
  pi_context context = w.context;
  const pi_result result = piContextCreate(NULL, 1, &both[1], NULL, NULL, &context);
  if (result == PI_SUCCESS)
    must(piContextRelease(context));
  else
    assert_ptr_equal(context, w.context);
  return result;
}

static CUcontext own;

/* After a failure the handle is the caller's as before. */
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

static pi_result timer(void) {
  pi_uint64 device = 7;
  pi_uint64 host = 7;
  const pi_result result = piGetDeviceAndHostTimer(w.device, &device, &host);
  assert_true((result == PI_SUCCESS) == (device != 7) && (device != 7) == (host != 7));
  return result;
}

static void with_failures(scenario *call) {
  const size_t objects = fake_cuda_live_all();
  unsigned long nth = 1;
  do {
    fake_cuda_fail(NULL, nth++, CUDA_ERROR_OUT_OF_MEMORY);
    const pi_result result = call();
    if (!fake_cuda_unfail())
      break;
    /* A call whose failure changes nothing may fail. */
    assert_true(result == PI_SUCCESS || result == PI_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(fake_cuda_live_all(), objects);
  } while (nth < 1000);
  assert_in_range(nth, 3, 100);
  must(call());
  assert_int_equal(fake_cuda_live_all(), objects);
}

static void failures(void **state) {
  (void)state;
  with_failures(create);
  with_failures(create_first);
  with_failures(timer);
  driver(cuCtxCreate_v2(&own, 0, 0));
  driver(cuCtxSetCurrent(NULL));
  with_failures(create_native);
  driver(cuCtxDestroy_v2(own));
  driver(cuDevicePrimaryCtxRetain(&own, 0));
  with_failures(create_native);
  driver(cuDevicePrimaryCtxRelease_v2(0));
}

static void *in_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < 50; i++) {
    must(create());
    must(timer());
    must(piContextRetain(w.context));
    must(piContextRelease(w.context));
  }
  return NULL;
}

static void threads(void **state) {
  (void)state;
  pthread_t ids[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, in_thread, NULL), 0);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_join(ids[i], NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(primary),
      WORLD_TEST(properties),
      WORLD_TEST(devices),
      WORLD_TEST(native_known),
      WORLD_TEST(native_primary),
      WORLD_TEST(native_own),
      WORLD_TEST(native_refused),
      WORLD_TEST(functions_of_others),
      WORLD_TEST(deleters),
      WORLD_TEST(clocks),
      WORLD_TEST(clock_without_context),
      WORLD_TEST(failures),
      WORLD_TEST(threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

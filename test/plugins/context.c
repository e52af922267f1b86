/* Contexts: properties, answers, their end, failures, threads. */
#include "context.h"

#include <pthread.h>

pi_uint32 references_of_context(pi_context context) {
  pi_uint32 count = 0;
  must(piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

WORLD_TEST(properties_are_checked) {
  pi_context context = NULL;
  /* libsycl's list, with and without its property for the primary context. */
  for (pi_context_properties value = 0; value < 2; value++) {
    const pi_context_properties list[] = {0xff02, value, 0};
    must(piContextCreate(list, 1, &w.device, NULL, NULL, &context));
    must(piContextRelease(context));
  }
  const pi_context_properties platform[] = {0x1084, (pi_context_properties)w.platform, 0};
  must(piContextCreate(platform, 1, &w.device, NULL, NULL, &context));
  must(piContextRelease(context));
  context = NULL;
  const pi_context_properties third[] = {0xff02, 2, 0};
  const pi_context_properties no_platform[] = {0xff02, 1, 0x1084, 0, 0};
  const pi_context_properties unknown[] = {0x4711, 0, 0};
  const pi_context_properties other[] = {0x1084, 1, 0};
  fails(PI_ERROR_INVALID_PROPERTY, piContextCreate(third, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PROPERTY, piContextCreate(unknown, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PLATFORM,
        piContextCreate(no_platform, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PLATFORM, piContextCreate(other, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 1, &w.device, NULL, &context, &context));
  const pi_device none[] = {w.device, NULL};
  fails(PI_ERROR_INVALID_DEVICE, piContextCreate(NULL, 2, none, NULL, NULL, &context));
  const pi_device wrong[] = {(pi_device)(void *)w.platform};
  fails(PI_ERROR_INVALID_DEVICE, piContextCreate(NULL, 1, wrong, NULL, NULL, &context));
  assert_null(context);
}

/* A handle from PI is its context, with all its devices. */
WORLD_TEST(a_native_handle_is_its_context) {
  pi_native_handle native = 0;
  must(piextContextGetNativeHandle(w.context, &native));
  const pi_uint32 before = references_of_context(w.context);
  pi_device both[2] = {w.device, w.device};
  pi_context context = NULL;
  for (int is_owned = 0; is_owned < 2; is_owned++) {
    must(piextContextCreateWithNativeHandle(native, 1, both, is_owned, &context));
    assert_ptr_equal(context, w.context);
    assert_int_equal(references_of_context(w.context), before + 1);
  }
  must(piContextRelease(w.context));
  context = NULL;
  fails(PI_ERROR_INVALID_VALUE,
        piextContextCreateWithNativeHandle(native, 2, both, false, &context));
  get_two_devices(both);
  fails(PI_ERROR_INVALID_DEVICE,
        piextContextCreateWithNativeHandle(native, 1, &both[1], false, &context));
  assert_null(context);
  assert_int_equal(references_of_context(w.context), before);
}

/* ---- The end ---- */

static char order[8];
static size_t order_length;

static void note(void *user_data) {
  order[order_length++] = *(const char *)user_data;
}

static pi_context dying;

/* A deleter may use its context and register more deleters. */
static void use_context(void *user_data) {
  assert_int_equal(references_of_context(dying), 1);
  pi_mem buffer = NULL;
  must(piMemBufferCreate(dying, PI_MEM_FLAGS_ACCESS_RW, 16, NULL, &buffer, NULL));
  must(piMemRelease(buffer));
  must(piextContextSetExtendedDeleter(dying, note, user_data));
}

WORLD_TEST(deleters_run_at_the_end) {
  static char names[] = "abc";
  order_length = 0;
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &dying));
  must(piextContextSetExtendedDeleter(dying, note, &names[0]));
  must(piextContextSetExtendedDeleter(dying, use_context, &names[2]));
  must(piextContextSetExtendedDeleter(dying, note, &names[1]));
  fails(PI_ERROR_INVALID_VALUE, piextContextSetExtendedDeleter(dying, NULL, NULL));
  fails(PI_ERROR_INVALID_CONTEXT, piextContextSetExtendedDeleter(NULL, note, NULL));
  must(piContextRetain(dying));
  must(piContextRelease(dying));
  assert_int_equal(order_length, 0);
  must(piContextRelease(dying));
  assert_int_equal(order_length, 3);
  assert_memory_equal(order, "bac", 3);
  fails(PI_ERROR_INVALID_CONTEXT, piContextRetain(NULL));
  fails(PI_ERROR_INVALID_CONTEXT, piContextRelease((pi_context)(void *)w.device));
}

static pi_result create(void) {
  pi_context context = w.context;
  const pi_result result = piContextCreate(NULL, 1, &w.device, NULL, NULL, &context);
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

void with_failures(scenario *call) {
  const size_t objects = driver_live_all();
  unsigned long nth = 1;
  do {
    driver_fail(NULL, nth++);
    const pi_result result = call();
    if (!driver_unfail())
      break;
    /* A call may fail if that changes nothing. */
    assert_true(result == PI_SUCCESS || result == PI_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(driver_live_all(), objects);
  } while (nth < 1000);
  assert_in_range(nth, 3, 100);
  must(call());
  assert_int_equal(driver_live_all(), objects);
}

WORLD_TEST(failed_calls_leave_no_context) {
  with_failures(create);
  with_failures(timer);
}

static void *in_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < 100; i++) {
    must(create());
    must(timer());
    must(piContextRetain(w.context));
    must(piContextRelease(w.context));
  }
  return NULL;
}

WORLD_TEST(threads_create_and_release_contexts) {
  pthread_t ids[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, in_thread, NULL), 0);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_join(ids[i], NULL), 0);
}

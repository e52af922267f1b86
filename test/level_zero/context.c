/* Contexts: their devices, roots and parts, properties, native handles, their end, failures. */
#include "world.h"

#include "../../plugins/level_zero/context.h"

#include <pthread.h>

static void parts_of(pi_device device, pi_device parts[2]) {
  static const pi_device_partition_property by[] = {
      PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  must(piDevicePartition(device, by, 2, parts, NULL));
}

static pi_uint32 references_of_context(pi_context context) {
  pi_uint32 count = 0;
  must(piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

/* Roots and parts in one context: each root once, and whatever is in them belongs to it. */
static void devices(void **state) {
  (void)state;
  pi_device roots[2];
  pi_device parts[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, roots, NULL));
  parts_of(roots[1], parts);
  const pi_device list[] = {parts[1], roots[0], parts[0]};
  pi_context context = NULL;
  must(piContextCreate(NULL, 3, list, NULL, NULL, &context));
  pi_uint32 count = 0;
  pi_device got[3] = {NULL, NULL, NULL};
  must(piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES, sizeof count, &count, NULL));
  assert_int_equal(count, 3);
  must(piContextGetInfo(context, PI_CONTEXT_INFO_DEVICES, sizeof got, (void *)got, NULL));
  assert_memory_equal(got, list, sizeof list);
  assert_int_equal(context->root_count, 2);
  assert_true(context_has(context, parts[0]) && context_has(context, roots[0]));
  assert_false(context_has(context, roots[1]));
  assert_int_equal(context_root(context, parts[0]), context_root(context, roots[1]));
  assert_int_equal(context_root(context, roots[0]), 1);
  pi_platform platform = NULL;
  must(piContextGetInfo(context, PI_CONTEXT_INFO_PLATFORM, sizeof platform, (void *)&platform,
                        NULL));
  assert_ptr_equal(platform, w.platform);
  must(piContextRelease(context));
  for (int i = 0; i < 2; i++)
    must(piDeviceRelease(parts[i]));
}

static void properties(void **state) {
  (void)state;
  pi_context context = NULL;
  /* What libsycl passes to every backend. */
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
  const pi_context_properties unknown[] = {0x4711, 0, 0};
  const pi_context_properties other[] = {0x1084, 1, 0};
  fails(PI_ERROR_INVALID_PROPERTY, piContextCreate(third, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PROPERTY, piContextCreate(unknown, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_PLATFORM, piContextCreate(other, 1, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 0, &w.device, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 1, NULL, NULL, NULL, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 1, &w.device, NULL, &context, &context));
  fails(PI_ERROR_INVALID_VALUE, piContextCreate(NULL, 1, &w.device, NULL, NULL, NULL));
  const pi_device none[] = {w.device, NULL};
  fails(PI_ERROR_INVALID_DEVICE, piContextCreate(NULL, 2, none, NULL, NULL, &context));
  const pi_device wrong[] = {(pi_device)(void *)w.platform};
  fails(PI_ERROR_INVALID_DEVICE, piContextCreate(NULL, 1, wrong, NULL, NULL, &context));
  assert_null(context);
}

static void queries(void **state) {
  (void)state;
  pi_uint64 bits = 0;
  pi_bool can = 77;
  must(piContextGetInfo(w.context, PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
                        sizeof bits, &bits, NULL));
  assert_true(bits & PI_MEMORY_ORDER_RELAXED);
  must(piContextGetInfo(w.context, PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, sizeof bits,
                        &bits, NULL));
  assert_true(bits & PI_MEMORY_SCOPE_WORK_GROUP);
  must(piContextGetInfo(w.context, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, sizeof can,
                        &can, NULL));
  assert_int_equal(can, PI_TRUE);
  size_t size = 77;
  must(piContextGetInfo(w.context, PI_CONTEXT_INFO_PROPERTIES, 0, NULL, &size));
  assert_int_equal(size, 0);
  fails(PI_ERROR_INVALID_VALUE,
        piContextGetInfo(w.context, (pi_context_info)0x4711, 0, NULL, &size));
  fails(PI_ERROR_INVALID_VALUE,
        piContextGetInfo(w.context, PI_CONTEXT_INFO_NUM_DEVICES, 1, &can, NULL));
  fails(PI_ERROR_INVALID_CONTEXT,
        piContextGetInfo(NULL, PI_CONTEXT_INFO_NUM_DEVICES, 0, NULL, &size));
}

/* A context of the application's, which it keeps, or gives away. */
static void native(void **state) {
  (void)state;
  const size_t before = fake_ze_live(FAKE_CONTEXT);
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t own = NULL;
  driver(ze.ContextCreate(w.platform->driver, &description, &own));
  pi_context context = NULL;
  must(piextContextCreateWithNativeHandle((pi_native_handle)own, 1, &w.device, false, &context));
  pi_native_handle got = 0;
  must(piextContextGetNativeHandle(context, &got));
  assert_int_equal(got, (pi_native_handle)own);
  must(piContextRelease(context));
  assert_int_equal(fake_ze_live(FAKE_CONTEXT), before + 1);
  must(piextContextCreateWithNativeHandle((pi_native_handle)own, 1, &w.device, true, &context));
  must(piContextRelease(context));
  assert_int_equal(fake_ze_live(FAKE_CONTEXT), before);
  context = NULL;
  fails(PI_ERROR_INVALID_CONTEXT,
        piextContextCreateWithNativeHandle(0, 1, &w.device, false, &context));
  fails(PI_ERROR_INVALID_VALUE, piextContextCreateWithNativeHandle(1, 0, NULL, false, &context));
  fails(PI_ERROR_INVALID_VALUE, piextContextCreateWithNativeHandle(1, 1, NULL, false, &context));
  assert_null(context);
}

/* ---- The end ---- */

static char order[8];
static size_t order_length;

static void note(void *user_data) {
  order[order_length++] = *(const char *)user_data;
}

static pi_context dying;

/* A deleter may use its context, and register others. */
static void use_context(void *user_data) {
  assert_int_equal(references_of_context(dying), 1);
  must(piextContextSetExtendedDeleter(dying, note, user_data));
}

static void deleters(void **state) {
  (void)state;
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

/* Each call of the driver fails once: nothing is left, and the next try succeeds. */
static void failures(void **state) {
  (void)state;
  const size_t before = fake_ze_live_all();
  unsigned long nth = 1;
  for (;; nth++) {
    pi_context context = NULL;
    fake_ze_fail(NULL, nth, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    const pi_result result = piContextCreate(NULL, 1, &w.device, NULL, NULL, &context);
    const char *failed = fake_ze_unfail();
    if (result == PI_SUCCESS) {
      must(piContextRelease(context));
    } else {
      assert_int_equal(result, PI_ERROR_OUT_OF_HOST_MEMORY);
      assert_null(context);
    }
    assert_int_equal(fake_ze_live_all(), before);
    if (!failed)
      break;
  }
  assert_true(nth > 1);
}

static void *in_thread(void *unused) {
  (void)unused;
  for (int i = 0; i < 100; i++) {
    pi_context context = NULL;
    must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &context));
    must(piContextRetain(w.context));
    must(piContextRelease(w.context));
    must(piContextRelease(context));
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
      WORLD_TEST(devices),  WORLD_TEST(properties), WORLD_TEST(queries), WORLD_TEST(native),
      WORLD_TEST(deleters), WORLD_TEST(failures),   WORLD_TEST(threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

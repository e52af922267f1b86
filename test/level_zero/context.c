/* Level Zero contexts: roots and parts, and contexts of the application. */
#include "../plugins/context.h"
#include "world.h"

#include "../../plugins/level_zero/context.h"

static void parts_of(pi_device device, pi_device parts[2]) {
  static const pi_device_partition_property by[] = {
      PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  must(piDevicePartition(device, by, 2, parts, NULL));
}

/* Roots and parts in one context: it has each root once, and their parts belong to it. */
WORLD_TEST(a_context_has_each_root_once) {
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

/* A context of the application, borrowed or taken over. */
WORLD_TEST(a_native_context_is_kept_or_taken_over) {
  const size_t before = fake_ze_live(FAKE_CONTEXT);
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t own = NULL;
  driver(ze.ContextCreate(w.platform->driver.driver, &description, &own));
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

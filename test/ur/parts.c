/* Features that only Level Zero has: sub-devices, and native handles of platforms. */
#include "world.h"

TEST(a_device_is_partitioned) {
  const ur_device_handle_t device = world_device(0);
  ur_device_partition_property_t way = {UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, {0}};
  way.value.affinity_domain = UR_DEVICE_AFFINITY_DOMAIN_FLAG_NEXT_PARTITIONABLE;
  const ur_device_partition_properties_t properties = {
      UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES, NULL, &way, 1};
  ur_device_handle_t parts[2] = {NULL};
  uint32_t count = 0;
  assert_ok(UR(urDevicePartition)(device, &properties, 0, NULL, &count));
  assert_int_equal(count, 2);
  assert_int_equal(UR(urDevicePartition)(device, &properties, 1, parts, NULL),
                   UR_RESULT_ERROR_INVALID_VALUE);
  assert_null(parts[0]);
  assert_ok(UR(urDevicePartition)(device, &properties, 2, parts, NULL));
  assert_answer(urDeviceGetInfo, parts[1], UR_DEVICE_INFO_REFERENCE_COUNT, uint32_t, 1);
  assert_answer(urDeviceGetInfo, parts[1], UR_DEVICE_INFO_PARENT_DEVICE, ur_device_handle_t,
                device);
  ur_device_partition_property_t type = {UR_DEVICE_PARTITION_EQUALLY, {0}};
  size_t size = 0;
  assert_ok(
      UR(urDeviceGetInfo)(parts[1], UR_DEVICE_INFO_PARTITION_TYPE, sizeof type, &type, &size));
  assert_int_equal(size, sizeof type);
  assert_int_equal(type.type, UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  assert_int_equal(type.value.affinity_domain, UR_DEVICE_AFFINITY_DOMAIN_FLAG_NEXT_PARTITIONABLE);
  ur_device_partition_t ways[2] = {UR_DEVICE_PARTITION_EQUALLY, UR_DEVICE_PARTITION_EQUALLY};
  assert_ok(
      UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_SUPPORTED_PARTITIONS, sizeof ways, ways, &size));
  assert_int_equal(size, sizeof ways[0]);
  assert_int_equal(ways[0], UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  assert_answer(urDeviceGetInfo, device, UR_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, uint32_t, 2);

  ur_context_handle_t context = NULL;
  ur_queue_handle_t queue = NULL;
  assert_ok(UR(urContextCreate)(2, parts, NULL, &context));
  assert_ok(UR(urQueueCreate)(context, parts[1], NULL, &queue));
  assert_ok(UR(urQueueFinish)(queue));
  assert_int_equal(UR(urQueueCreate)(context, device, NULL, &queue),
                   UR_RESULT_ERROR_INVALID_DEVICE);
  assert_ok(UR(urQueueRelease)(queue));
  assert_ok(UR(urContextRelease)(context));
  for (int i = 0; i < 2; i++)
    assert_ok(UR(urDeviceRelease)(parts[i]));
}

/* The native handle of a platform is Level Zero's driver handle. */
TEST(a_native_handle_is_its_platform) {
  ur_native_handle_t native = 0;
  ur_platform_handle_t again = NULL;
  assert_ok(UR(urPlatformGetNativeHandle)(world_platform(), &native));
  assert_ok(UR(urPlatformCreateWithNativeHandle)(native, world_adapter, NULL, &again));
  assert_ptr_equal(again, world_platform());
  again = NULL;
  assert_int_equal(UR(urPlatformCreateWithNativeHandle)(native + 8, world_adapter, NULL, &again),
                   UR_RESULT_ERROR_INVALID_PLATFORM);
  assert_null(again);
}

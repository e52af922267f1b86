/* Platforms and devices: lists, answers in UR's form, native handles, peer access. */
#include "world.h"

#include <string.h>

static ur_platform_handle_t platform;
static ur_device_handle_t device;

/* Also creates a context of all devices of a platform, as libsycl does for a plain queue. */
TEST(a_platform_lists_its_devices) {
  ur_device_handle_t found[4] = {NULL};
  ur_platform_handle_t of_second = NULL;
  ur_context_handle_t context = NULL;
  uint32_t count = 0;
  assert_ok(UR(urDeviceGetInfo)(world_device(1), UR_DEVICE_INFO_PLATFORM, sizeof of_second,
                                &of_second, NULL));
  assert_ok(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_GPU, 4, found, &count));
  assert_int_equal(count, of_second == platform ? 2 : 1);
  assert_ptr_equal(found[0], device);
  assert_ok(UR(urContextCreate)(count, found, NULL, &context));
  assert_ok(UR(urContextRelease)(context));
  assert_ok(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_DEFAULT, 4, found, &count));
  assert_int_equal(count, 1);
  assert_ok(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_CPU, 0, NULL, &count));
  assert_int_equal(count, 0);
  assert_ok(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_VPU, 0, NULL, &count));
  assert_int_equal(count, 0);
  found[1] = NULL;
  assert_ok(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_ALL, 1, found, NULL));
  assert_null(found[1]);
  assert_refused(UR(urDeviceGet)(platform, (ur_device_type_t)99, 4, found, &count),
                 INVALID_ENUMERATION, "0x63");
  assert_refused(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_ALL, 0, found, &count), INVALID_SIZE,
                 "NumEntries");
  assert_refused(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_ALL, 0, NULL, NULL), INVALID_NULL_POINTER,
                 "phDevices");
  assert_refused(UR(urDeviceGet)(platform, UR_DEVICE_TYPE_ALL, 4, NULL, &count),
                 INVALID_NULL_POINTER, "phDevices");
  assert_refused(
      UR(urDeviceGet)((ur_platform_handle_t)(void *)device, UR_DEVICE_TYPE_ALL, 4, found, &count),
      INVALID_PLATFORM, "live");
}

/* Asks for a size, and then for the answer with exactly that much space. */
static size_t ask(ur_device_info_t query, void *answer, size_t room) {
  size_t size = 0;
  assert_ok(UR(urDeviceGetInfo)(device, query, 0, NULL, &size));
  assert_true(size <= room);
  if (size)
    assert_ok(UR(urDeviceGetInfo)(device, query, size, answer, NULL));
  return size;
}

static uint32_t ask4(ur_device_info_t query) {
  uint32_t answer = 0;
  assert_int_equal(ask(query, &answer, sizeof answer), sizeof answer);
  return answer;
}

static bool ask_flag(ur_device_info_t query) {
  uint8_t answer = 7;
  assert_int_equal(ask(query, &answer, sizeof answer), 1);
  assert_true(answer < 2);
  return answer;
}

/* Checks the answers that have another type in UR than in PI. */
TEST(answers_have_the_form_of_ur) {
  assert_int_equal(ask4(UR_DEVICE_INFO_TYPE), UR_DEVICE_TYPE_GPU);
  uint32_t sizes[8];
  assert_int_equal(ask(UR_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sizes, sizeof sizes), 12);
  assert_int_equal(sizes[0], 8);
  assert_int_equal(sizes[1], 16);
  assert_int_equal(sizes[2], 32);
  assert_int_equal(ask4(UR_DEVICE_INFO_SINGLE_FP_CONFIG),
                   UR_DEVICE_FP_CAPABILITY_FLAG_CORRECTLY_ROUNDED_DIVIDE_SQRT |
                       UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_NEAREST |
                       UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_ZERO |
                       UR_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_INF |
                       UR_DEVICE_FP_CAPABILITY_FLAG_INF_NAN | UR_DEVICE_FP_CAPABILITY_FLAG_DENORM |
                       UR_DEVICE_FP_CAPABILITY_FLAG_FMA);
  assert_true(ask_flag(UR_DEVICE_INFO_AVAILABLE));
  assert_true(ask_flag(UR_DEVICE_INFO_USE_NATIVE_ASSERT));
  assert_int_equal(ask4(UR_DEVICE_INFO_QUEUE_PROPERTIES),
                   UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | UR_QUEUE_FLAG_PROFILING_ENABLE);
  assert_true(ask4(UR_DEVICE_INFO_USM_DEVICE_SUPPORT) &
              UR_DEVICE_USM_ACCESS_CAPABILITY_FLAG_ACCESS);
  ur_device_partition_t ways[4];
  assert_int_equal(ask(UR_DEVICE_INFO_SUPPORTED_PARTITIONS, ways, sizeof ways), 0);
  ur_device_partition_property_t way[4];
  assert_int_equal(ask(UR_DEVICE_INFO_PARTITION_TYPE, way, sizeof way), 0);
  void *handle = &way;
  assert_int_equal(ask(UR_DEVICE_INFO_PARENT_DEVICE, &handle, sizeof handle), sizeof handle);
  assert_null(handle);
  assert_int_equal(ask(UR_DEVICE_INFO_PLATFORM, &handle, sizeof handle), sizeof handle);
  assert_ptr_equal(handle, platform);
  assert_int_equal(ask(UR_DEVICE_INFO_COMPONENT_DEVICES, &handle, sizeof handle), 0);
  size_t groups[3] = {0};
  assert_int_equal(ask(UR_DEVICE_INFO_MAX_WORK_GROUPS_3D, groups, sizeof groups), sizeof groups);
  assert_int_equal(groups[0], INT32_MAX);
  char text[2048];
  ask(UR_DEVICE_INFO_EXTENSIONS, text, sizeof text);
  assert_non_null(strstr(text, "cl_khr_il_program"));
  unsigned char uuid[16];
  assert_int_equal(ask(UR_DEVICE_INFO_UUID, uuid, sizeof uuid), sizeof uuid);
}

/* The number of MAX_WORK_GROUPS in 2026.2 means another query in 2026.1, and none before. */
TEST(numbers_of_queries_depend_on_the_release) {
  size_t most = 0, size = 0;
  if (SINCE(2026_2))
    assert_int_equal(ask(UR_DEVICE_INFO_MAX_WORK_GROUPS, &most, sizeof most), sizeof most);
  else
    assert_refused(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_MAX_WORK_GROUPS, 0, NULL, &size),
                   UNSUPPORTED_ENUMERATION, "XE_STACK_COUNT");
  uint32_t update = 7;
  size = ask(UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP, &update, sizeof update);
  assert_int_equal(size, SINCE(2025_1) ? 4 : 1);
}

/* Checks that a query has an answer of the reported size, or a message why there is none. */
static void check_query(int number) {
  const ur_device_info_t query = (ur_device_info_t)number;
  unsigned char bytes[2048];
  size_t size = 0;
  const ur_result_t result = UR(urDeviceGetInfo)(device, query, 0, NULL, &size);
  if (result == UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION) {
    assert_sentence("answer");
    return;
  }
  assert_ok(result);
  if (size == 0)
    return;
  assert_true(size < sizeof bytes);
  assert_ok(UR(urDeviceGetInfo)(device, query, sizeof bytes, bytes, NULL));
  if (size < 2)
    return;
  size_t told = 0;
  assert_refused(UR(urDeviceGetInfo)(device, query, size - 1, bytes, &told), INVALID_SIZE,
                 "propSize");
  assert_int_equal(told, size);
}

TEST(every_query_is_answered_or_refused) {
  static const struct {
    const char *type;
    int number;
    ur_release since, until;
  } values[] = {
#define UR_VALUE(type, name, value, since, until)                                                  \
  {#type, value, UR_RELEASE_##since, UR_RELEASE_##until},
#include <ur/ur_enums.def>
  };
  unsigned asked = 0;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    if (strcmp(values[i].type, "ur_device_info_t") != 0 || world.release < values[i].since ||
        world.release > values[i].until)
      continue;
    check_query(values[i].number);
    asked++;
  }
  assert_true(asked > 130);
  uint32_t answer;
  assert_refused(UR(urDeviceGetInfo)(device, (ur_device_info_t)0xabcdef, 4, &answer, NULL),
                 UNSUPPORTED_ENUMERATION, "0xabcdef");
  assert_refused(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_TYPE, 0, NULL, NULL),
                 INVALID_NULL_POINTER, "pPropValue");
  assert_refused(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_TYPE, 4, NULL, NULL),
                 INVALID_NULL_POINTER, "pPropValue");
  assert_refused(UR(urDeviceGetInfo)(device, UR_DEVICE_INFO_TYPE, 0, &answer, NULL), INVALID_SIZE,
                 "propSize");
}

TEST(the_platform_answers_queries) {
  char text[256];
  assert_ok(UR(urPlatformGetInfo)(platform, UR_PLATFORM_INFO_NAME, sizeof text, text, NULL));
  assert_non_null(strstr(text, "CUDA"));
  assert_ok(UR(urPlatformGetInfo)(platform, UR_PLATFORM_INFO_VENDOR_NAME, sizeof text, text, NULL));
  assert_string_equal(text, "NVIDIA Corporation");
  uint32_t backend = 0;
  assert_answer(urPlatformGetInfo, platform, UR_PLATFORM_INFO_BACKEND, uint32_t,
                UR_BACKEND_LEVEL_ZERO);
  assert_answer(urPlatformGetInfo, platform, UR_PLATFORM_INFO_ADAPTER, ur_adapter_handle_t,
                world_adapter);
  assert_refused(UR(urPlatformGetInfo)(platform, (ur_platform_info_t)99, 4, &backend, NULL),
                 UNSUPPORTED_ENUMERATION, "0x63");
  ur_api_version_t version = (ur_api_version_t)0;
  assert_ok(UR(urPlatformGetApiVersion)(platform, &version));
  assert_int_equal(version, world.version);
  const char *option = NULL;
  assert_ok(UR(urPlatformGetBackendOption)(platform, "-O3", &option));
  assert_non_null(option);
  assert_int_equal(UR(urPlatformGetBackendOption)(platform, "-nonsense", &option),
                   UR_RESULT_ERROR_INVALID_VALUE);
  ur_native_handle_t native = 0;
  ur_platform_handle_t same = NULL;
  assert_ok(UR(urPlatformGetNativeHandle)(platform, &native));
  assert_ok(UR(urPlatformCreateWithNativeHandle)(native, world_adapter, NULL, &same));
  assert_ptr_equal(same, platform);
}

TEST(a_native_handle_is_its_device) {
  ur_native_handle_t native = 99;
  ur_device_handle_t again = NULL;
  const ur_device_handle_t second = world_device(1);
  assert_ok(UR(urDeviceGetNativeHandle)(second, &native));
  assert_ok(UR(urDeviceCreateWithNativeHandle)(native, world_adapter, NULL, &again));
  assert_ptr_equal(again, second);
  assert_ok(UR(urDeviceRetain)(again));
  assert_ok(UR(urDeviceRelease)(again));
  assert_ok(UR(urDeviceRelease)(again));
  again = NULL;
  assert_refused(UR(urDeviceCreateWithNativeHandle)(77, world_adapter, NULL, &again),
                 INVALID_DEVICE, "0x4d");
  assert_null(again);
}

TEST(the_best_image_is_chosen) {
  ur_device_binary_t images[3] = {
      {UR_STRUCTURE_TYPE_DEVICE_BINARY, NULL, "amdgcn"},
      {UR_STRUCTURE_TYPE_DEVICE_BINARY, NULL, UR_DEVICE_BINARY_TARGET_SPIRV64},
      {UR_STRUCTURE_TYPE_DEVICE_BINARY, NULL, UR_DEVICE_BINARY_TARGET_NVPTX64}};
  uint32_t chosen = 99;
  assert_ok(UR(urDeviceSelectBinary)(device, images, 3, &chosen));
  assert_int_equal(chosen, 2);
  assert_ok(UR(urDeviceSelectBinary)(device, images, 2, &chosen));
  assert_int_equal(chosen, 1);
  chosen = 99;
  assert_refused(UR(urDeviceSelectBinary)(device, images, 1, &chosen), INVALID_BINARY, "amdgcn");
  images[0].pDeviceTargetSpec = NULL;
  assert_refused(UR(urDeviceSelectBinary)(device, images, 1, &chosen), INVALID_BINARY, "NULL");
  assert_refused(UR(urDeviceSelectBinary)(device, images, 0, &chosen), INVALID_SIZE, "0");
  assert_int_equal(chosen, 99);
}

/* A CUDA device has no sub-devices. */
TEST(a_cuda_device_has_no_parts) {
  ur_device_partition_property_t way = {UR_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, {0}};
  way.value.affinity_domain = UR_DEVICE_AFFINITY_DOMAIN_FLAG_NUMA;
  ur_device_partition_properties_t properties = {UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES,
                                                 NULL, &way, 1};
  uint32_t count = 99;
  assert_int_equal(UR(urDevicePartition)(device, &properties, 0, NULL, &count),
                   UR_RESULT_ERROR_DEVICE_PARTITION_FAILED);
  way.type = UR_DEVICE_PARTITION_EQUALLY;
  assert_int_equal(UR(urDevicePartition)(device, &properties, 0, NULL, &count),
                   UR_RESULT_ERROR_INVALID_VALUE);
  way.type = (ur_device_partition_t)3;
  assert_refused(UR(urDevicePartition)(device, &properties, 0, NULL, &count), INVALID_ENUMERATION,
                 "0x3");
  properties.PropCount = 2;
  assert_refused(UR(urDevicePartition)(device, &properties, 0, NULL, &count), INVALID_VALUE,
                 "PropCount");
  properties.pProperties = NULL;
  assert_refused(UR(urDevicePartition)(device, &properties, 0, NULL, &count), INVALID_NULL_POINTER,
                 "pProperties");
  assert_int_equal(count, 99);
}

TEST(clocks_advance) {
  uint64_t before = 0, host = 0, after = 0;
  assert_ok(UR(urDeviceGetGlobalTimestamps)(device, &before, &host));
  assert_ok(UR(urDeviceGetGlobalTimestamps)(device, &after, NULL));
  assert_true(before > 0 && host > 0 && after >= before);
}

TEST(peer_access_is_enabled) {
  const ur_device_handle_t peer = world_device(1);
  int can = 7;
  size_t size = 0;
  assert_ok(UR(urUsmP2PPeerAccessGetInfoExp)(device, peer, UR_EXP_PEER_INFO_UR_PEER_ACCESS_SUPPORT,
                                             sizeof can, &can, &size));
  assert_int_equal(size, sizeof can);
  assert_int_equal(can, 1);
  assert_ok(UR(urUsmP2PPeerAccessGetInfoExp)(
      device, device, UR_EXP_PEER_INFO_UR_PEER_ACCESS_SUPPORT, sizeof can, &can, NULL));
  assert_int_equal(can, 0);
  assert_refused(
      UR(urUsmP2PPeerAccessGetInfoExp)(device, peer, (ur_exp_peer_info_t)9, 4, &can, NULL),
      UNSUPPORTED_ENUMERATION, "0x9");
  assert_ok(UR(urUsmP2PEnablePeerAccessExp)(device, peer));
  assert_int_equal(UR(urUsmP2PEnablePeerAccessExp)(device, peer),
                   UR_RESULT_ERROR_INVALID_OPERATION);
  assert_ok(UR(urUsmP2PDisablePeerAccessExp)(device, peer));
  assert_int_equal(UR(urUsmP2PDisablePeerAccessExp)(device, peer),
                   UR_RESULT_ERROR_INVALID_OPERATION);
  assert_refused(UR(urUsmP2PEnablePeerAccessExp)(device, device), INVALID_OPERATION, "same");
  assert_refused(UR(urUsmP2PEnablePeerAccessExp)(device, NULL), INVALID_NULL_HANDLE, "peerDevice");
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  platform = world_platform();
  device = world_device(0);
  return tests_run(NULL, NULL);
}

/* The adapter itself: references, queries, the last error, the logger. */
#include "world.h"

#include <string.h>

static uint32_t references(void) {
  uint32_t count = 0;
  assert_ok(UR(urAdapterGetInfo)(world_adapter, UR_ADAPTER_INFO_REFERENCE_COUNT, sizeof count,
                                 &count, NULL));
  return count;
}

TEST(references_are_counted) {
  const uint32_t before = references();
  ur_adapter_handle_t again = NULL;
  assert_ok(UR(urAdapterGet)(1, &again, NULL));
  assert_ptr_equal(again, world_adapter);
  assert_int_equal(references(), before + 1);
  assert_ok(UR(urAdapterRetain)(again));
  assert_int_equal(references(), before + 2);
  assert_ok(UR(urAdapterRelease)(again));
  assert_ok(UR(urAdapterRelease)(again));
  assert_int_equal(references(), before);
  uint32_t count = 0;
  assert_ok(UR(urAdapterGet)(0, NULL, &count));
  assert_int_equal(count, 1);
  assert_int_equal(references(), before);
}

/* After its last release the adapter can be retrieved again, but not released again. */
TEST(the_adapter_outlives_its_last_reference) {
  while (references())
    assert_ok(UR(urAdapterRelease)(world_adapter));
  assert_refused(UR(urAdapterRelease)(world_adapter), INVALID_ARGUMENT, "no reference left");
  assert_ok(UR(urAdapterGet)(1, &world_adapter, NULL));
  assert_int_equal(references(), 1);
}

TEST(a_wrong_get_is_refused) {
  ur_adapter_handle_t handle = NULL;
  assert_refused(UR(urAdapterGet)(0, NULL, NULL), INVALID_NULL_POINTER, "are NULL");
  assert_refused(UR(urAdapterGet)(0, &handle, NULL), INVALID_SIZE, "NumEntries is 0");
  assert_null(handle);
}

TEST(wrong_handles_are_refused) {
  /* A released object starts with a null pointer. */
  void *released[8] = {NULL};
  const ur_adapter_handle_t other = (ur_adapter_handle_t)(void *)released;
  const ur_adapter_handle_t bad[] = {NULL, other};
  const ur_result_t codes[] = {UR_RESULT_ERROR_INVALID_NULL_HANDLE,
                               UR_RESULT_ERROR_INVALID_ARGUMENT};
  const char *message = "untouched";
  int32_t number = 7;
  uint32_t value = 7;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(UR(urAdapterRetain)(bad[i]), codes[i]);
    assert_int_equal(UR(urAdapterRelease)(bad[i]), codes[i]);
    assert_int_equal(UR(urAdapterGetLastError)(bad[i], &message, &number), codes[i]);
    assert_int_equal(
        UR(urAdapterGetInfo)(bad[i], UR_ADAPTER_INFO_BACKEND, sizeof value, &value, NULL),
        codes[i]);
  }
  assert_string_equal(message, "untouched");
  assert_int_equal(number, 7);
  assert_int_equal(value, 7);
}

TEST(queries_are_answered) {
  uint32_t value = 0;
  size_t size = 0;
  assert_ok(
      UR(urAdapterGetInfo)(world_adapter, UR_ADAPTER_INFO_BACKEND, sizeof value, &value, &size));
  assert_int_equal(size, 4);
  assert_in_range(value, UR_BACKEND_LEVEL_ZERO, UR_BACKEND_NATIVE_CPU);
  assert_answer(urAdapterGetInfo, world_adapter, UR_ADAPTER_INFO_VERSION, uint32_t, 1);
  char small[3] = "ab";
  assert_refused(
      UR(urAdapterGetInfo)(world_adapter, UR_ADAPTER_INFO_BACKEND, sizeof small, small, NULL),
      INVALID_SIZE, "propSize is 3, the answer has 4 bytes");
  assert_string_equal(small, "ab");
  assert_refused(
      UR(urAdapterGetInfo)(world_adapter, (ur_adapter_info_t)99, sizeof value, &value, NULL),
      UNSUPPORTED_ENUMERATION, "0x63");
  assert_refused(UR(urAdapterGetInfo)(world_adapter, UR_ADAPTER_INFO_BACKEND, 0, NULL, NULL),
                 INVALID_NULL_POINTER, "NULL");
}

/* Up to 2025.2 a loader that intercepts calls passes its own wrapper instead of the handle. */
TEST(a_loader_s_own_object_is_accepted) {
  if (!HAS(urPlatformGet_2025_0))
    return;
  void *object[2] = {world_adapter, world.record};
  ur_adapter_handle_t wrapped = (ur_adapter_handle_t)(void *)object;
  uint32_t count = 0;
  assert_ok(UR(urPlatformGet_2025_0)(&wrapped, 1, 0, NULL, &count));
  assert_int_equal(count, 1); /* the platform with all GPUs */
  wrapped = NULL;
  assert_refused(UR(urPlatformGet_2025_0)(&wrapped, 1, 0, NULL, &count), INVALID_NULL_HANDLE,
                 "phAdapters[0] is NULL");
}

typedef struct heard {
  int count;
  ur_logger_level_t level;
  char text[256];
} heard;

static void hear(ur_logger_level_t level, const char *message, void *data) {
  heard *what = data;
  what->count++;
  what->level = level;
  strncpy(what->text, message, sizeof what->text - 1);
}

TEST(the_logger_hears_its_level_and_above) {
  if (!HAS(urAdapterSetLoggerCallback))
    return;
  heard what = {0};
  assert_ok(UR(urAdapterSetLoggerCallback)(world_adapter, hear, &what, UR_LOGGER_LEVEL_ERROR));
  assert_int_equal(UR(urAdapterRetain)(NULL), UR_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(what.count, 1);
  assert_int_equal(what.level, UR_LOGGER_LEVEL_ERROR);
  assert_string_equal(what.text, "hAdapter is NULL");
  /* A query without an answer logs a debug message. */
  uint32_t value = 0;
  assert_int_equal(
      UR(urAdapterGetInfo)(world_adapter, (ur_adapter_info_t)99, sizeof value, &value, NULL),
      UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  assert_int_equal(what.count, 1);
  assert_ok(UR(urAdapterSetLoggerCallbackLevel)(world_adapter, UR_LOGGER_LEVEL_DEBUG));
  assert_int_equal(
      UR(urAdapterGetInfo)(world_adapter, (ur_adapter_info_t)99, sizeof value, &value, NULL),
      UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  assert_int_equal(what.count, 2);
  assert_int_equal(what.level, UR_LOGGER_LEVEL_DEBUG);
  assert_ok(UR(urAdapterSetLoggerCallbackLevel)(world_adapter, UR_LOGGER_LEVEL_QUIET));
  assert_int_equal(UR(urAdapterRetain)(NULL), UR_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(what.count, 2);
  assert_refused(UR(urAdapterSetLoggerCallback)(world_adapter, NULL, NULL, UR_LOGGER_LEVEL_ERROR),
                 INVALID_NULL_POINTER, "pfnLoggerCallback is NULL");
  assert_refused(UR(urAdapterSetLoggerCallbackLevel)(world_adapter, (ur_logger_level_t)5),
                 INVALID_ENUMERATION, "level is 5");
  /* The last release of the adapter ends logging. */
  assert_ok(UR(urAdapterSetLoggerCallbackLevel)(world_adapter, UR_LOGGER_LEVEL_DEBUG));
  while (references())
    assert_ok(UR(urAdapterRelease)(world_adapter));
  const int before = what.count;
  assert_int_equal(UR(urAdapterRetain)(NULL), UR_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(what.count, before);
  assert_ok(UR(urAdapterGet)(1, &world_adapter, NULL));
}

/* Answers to queries, with buffers of every size and without. */
#include "check.h"

#include "../../plugins/base/info.h"

#include <stdio.h>
#include <string.h>

TEST(the_size_alone_is_returned) {
  size_t size = 99;
  const info_answer answer = {0, NULL, &size};
  assert_success(answer_check(&answer));
  assert_success(answer_text(&answer, "four"));
  assert_int_equal(size, 5);
  assert_success(answer_uint32(&answer, 1));
  assert_int_equal(size, 4);
  assert_success(answer_uint64(&answer, 1));
  assert_int_equal(size, 8);
  assert_success(answer_size(&answer, 1));
  assert_int_equal(size, 8);
  assert_success(answer_bool(&answer, true));
  assert_int_equal(size, 4);
  assert_success(answer_handle(&answer, &size));
  assert_int_equal(size, 8);
  assert_success(answer_text(&answer, ""));
  assert_int_equal(size, 1);
}

/* Without a buffer its size is ignored, and the query returns only the answer's size. */
TEST(a_size_without_a_buffer_is_ignored) {
  size_t size = 99;
  const info_answer answer = {2, NULL, &size};
  assert_success(answer_uint64(&answer, 1));
  assert_int_equal(size, 8);
}

TEST(a_buffer_may_be_larger) {
  unsigned char buffer[16];
  for (size_t given = 4; given <= sizeof buffer; given++) {
    memset(buffer, 0xee, sizeof buffer);
    size_t size = 99;
    const info_answer answer = {given, buffer, &size};
    assert_success(answer_check(&answer));
    assert_success(answer_uint32(&answer, 0x04030201));
    assert_memory_equal(buffer, "\1\2\3\4\xee", 5);
    assert_int_equal(size, 4);
  }
}

TEST(the_size_need_not_be_returned) {
  pi_uint32 value = 99;
  const info_answer answer = {sizeof value, &value, NULL};
  assert_success(answer_check(&answer));
  assert_success(answer_bool(&answer, true));
  assert_int_equal(value, PI_TRUE);
  assert_success(answer_bool(&answer, false));
  assert_int_equal(value, PI_FALSE);
}

TEST(too_small_leaves_the_outputs) {
  for (size_t given = 0; given < 5; given++) {
    char buffer[8];
    memset(buffer, 0xee, sizeof buffer);
    size_t size = 99;
    const info_answer answer = {given, buffer, &size};
    char sentence[80];
    snprintf(sentence, sizeof sentence, "param_value_size is %zu, the answer has 5 bytes", given);
    assert_failure(answer_text(&answer, "four"), PI_ERROR_INVALID_VALUE, sentence);
    assert_memory_equal(buffer, "\xee\xee\xee\xee\xee\xee\xee\xee", 8);
    assert_int_equal(size, 99);
  }
}

TEST(a_query_for_nothing_is_refused) {
  const info_answer answer = {0, NULL, NULL};
  assert_failure(answer_check(&answer), PI_ERROR_INVALID_VALUE,
                 "param_value and param_value_size_ret are both NULL");
}

TEST(an_empty_list_has_size_0) {
  unsigned char buffer[2] = {0xee, 0xee};
  size_t size = 99;
  const info_answer answer = {sizeof buffer, buffer, &size};
  assert_success(answer_bytes(&answer, NULL, 0));
  assert_int_equal(size, 0);
  assert_int_equal(buffer[0], 0xee);
  size = 99;
  const info_answer no_room = {0, buffer, &size};
  assert_success(answer_bytes(&no_room, NULL, 0));
  assert_int_equal(size, 0);
  size = 99;
  const info_answer no_buffer = {0, NULL, &size};
  assert_success(answer_bytes(&no_buffer, NULL, 0));
  assert_int_equal(size, 0);
}

TEST(handles_and_wide_values_are_returned) {
  int object = 0;
  void *handle = NULL;
  const info_answer handle_answer = {sizeof handle, &handle, NULL};
  assert_success(answer_handle(&handle_answer, &object));
  assert_ptr_equal(handle, &object);
  assert_success(answer_handle(&handle_answer, NULL));
  assert_null(handle);
  pi_uint64 wide = 0;
  const info_answer wide_answer = {sizeof wide, &wide, NULL};
  assert_success(answer_uint64(&wide_answer, UINT64_MAX - 1));
  assert_int_equal(wide, UINT64_MAX - 1);
  assert_success(answer_size(&wide_answer, 7));
  assert_int_equal(wide, 7);
}

TEST(unknown_queries_are_refused) {
  assert_failure(answer_unknown("pi_device_info", 0xabcd), PI_ERROR_INVALID_VALUE,
                 "0xabcd is not a pi_device_info");
  assert_failure(answer_unsupported("pi_device_info", PI_DEVICE_INFO_UUID, "no extension"),
                 PI_ERROR_INVALID_VALUE, "PI_DEVICE_INFO_UUID is not answered here: no extension");
}

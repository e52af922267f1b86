#include "info.h"

#include "error.h"
#include "names.h"

#include <string.h>

pi_result pi_answer_check(const pi_answer *answer) {
  PI_REQUIRE(answer->value || answer->size_ret, PI_ERROR_INVALID_VALUE,
             "param_value and param_value_size_ret are both NULL");
  return PI_SUCCESS;
}

pi_result pi_answer_bytes(const pi_answer *answer, const void *bytes, size_t size) {
  if (answer->value) {
    PI_REQUIRE(answer->size >= size, PI_ERROR_INVALID_VALUE,
               "param_value_size is %zu, the answer has %zu bytes", answer->size, size);
    if (size != 0)
      memcpy(answer->value, bytes, size);
  }
  if (answer->size_ret)
    *answer->size_ret = size;
  return PI_SUCCESS;
}

pi_result pi_answer_text(const pi_answer *answer, const char *text) {
  return pi_answer_bytes(answer, text, strlen(text) + 1);
}

pi_result pi_answer_uint32(const pi_answer *answer, pi_uint32 value) {
  return pi_answer_bytes(answer, &value, sizeof value);
}

pi_result pi_answer_uint64(const pi_answer *answer, pi_uint64 value) {
  return pi_answer_bytes(answer, &value, sizeof value);
}

pi_result pi_answer_size(const pi_answer *answer, size_t value) {
  return pi_answer_bytes(answer, &value, sizeof value);
}

pi_result pi_answer_bool(const pi_answer *answer, bool value) {
  return pi_answer_uint32(answer, value ? PI_TRUE : PI_FALSE);
}

pi_result pi_answer_handle(const pi_answer *answer, const void *handle) {
  return pi_answer_bytes(answer, &handle, sizeof handle);
}

pi_result pi_answer_unknown(const char *type, pi_uint32 query) {
  return pi_error(PI_ERROR_INVALID_VALUE, "0x%x is not a %s", query, type);
}

pi_result pi_answer_unsupported(const char *type, pi_uint32 query, const char *reason) {
  return pi_error(PI_ERROR_INVALID_VALUE, "%s is not answered here: %s", pi_name(type, query),
                  reason);
}

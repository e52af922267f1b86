#include "info.h"

#include "error.h"
#include "names.h"

#include <string.h>

pi_result answer_check(const info_answer *answer) {
  REQUIRE(answer->value || answer->size_ret, PI_ERROR_INVALID_VALUE,
          "param_value and param_value_size_ret are both NULL");
  return PI_SUCCESS;
}

pi_result answer_check_room(const info_answer *answer, size_t needed) {
  REQUIRE(!answer->value || answer->size >= needed, PI_ERROR_INVALID_VALUE,
          "param_value_size is %zu, the answer has %zu bytes", answer->size, needed);
  return PI_SUCCESS;
}

pi_result answer_bytes(const info_answer *answer, const void *bytes, size_t size) {
  TRY(answer_check_room(answer, size));
  if (answer->value && size != 0)
    memcpy(answer->value, bytes, size);
  if (answer->size_ret)
    *answer->size_ret = size;
  return PI_SUCCESS;
}

pi_result answer_text(const info_answer *answer, const char *text) {
  return answer_bytes(answer, text, strlen(text) + 1);
}

pi_result answer_uint32(const info_answer *answer, pi_uint32 value) {
  return answer_bytes(answer, &value, sizeof value);
}

pi_result answer_uint64(const info_answer *answer, pi_uint64 value) {
  return answer_bytes(answer, &value, sizeof value);
}

pi_result answer_size(const info_answer *answer, size_t value) {
  return answer_bytes(answer, &value, sizeof value);
}

pi_result answer_bool(const info_answer *answer, bool value) {
  return answer_uint32(answer, value ? PI_TRUE : PI_FALSE);
}

pi_result answer_handle(const info_answer *answer, const void *handle) {
  return answer_bytes(answer, &handle, sizeof handle);
}

pi_result answer_unknown(const char *type, pi_uint32 query) {
  return plugin_error(PI_ERROR_INVALID_VALUE, "0x%x is not a %s", query, type);
}

pi_result answer_unsupported(const char *type, pi_uint32 query, const char *reason) {
  return plugin_error(PI_ERROR_INVALID_VALUE, "%s is not answered here: %s",
                      enumerator_name(type, query), reason);
}

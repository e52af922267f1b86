#include "reply.h"

#include "result.h"

#include <string.h>

ur_result_t reply_check(const info_answer *answer) {
  if (!answer->value && (answer->size || !answer->size_ret)) {
    plugin_error(PI_ERROR_INVALID_VALUE, "pPropValue is NULL%s",
                 answer->size ? ", and propSize is not 0" : ", and so is pPropSizeRet");
    return UR_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (answer->value && answer->size == 0) {
    plugin_error(PI_ERROR_INVALID_VALUE, "propSize is 0, and pPropValue is not NULL");
    return UR_RESULT_ERROR_INVALID_SIZE;
  }
  return UR_RESULT_SUCCESS;
}

ur_result_t reply_check_room(const info_answer *answer, size_t size) {
  if (answer->size_ret)
    *answer->size_ret = size;
  UR_REQUIRE(!answer->value || answer->size >= size, UR_RESULT_ERROR_INVALID_SIZE,
             "propSize is %zu, the answer has %zu bytes", answer->size, size);
  return UR_RESULT_SUCCESS;
}

ur_result_t reply_bytes(const info_answer *answer, const void *bytes, size_t size) {
  UR_PASS(reply_check_room(answer, size));
  if (answer->value && size)
    memcpy(answer->value, bytes, size);
  return UR_RESULT_SUCCESS;
}

ur_result_t reply_text(const info_answer *answer, const char *text) {
  return reply_bytes(answer, text, strlen(text) + 1);
}

ur_result_t reply_uint32(const info_answer *answer, uint32_t value) {
  return reply_bytes(answer, &value, sizeof value);
}

ur_result_t reply_uint64(const info_answer *answer, uint64_t value) {
  return reply_bytes(answer, &value, sizeof value);
}

ur_result_t reply_size(const info_answer *answer, size_t value) {
  return reply_bytes(answer, &value, sizeof value);
}

ur_result_t reply_bool(const info_answer *answer, bool value) {
  const ur_bool_t byte = value;
  return reply_bytes(answer, &byte, sizeof byte);
}

ur_result_t reply_handle(const info_answer *answer, const void *handle) {
  return reply_bytes(answer, &handle, sizeof handle);
}

ur_result_t reply_unknown(const char *type, uint32_t query) {
  plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "0x%x is not a query of %s that is known", query,
               type);
  return UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
}

ur_result_t reply_unsupported(const char *query, const char *reason) {
  plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "%s has no answer: %s", query, reason);
  return UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
}

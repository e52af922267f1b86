#include "reply_object.h"

#include "result.h"

/* Asks the object. The place is valid, so PI's INVALID_VALUE means that there is no such query. */
static ur_result_t ask_object(const object_query *query, const info_answer *answer) {
  const pi_result result = query->ask(query, answer);
  return result == PI_ERROR_INVALID_VALUE ? UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION
                                          : face_result(result);
}

ur_result_t reply_object(const info_answer *reply, const object_query *query) {
  size_t size = 0;
  const info_answer only_size = {.size_ret = &size};
  UR_PASS(ask_object(query, &only_size));
  UR_PASS(reply_check_room(reply, size));
  if (!reply->value)
    return UR_RESULT_SUCCESS;
  const info_answer answer = {.size = reply->size, .value = reply->value};
  return ask_object(query, &answer);
}

ur_result_t object_uint32(const object_query *query, uint32_t *ret) {
  uint32_t value = 0;
  const info_answer answer = {.size = sizeof value, .value = &value};
  UR_PASS(ask_object(query, &answer));
  *ret = value;
  return UR_RESULT_SUCCESS;
}

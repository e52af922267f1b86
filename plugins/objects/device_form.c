#include "device_form.h"

#include <string.h>

bool device_form_of(pi_device_info query, device_form *ret) {
  static const struct {
    const char *type;
    pi_uint32 query;
    device_form form;
  } queries[] = {
#define PI_ENUM(type)
#define PI_QUERY(type, name, value, kind) {#type, (pi_uint32)name, FORM_##kind},
#include <pi/pi_enums.def>
  };
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
    if (queries[i].query == (pi_uint32)query && strcmp(queries[i].type, "pi_device_info") == 0) {
      *ret = queries[i].form;
      return true;
    }
  return false;
}

pi_result device_give(const device_value *value, device_form form, const info_answer *answer) {
  const bool flag = value->number != 0;
  switch (form) {
  case FORM_UINT32:
    return answer_uint32(answer, (pi_uint32)value->number);
  case FORM_BOOL:
    return answer_bool(answer, flag);
  case FORM_BOOL8:
    return answer_bytes(answer, &flag, 1);
  case FORM_TEXT:
    return answer_text(answer, value->text);
  case FORM_BYTES16:
    return answer_bytes(answer, value->text, 16);
  case FORM_SIZES:
  case FORM_PROPERTIES:
  case FORM_HANDLES:
    return answer_bytes(answer, value->sizes, value->count * sizeof value->sizes[0]);
  case FORM_SIZES2:
  case FORM_SIZES3:
    return answer_bytes(answer, value->sizes,
                        (form == FORM_SIZES2 ? 2 : 3) * sizeof value->sizes[0]);
  default:
    return answer_uint64(answer, value->number);
  }
}

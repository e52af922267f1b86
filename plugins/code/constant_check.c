#include "constant_check.h"

#include "../base/error.h"

#include <inttypes.h>
#include <stdio.h>

pi_result pi_constant_check_value(pi_uint32 id, const void *value) {
  PI_REQUIRE(value, PI_ERROR_INVALID_VALUE, "the value of constant %" PRIu32 " is NULL", id);
  return PI_SUCCESS;
}

pi_result pi_constant_check_size(pi_uint32 id, pi_uint32 declared, size_t size) {
  PI_REQUIRE(size == declared, PI_ERROR_INVALID_VALUE,
             "constant %" PRIu32 " takes %" PRIu32 " byte%s, %zu given", id, declared,
             declared == 1 ? "" : "s", size);
  return PI_SUCCESS;
}

pi_result pi_constant_unknown(pi_uint32 id, const pi_constant_ids *declared) {
  enum { LISTED = 16 };
  if (id == PI_SPEC_ID_ITT) {
    pi_note("constant %" PRIu32 " asks for ITT annotations, the module has none: ignored", id);
    return PI_SUCCESS;
  }
  if (declared->count == 0)
    return pi_error(PI_ERROR_INVALID_SPEC_ID,
                    "the module declares no constant with id %" PRIu32 " (it has none)", id);
  char list[LISTED * 12 + 8] = "";
  size_t used = 0;
  for (size_t i = 0; i < declared->count && i < LISTED; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%" PRIu32, i == 0 ? ": " : ", ",
                             declared->id_at(declared->list, i));
  if (declared->count > LISTED)
    snprintf(list + used, sizeof list - used, ", ...");
  return pi_error(PI_ERROR_INVALID_SPEC_ID,
                  "the module declares no constant with id %" PRIu32 " (it has %zu%s)", id,
                  declared->count, list);
}

/* The names of PI's enumerators, for messages and traces. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdint.h>

/*
 * The name of an enumerator, e.g. enumerator_name("pi_result", -30) is "PI_ERROR_INVALID_VALUE".
 * Where several share the value it is the first in pi_enums.def. "?" when the type has no such
 * value. The text is static.
 */
const char *enumerator_name(const char *type, int64_t value);

#endif

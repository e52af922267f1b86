/* The names of PI's enumerators, for messages and traces. */
#ifndef PI_BASE_NAMES_H
#define PI_BASE_NAMES_H

#include <stdint.h>

/*
 * The name of an enumerator, e.g. pi_name("pi_result", -30) is
 * "PI_ERROR_INVALID_VALUE". Where several share the value it is the first in
 * pi_enums.def. "?" when the type has no such value. The text is static.
 */
const char *pi_name(const char *type, int64_t value);

#endif

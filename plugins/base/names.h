/* Names of PI's enumerators, for messages and traces. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdint.h>

/*
 * Returns the name of an enumerator: enumerator_name("pi_result", -30) is "PI_ERROR_INVALID_VALUE".
 * If several have the value, returns the first one in pi_enums.def; if none has it, "?". The text
 * is static.
 */
const char *enumerator_name(const char *type, int64_t value);

#endif

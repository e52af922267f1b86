#include "names.h"

#include <stddef.h>
#include <string.h>

/* Values have up to 64 bits and are compared as bit patterns. */
static const struct {
  const char *type;
  const char *name;
  int64_t value;
} names[] = {
#define PI_VALUE(type, name, value) {#type, #name, (value)},
#define PI_WIDE(type, name, value) {#type, #name, (int64_t)(value)},
#include <pi/pi_enums.def>
};

const char *enumerator_name(const char *type, int64_t value) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (names[i].value == value && strcmp(names[i].type, type) == 0)
      return names[i].name;
  return "?";
}

#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "property_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The size of the prefix of a byte array: the length of the rest in bits, little-endian. */
enum { PREFIX = 8 };

specpi_result table_length(const void *begin, const void *end, size_t element, const char *what,
                           size_t *ret) {
  IMAGE_REQUIRE((begin == NULL) == (end == NULL), "%s has %s but no %s", what,
                begin ? "a start" : "an end", begin ? "end" : "begin");
  const uintptr_t first = (uintptr_t)begin;
  const uintptr_t behind = (uintptr_t)end;
  IMAGE_REQUIRE(first <= behind, "%s ends before it begins", what);
  IMAGE_REQUIRE((behind - first) % element == 0,
                "%s has %" PRIuPTR " bytes, which are not whole elements of %zu bytes", what,
                behind - first, element);
  *ret = (behind - first) / element;
  return SPECPI_SUCCESS;
}

static specpi_result decode_byte_array(const char *set,
                                       const pi_device_binary_property_struct *property,
                                       specpi_property *ret) {
  IMAGE_REQUIRE(property->ValSize >= PREFIX,
                "property \"%s\" of set \"%s\" is a byte array of %" PRIu64
                " bytes, which do not hold its length",
                property->Name, set, property->ValSize);
  const unsigned char *bytes = property->ValAddr;
  uint64_t bits = 0;
  for (size_t i = PREFIX; i-- > 0;)
    bits = bits << 8 | bytes[i];
  const uint64_t size = property->ValSize - PREFIX;
  IMAGE_REQUIRE(bits / 8 + (bits % 8 != 0) == size,
                "property \"%s\" of set \"%s\" has %" PRIu64 " bytes for %" PRIu64 " bits",
                property->Name, set, size, bits);
  ret->bytes = bytes + PREFIX;
  ret->size = (size_t)size;
  ret->bits = bits;
  return SPECPI_SUCCESS;
}

specpi_result property_decode(const char *set, const pi_device_binary_property_struct *property,
                              specpi_property *ret) {
  IMAGE_REQUIRE(property->Name, "a property of set \"%s\" has no name", set);
  IMAGE_REQUIRE(property->Type >= PI_PROPERTY_TYPE_UINT32 &&
                    property->Type <= PI_PROPERTY_TYPE_STRING,
                "property \"%s\" of set \"%s\" has the unknown type %" PRIu32, property->Name, set,
                property->Type);
  specpi_property result = {
      .set = set, .name = property->Name, .type = (pi_property_type)property->Type};
  if (result.type == PI_PROPERTY_TYPE_UINT32) {
    result.number = (uint32_t)property->ValSize;
    *ret = result;
    return SPECPI_SUCCESS;
  }
  IMAGE_REQUIRE(property->ValAddr || property->ValSize == 0,
                "property \"%s\" of set \"%s\" has a size of %" PRIu64 " and no value",
                property->Name, set, property->ValSize);
  if (result.type == PI_PROPERTY_TYPE_BYTE_ARRAY) {
    ERROR_TRY(decode_byte_array(set, property, &result));
  } else {
    result.bytes = property->ValAddr ? property->ValAddr : "";
    result.size = strnlen(result.bytes, (size_t)property->ValSize);
  }
  *ret = result;
  return SPECPI_SUCCESS;
}

/* Checks the frame of the sets, and counts their properties. */
static specpi_result count_properties(const pi_device_binary_property_set_struct *sets,
                                      size_t set_count, size_t *ret) {
  size_t total = 0;
  for (size_t s = 0; s < set_count; s++) {
    IMAGE_REQUIRE(sets[s].Name, "property set number %zu has no name", s);
    size_t count;
    ERROR_TRY(table_length(sets[s].PropertiesBegin, sets[s].PropertiesEnd,
                           sizeof(pi_device_binary_property_struct), sets[s].Name, &count));
    IMAGE_REQUIRE(count <= SIZE_MAX / sizeof(specpi_property) - total,
                  "the property sets have too many properties");
    total += count;
  }
  *ret = total;
  return SPECPI_SUCCESS;
}

specpi_result property_sets_decode(const pi_device_binary_property_set_struct *begin,
                                   const pi_device_binary_property_set_struct *end,
                                   specpi_property **ret, size_t *count) {
  size_t set_count;
  size_t total;
  ERROR_TRY(table_length(begin, end, sizeof *begin, "the table of property sets", &set_count));
  ERROR_TRY(count_properties(begin, set_count, &total));
  if (total == 0) {
    *ret = NULL;
    *count = 0;
    return SPECPI_SUCCESS;
  }
  specpi_property *properties = malloc(total * sizeof *properties);
  if (!properties)
    return error_memory();
  size_t next = 0;
  for (size_t s = 0; s < set_count; s++)
    for (const pi_device_binary_property_struct *p = begin[s].PropertiesBegin;
         p != begin[s].PropertiesEnd; p++) {
      const specpi_result result = property_decode(begin[s].Name, p, &properties[next++]);
      if (result != SPECPI_SUCCESS) {
        free(properties);
        return result;
      }
    }
  *ret = properties;
  *count = total;
  return SPECPI_SUCCESS;
}

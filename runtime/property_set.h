/* Decodes the property sets of a device image. */
#ifndef SPECPI_PROPERTY_SET_H
#define SPECPI_PROPERTY_SET_H

#include "error.h"

/*
 * Returns from the calling function with SPECPI_ERROR_INVALID_IMAGE and a message unless the
 * condition holds. The code is named, so that compilers see that it is an error.
 */
#define IMAGE_REQUIRE(condition, ...)                                                              \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      error_set(SPECPI_ERROR_INVALID_IMAGE, __VA_ARGS__);                                          \
      return SPECPI_ERROR_INVALID_IMAGE;                                                           \
    }                                                                                              \
  } while (0)

/*
 * Decodes one property of the set of that name; *ret points into it.
 *
 * SPECPI_ERROR_INVALID_IMAGE: the name is missing; the type is unknown; the value is missing
 * although its size is not 0; a byte array is too short for its length field; or that length in
 * bits is not the length of its bytes.
 */
specpi_result property_decode(const char *set, const pi_device_binary_property_struct *property,
                              specpi_property *ret);

/*
 * Checks the sets from begin to end and decodes their properties, in order, into new memory, which
 * the caller frees; NULL if there are none.
 *
 * SPECPI_ERROR_INVALID_IMAGE: as property_decode; a table ends before it starts or within an
 * element; a set has no name. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result property_sets_decode(const pi_device_binary_property_set_struct *begin,
                                   const pi_device_binary_property_set_struct *end,
                                   specpi_property **ret, size_t *count);

/*
 * The number of elements of a table between two pointers. what is its name in errors.
 * SPECPI_ERROR_INVALID_IMAGE: as property_sets_decode.
 */
specpi_result table_length(const void *begin, const void *end, size_t element, const char *what,
                           size_t *ret);

#endif

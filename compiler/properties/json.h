/*
 * Common parts of the JSON forms, over jansson. NULL means that memory is exhausted, or that a text
 * is not UTF-8.
 */
#ifndef COMPILER_JSON_H
#define COMPILER_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "properties.h"

/* Makes a string of the bytes' hexadecimal digits. */
json_t *json_hex(const void *bytes, size_t size);

/* Adds an element, or sets a member; takes the reference to value, which may be NULL. */
bool json_add(json_t *array, json_t *value);
bool json_member(json_t *object, const char *name, json_t *value);

/* Checks that a name is UTF-8, as jansson requires. INVALID_NAME. */
specpi_compiler_result json_check_name(const char *name);

/* Appends a value and a line break. OUT_OF_MEMORY. */
specpi_compiler_result json_write(const json_t *value, property_text *to);

#endif

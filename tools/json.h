/* JSON for the subcommands: jansson, with an end of the program where memory is exhausted. */
#ifndef SPECPI_TOOLS_JSON_H
#define SPECPI_TOOLS_JSON_H

#include <jansson.h>

/*
 * A text as JSON. Drivers and files may hold bytes that are not UTF-8; those become question
 * marks.
 */
json_t *tool_json_text(const char *text);

/* The same for a text of size bytes, NUL among them or not. */
json_t *tool_json_text_of(const char *text, size_t size);

/* Bytes as hexadecimal digits, two for each. */
json_t *tool_json_hex(const void *bytes, size_t size);

json_t *tool_json_integer(json_int_t value);
json_t *tool_json_array(void);
json_t *tool_json_object(void);

/* Sets a member, adds an element: takes the reference of value. */
void tool_json_member(json_t *object, const char *name, json_t *value);
void tool_json_add(json_t *array, json_t *value);

#endif

/* JSON for the subcommands: wraps jansson, and ends the program if memory is exhausted. */
#ifndef SPECPI_TOOLS_JSON_H
#define SPECPI_TOOLS_JSON_H

#include <jansson.h>

/*
 * Returns a string as JSON. Bytes that are not UTF-8, which drivers and files may contain, become
 * question marks.
 */
json_t *tool_json_text(const char *text);

/* The same for size bytes, which may include NUL. */
json_t *tool_json_text_of(const char *text, size_t size);

/* Returns bytes as a JSON string of hexadecimal digits. */
json_t *tool_json_hex(const void *bytes, size_t size);

json_t *tool_json_integer(json_int_t value);
json_t *tool_json_array(void);
json_t *tool_json_object(void);

/* tool_json_member sets a member, tool_json_add adds an element. Both take over value. */
void tool_json_member(json_t *object, const char *name, json_t *value);
void tool_json_add(json_t *array, json_t *value);

#endif

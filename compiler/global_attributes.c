#include "global_attributes.h"

#include "../plugins/base/digits.h"

#include <stdlib.h>
#include <string.h>

static const char group_start[] = "attributes #";
static const char group_open[] = " = { ";

/* Reads the number at the start of a text that ends at end. Returns the position after it, or NULL
 * if there is none. */
static const char *read_number(const char *text, const char *end, uint64_t *ret) {
  return text < end && digits_read(&text, end, UINT32_MAX, ret) ? text : NULL;
}

/* Reads a line like: attributes #0 = { ... } */
static specpi_compiler_result add_group(global_attributes *all, const char *line, const char *end) {
  attribute_group group;
  const char *at = read_number(line + strlen(group_start), end, &group.number);
  COMPILER_REQUIRE(at != NULL && (size_t)(end - at) > strlen(group_open) &&
                       memcmp(at, group_open, strlen(group_open)) == 0 && end[-1] == '}',
                   SPECPI_COMPILER_ERROR_INTERNAL, "LLVM wrote a group of attributes as '%.*s'",
                   (int)(end - line < 100 ? end - line : 100), line);
  group.begin = at + strlen(group_open);
  group.end = end - 1;
  if (!VECTOR_RESERVE(&all->groups))
    return compiler_error_memory();
  all->groups.items[all->groups.count++] = group;
  return SPECPI_COMPILER_SUCCESS;
}

static const char *line_end(const char *line) {
  const char *end = strchr(line, '\n');
  return end != NULL ? end : line + strlen(line);
}

static specpi_compiler_result find_groups(global_attributes *all, const char *text) {
  for (const char *line = text; *line != '\0';) {
    const char *end = line_end(line);
    if (strncmp(line, group_start, strlen(group_start)) == 0)
      COMPILER_TRY(add_group(all, line, end));
    line = *end != '\0' ? end + 1 : end;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the group of a variable's line, or NULL. Only lines with a group end like " #0". */
static const attribute_group *group_of(const global_attributes *all, const char *line,
                                       const char *end) {
  const char *at = end;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  uint64_t number;
  if (at - line < 2 || at[-1] != '#' || at[-2] != ' ' || read_number(at, end, &number) != end)
    return NULL;
  for (size_t i = 0; i < all->groups.count; i++)
    if (all->groups.items[i].number == number)
      return &all->groups.items[i];
  return NULL;
}

/* Lists the lines that start with "@": variables in the module's order, and then aliases. */
static specpi_compiler_result find_variables(global_attributes *all, const char *text) {
  for (const char *line = text; *line != '\0';) {
    const char *end = line_end(line);
    if (*line == '@') {
      if (!VECTOR_RESERVE(&all->variables))
        return compiler_error_memory();
      all->variables.items[all->variables.count++] = group_of(all, line, end);
    }
    line = *end != '\0' ? end + 1 : end;
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result global_attributes_read(const char *text, global_attributes *ret) {
  COMPILER_TRY(find_groups(ret, text));
  return find_variables(ret, text);
}

void global_attributes_free(global_attributes *all) {
  free(all->groups.items);
  free(all->variables.items);
  *all = (global_attributes){0};
}

/* Returns the end of a quoted text whose content starts at at. A quote inside is written as \22. */
static const char *quote_end(const char *at, const char *end) {
  const char *quote = memchr(at, '"', (size_t)(end - at));
  return quote != NULL ? quote : end;
}

/* Copies a text without escapes: \\ is a backslash, and \0A a byte. */
static specpi_compiler_result unescape(const char *text, const char *end, char **ret,
                                       size_t *size) {
  char *made = malloc((size_t)(end - text) + 1);
  if (made == NULL)
    return compiler_error_memory();
  size_t count = 0;
  unsigned char byte;
  for (const char *at = text; at < end; at++) {
    if (*at == '\\' && end - at >= 2 && at[1] == '\\') {
      made[count++] = '\\';
      at++;
    } else if (*at == '\\' && end - at >= 3 && digits_read_hex(at + 1, 1, &byte)) {
      made[count++] = (char)byte;
      at += 2;
    } else {
      made[count++] = *at;
    }
  }
  made[count] = '\0';
  *ret = made;
  *size = count;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result global_attributes_get(const global_attributes *all, size_t variable,
                                             const char *name, char **ret, size_t *size) {
  *ret = NULL;
  *size = 0;
  const attribute_group *group = all->variables.items[variable];
  if (group == NULL)
    return SPECPI_COMPILER_SUCCESS;
  for (const char *at = group->begin; at < group->end; at++) {
    if (*at != '"')
      continue; /* part of a word, or space between attributes */
    const char *key = at + 1;
    const char *key_end = quote_end(key, group->end);
    const bool has_value = group->end - key_end > 2 && key_end[1] == '=' && key_end[2] == '"';
    const char *value = has_value ? key_end + 3 : key_end;
    const char *value_end = has_value ? quote_end(value, group->end) : value;
    if ((size_t)(key_end - key) == strlen(name) && memcmp(key, name, strlen(name)) == 0)
      return unescape(value, value_end, ret, size);
    at = value_end;
  }
  return SPECPI_COMPILER_SUCCESS;
}

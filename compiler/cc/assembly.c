#define _GNU_SOURCE /* open_memstream */
#include "assembly.h"

#include "../identifier.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

/* A part of the text. */
typedef struct part {
  const char *start;
  const char *end;
} part;

static bool begins_with(const char *at, const char *end, const char *what) {
  const size_t size = strlen(what);
  return (size_t)(end - at) >= size && memcmp(at, what, size) == 0;
}

static bool ends_with(part text, const char *what) {
  const size_t size = strlen(what);
  return (size_t)(text.end - text.start) >= size && memcmp(text.end - size, what, size) == 0;
}

/* Writes a line without its break; returns whether it is another one now. */
typedef bool line_writer(part line, FILE *to);

/* Writes the lines of a file anew, unless it has a text; false after an error. */
static bool rewrite_lines(const char *path, const char *unless, line_writer *write) {
  file_bytes text;
  if (!file_read(path, &text))
    return false;
  char *made = NULL;
  size_t size;
  bool any = false;
  FILE *to = open_memstream(&made, &size);
  if (!to)
    cc_no_memory();
  for (const char *at = text.data, *end = at + text.size; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    any = write((part){at, newline ? newline : end}, to) || any;
    if (newline)
      fputc('\n', to);
    at = newline ? newline + 1 : end;
  }
  if (fclose(to) != 0)
    cc_no_memory();
  const bool is_left = !any || (unless && strstr(text.data, unless));
  const bool done = is_left || file_write(path, path, made, size, false);
  free(made);
  file_free(&text);
  return done;
}

/* ---- Casts ---- */

/* The address space of a pointer type, or -1 for other types. */
static int space_of(part type) {
  const bool typed = ends_with(type, "*");
  if (typed)
    type.end--;
  if (ends_with(type, ")")) {
    const char *at = type.end - 1;
    while (at > type.start && at[-1] >= '0' && at[-1] <= '9')
      at--;
    if (ends_with((part){type.start, at}, "addrspace("))
      return (int)strtol(at, NULL, 10);
  }
  return typed || ends_with(type, "ptr") ? 0 : -1;
}

/*
 * Where something ends that begins here: before a delimiter outside of all parentheses and names in
 * quotes, or at the end.
 */
static const char *find_place(const char *at, const char *end,
                              bool (*is_end)(const char *, const char *)) {
  int depth = 0;
  for (; at < end; at++) {
    if (depth == 0 && is_end(at, end))
      return at;
    if (*at == '"')
      at = memchr(at + 1, '"', (size_t)(end - at - 1));
    if (!at)
      return end;
    if (strchr("([{<", *at))
      depth++;
    else if (strchr(")]}>", *at) && depth-- == 0)
      return at;
  }
  return end;
}

static bool is_to(const char *at, const char *end) {
  return begins_with(at, end, " to ");
}

static bool is_comma(const char *at, const char *end) {
  (void)end;
  return *at == ',';
}

/* A space within a type stands before an address space, or a function's arguments. */
static bool is_after_type(const char *at, const char *end) {
  return *at == ' ' && !begins_with(at, end, " addrspace(") && at + 1 < end && at[1] != '(' &&
         (at[-1] == '*' || at[-1] == ')' || begins_with(at - 3, end, "ptr"));
}

/*
 * Returns whether the words after "bitcast " go from one address space to another: "TYPE VALUE to
 * TYPE".
 */
static bool is_wrong(const char *at, const char *end) {
  const char *value = find_place(at, end, is_after_type);
  const char *to = find_place(value, end, is_to);
  if (to == end || !is_to(to, end))
    return false;
  const char *last = find_place(to + strlen(" to "), end, is_comma);
  const int from = space_of((part){at, value});
  const int into = space_of((part){to, last});
  return from >= 0 && into >= 0 && from != into;
}

/* Writes a line, with the right words for its casts; returns whether it had others. */
static bool mend_casts(part line, FILE *to) {
  static const char old[] = "bitcast ";
  static const char new[] = "addrspacecast ";
  const char *from = line.start;
  for (const char *at = from; at < line.end; at++) {
    if (*at != 'b' || !begins_with(at, line.end, old))
      continue;
    const char *words = at + sizeof old - 1;
    if (words < line.end && *words == '(')
      words++;
    if (!is_wrong(words, line.end))
      continue;
    fwrite(from, 1, (size_t)(at - from), to);
    fwrite(new, 1, sizeof new - 1, to);
    from = at + sizeof old - 1;
  }
  fwrite(from, 1, (size_t)(line.end - from), to);
  return from != line.start;
}

bool assembly_mend_casts(const char *path) {
  return rewrite_lines(path, NULL, mend_casts);
}

/* ---- Fields of structures ---- */

/*
 * X(name, as): an integer in which clang keeps bit-fields and which SPIR-V does not have, and one
 * that takes the same bytes of a structure. Clang accesses such a field as the latter: a pointer to
 * the former is only there to be cast.
 */
#define FIELDS(X)                                                                                  \
  X("i24", "i32")                                                                                  \
  X("i40", "i64")                                                                                  \
  X("i48", "i64")                                                                                  \
  X("i56", "i64")

static const struct {
  const char *name;
  const char *as;
} fields[] = {
#define FIELD(name, as) {name, as},
    FIELDS(FIELD)
#undef FIELD
};

enum { FIELD_SIZE = 3 };

static bool is_letter(const char *at, const char *end) {
  return at < end && *at != '\0' && strchr(IDENTIFIER_LETTERS ".$-%@", *at) != NULL;
}

/* Returns the next field's type in a line after at, outside of quotes; NULL: there is none. */
static const char *find_field(part line, const char *at, const char **as) {
  for (; at < line.end; at++) {
    if (*at == '"')
      at = memchr(at + 1, '"', (size_t)(line.end - at - 1));
    if (!at)
      return NULL;
    if (*at != 'i' || (at > line.start && is_letter(at - 1, line.end)))
      continue;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
      if (begins_with(at, line.end, fields[i].name) && !is_letter(at + FIELD_SIZE, line.end)) {
        *as = fields[i].as;
        return at;
      }
  }
  return NULL;
}

static bool is_definition(part line) {
  return *line.start == '%' && memmem(line.start, (size_t)(line.end - line.start), " = type ", 8);
}

/* Returns whether the type at a place is that of a pointer which is cast. */
static bool is_cast(part line, const char *at) {
  const part before = {line.start, at > line.start && at[-1] == '(' ? at - 1 : at};
  return (at[FIELD_SIZE] == '*' || begins_with(at + FIELD_SIZE, line.end, " addrspace(")) &&
         ends_with(before, "cast ");
}

/* Writes a line with the integers that fields get; returns whether there is any. */
static bool widen_fields(part line, FILE *to) {
  const char *from = line.start;
  const char *as;
  const bool defines = is_definition(line);
  for (const char *at = from; (at = find_field(line, at, &as)); at += FIELD_SIZE) {
    if (!defines && !is_cast(line, at))
      continue;
    fwrite(from, 1, (size_t)(at - from), to);
    fputs(as, to);
    from = at + FIELD_SIZE;
  }
  fwrite(from, 1, (size_t)(line.end - from), to);
  return from != line.start;
}

bool assembly_widen_fields(const char *path) {
  /* Integers that the source itself has in such widths are accessed as they are. */
  return rewrite_lines(path, "\"_BitInt", widen_fields);
}

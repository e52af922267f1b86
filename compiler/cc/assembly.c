#define _GNU_SOURCE /* open_memstream */
#include "assembly.h"

#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool assembly_add_integers(const char *file, const char *path) {
  static const char layout[] = "\ntarget datalayout = \"";
  file_bytes text;
  if (!file_read(path, &text))
    return false;
  const char *at = strstr(text.data, layout);
  const char *end = at ? strchr(at + sizeof layout - 1, '"') : NULL;
  bool done = true;
  if (!end)
    done = CC_FAIL("%s: clang wrote assembly without a data layout", file);
  else if (strncmp(end - 12, "-n8:16:32:64", 12) != 0) {
    const size_t before = (size_t)(end - text.data);
    char *made = cc_format("%.*s-n8:16:32:64%s", (int)before, text.data, end);
    done = file_write(path, path, made, strlen(made), false);
    free(made);
  }
  file_free(&text);
  return done;
}

/* ---- Casts ---- */

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

/* Writes a line, with the right words for its casts. */
static void mend(part line, FILE *to) {
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
}

bool assembly_mend_casts(const char *path) {
  file_bytes text;
  if (!file_read(path, &text))
    return false;
  char *made = NULL;
  size_t size;
  FILE *to = open_memstream(&made, &size);
  if (!to)
    cc_no_memory();
  for (const char *at = text.data, *end = at + text.size; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const part line = {at, newline ? newline : end};
    mend(line, to);
    if (newline)
      fputc('\n', to);
    at = newline ? newline + 1 : end;
  }
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(path, path, made, size, false);
  free(made);
  file_free(&text);
  return done;
}

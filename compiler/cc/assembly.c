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

/* The last place of a word in a part of a line; NULL when there is none. */
static const char *last_of(part line, const char *word) {
  const size_t size = strlen(word);
  for (const char *at = line.end; at - line.start >= (long)size; at--)
    if (memcmp(at - size, word, size) == 0)
      return at - size;
  return NULL;
}

/*
 * Whether the line "... = bitcast TYPE VALUE to TYPE" goes from one address space to another; what
 * follows a comma is about the instruction. *word receives the place of the word.
 */
static bool is_wrong(part line, const char **word) {
  static const char cast[] = " = bitcast ";
  const char *at = line.start;
  while (at < line.end && (size_t)(line.end - at) > sizeof cast &&
         memcmp(at, cast, sizeof cast - 1) != 0)
    at++;
  const char *note = last_of(line, ", !");
  while (note) { /* there may be several */
    line.end = note;
    note = last_of(line, ", !");
  }
  const char *to = last_of(line, " to ");
  if (!to || to <= at + sizeof cast)
    return false;
  const char *value = last_of((part){at, to}, " ");
  if (!value || (value[1] != '%' && value[1] != '@'))
    return false;
  *word = at + strlen(" = ");
  const int from = space_of((part){*word, value});
  const int into = space_of((part){to, line.end});
  return from >= 0 && into >= 0 && from != into;
}

bool assembly_mend_casts(const char *path) {
  static const char old[] = "bitcast";
  static const char new[] = "addrspacecast";
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
    const char *word;
    at = newline ? newline + 1 : end;
    if (is_wrong(line, &word)) {
      fwrite(line.start, 1, (size_t)(word - line.start), to);
      fwrite(new, 1, sizeof new - 1, to);
      word += sizeof old - 1;
      fwrite(word, 1, (size_t)(at - word), to);
    } else {
      fwrite(line.start, 1, (size_t)(at - line.start), to);
    }
  }
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(path, path, made, size, false);
  free(made);
  file_free(&text);
  return done;
}

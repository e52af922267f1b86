#define _GNU_SOURCE /* open_memstream */
#include "depend.h"

#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cc_depend_ask(cc_texts *command, const cc_words *words, const char *read) {
  const char *const options[] = {words->depend, "-MF", read, "-MT", CC_DEPEND_TARGET};
  if (read)
    CC_TEXTS_ADD_ARRAY(command, options);
}

/* Takes over a path. */
static void add_path(cc_depend *depend, char *path) {
  for (size_t i = 0; i < depend->paths.count; i++)
    if (strcmp(depend->paths.items[i], path) == 0) {
      free(path);
      return;
    }
  cc_texts_add(&depend->paths, path);
}

void cc_depend_add_path(cc_depend *depend, const char *path) {
  add_path(depend, cc_words_quote(path));
}

/* The size of what separates two paths here: blanks, and line breaks after a backslash. */
static size_t gap(const char *at) {
  size_t size = 0;
  for (;;) {
    if (at[size] == ' ' || at[size] == '\t')
      size++;
    else if (at[size] == '\\' && at[size + 1] == '\n')
      size += 2;
    else
      return size;
  }
}

/* The size of the path that begins here; a backslash makes what follows it a part of it. */
static size_t path_size(const char *at) {
  size_t size = 0;
  while (at[size] != '\0' && at[size] != '\n' && gap(at + size) == 0)
    size += at[size] == '\\' && at[size + 1] != '\0' ? 2 : 1;
  return size;
}

bool cc_depend_add(cc_depend *depend, const char *from, const char *scratch) {
  static const char target[] = CC_DEPEND_TARGET ":";
  file_bytes text;
  if (!file_read(from, &text))
    return false;
  char *directory = cc_words_quote(scratch);
  const char *at = strncmp(text.data, target, sizeof target - 1) == 0
                       ? text.data + sizeof target - 1
                       : text.data + text.size;
  for (at += gap(at); *at != '\0' && *at != '\n'; at += gap(at)) {
    const size_t size = path_size(at);
    char *path = cc_format("%.*s", (int)size, at);
    if (strncmp(path, directory, strlen(directory)) == 0)
      free(path);
    else
      add_path(depend, path);
    at += size;
  }
  free(directory);
  file_free(&text);
  return true;
}

/* Returns the rule as text, which the caller frees. */
static char *make_rule(const cc_depend *depend, const cc_words *words, const char *out) {
  char *made = NULL;
  size_t size;
  FILE *to = open_memstream(&made, &size);
  if (!to)
    cc_no_memory();
  for (size_t i = 0; i < words->depend_targets.count; i++)
    fprintf(to, "%s%s", i ? " " : "", words->depend_targets.items[i]);
  if (words->depend_targets.count == 0) {
    char *target = cc_words_quote(out);
    fputs(target, to);
    free(target);
  }
  fputc(':', to);
  for (size_t i = 0; i < depend->paths.count; i++)
    fprintf(to, " \\\n %s", depend->paths.items[i]);
  fputc('\n', to);
  /* The first one is the source, which has to be there. */
  for (size_t i = 1; i < depend->paths.count && words->depend_phony; i++)
    fprintf(to, "%s:\n", depend->paths.items[i]);
  if (fclose(to) != 0)
    cc_no_memory();
  return made;
}

bool cc_depend_write(const cc_depend *depend, const cc_options *options, const char *temporary) {
  char *text = make_rule(depend, &options->words, options->out);
  const bool done = file_write(options->depend_out, temporary, text, strlen(text), false);
  free(text);
  return done;
}

void cc_depend_free(cc_depend *depend) {
  for (size_t i = 0; i < depend->paths.count; i++)
    free((char *)depend->paths.items[i]);
  cc_texts_free(&depend->paths);
}

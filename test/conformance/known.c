/*
 * Known failures. A file of lines:
 *
 *   # a comment; empty lines are skipped too
 *   when VERSION-GLOB PLATFORM    the lines that follow count for plugins whose version matches
 *                                 and whose first platform's name contains PLATFORM (to the end
 *                                 of the line)
 *   TEST-GLOB REASON              these tests are expected to fail, for this reason; with a reason
 *                                 that begins with "sometimes" they may also pass
 *
 * Lines before the first "when" count for every plugin.
 */
#define _GNU_SOURCE /* getline, strdup */
#include "harness.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct known_failure {
  char *glob;
  char *reason;
  struct known_failure *next;
} known_failure;

struct known_failures {
  known_failure *first;
};

/* Ends the first word of line with NUL; returns the rest without the blanks around it. */
static char *split(char *line) {
  char *rest = line;
  while (*rest && !isspace((unsigned char)*rest))
    rest++;
  if (*rest)
    *rest++ = '\0';
  while (isspace((unsigned char)*rest))
    rest++;
  size_t length = strlen(rest);
  while (length > 0 && isspace((unsigned char)rest[length - 1]))
    rest[--length] = '\0';
  return rest;
}

static bool add(known_failures *known, const char *glob, const char *reason) {
  known_failure *failure = calloc(1, sizeof *failure);
  if (!failure)
    return false;
  failure->glob = strdup(glob);
  failure->reason = strdup(reason);
  failure->next = known->first;
  known->first = failure;
  return failure->glob && failure->reason;
}

known_failures *known_read(const char *file, const char *plugin_version,
                           const char *platform_name) {
  FILE *stream = fopen(file, "r");
  if (!stream) {
    fprintf(stderr, "pi-conformance: %s: %s\n", file, strerror(errno));
    return NULL;
  }
  known_failures *known = calloc(1, sizeof *known);
  bool fine = known != NULL;
  bool applies = true;
  char *line = NULL;
  size_t room = 0;
  for (int number = 1; fine && getline(&line, &room, stream) >= 0; number++) {
    char *word = line;
    while (isspace((unsigned char)*word))
      word++;
    if (!*word || *word == '#')
      continue;
    char *rest = split(word);
    if (strcmp(word, "when") == 0) {
      char *platform = split(rest);
      applies = fnmatch(rest, plugin_version, 0) == 0 && strstr(platform_name, platform) != NULL;
    } else if (!*rest) {
      fprintf(stderr, "pi-conformance: %s:%d: \"%s\" has no reason\n", file, number, word);
      fine = false;
    } else if (applies) {
      fine = add(known, word, rest);
    }
  }
  free(line);
  fclose(stream);
  if (fine)
    return known;
  known_free(known);
  return NULL;
}

const char *known_reason(const known_failures *known, const char *test) {
  if (known)
    for (const known_failure *f = known->first; f; f = f->next)
      if (fnmatch(f->glob, test, 0) == 0)
        return f->reason;
  return NULL;
}

void known_free(known_failures *known) {
  if (!known)
    return;
  while (known->first) {
    known_failure *failure = known->first;
    known->first = failure->next;
    free(failure->glob);
    free(failure->reason);
    free(failure);
  }
  free(known);
}

#define _GNU_SOURCE /* strnlen */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

/* Longer words are ignored, to limit the work. */
enum { LONGEST = 32 };

/* Returns the number of edits from a to b (Levenshtein). Keeps only one row of the table. */
static size_t word_distance(const char *a, const char *b) {
  size_t row[LONGEST + 1];
  const size_t length = strlen(b);
  for (size_t j = 0; j <= length; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      const size_t above = row[j];
      size_t least = diagonal + (a[i - 1] != b[j - 1]);
      least = above + 1 < least ? above + 1 : least;
      row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
      diagonal = above;
    }
  }
  return row[length];
}

void nearest_word_offer(nearest_word *search, const char *candidate) {
  const size_t length = strnlen(search->given, LONGEST + 1);
  if (length > LONGEST || strnlen(candidate, LONGEST + 1) > LONGEST)
    return;
  const size_t distance = word_distance(search->given, candidate);
  const size_t limit = search->best ? search->distance : length / 2 + 1;
  if (distance < limit) {
    search->best = candidate;
    search->distance = distance;
  }
}

void nearest_option(const char *program, const char *argument, const struct option *options) {
  char name[LONGEST + 1];
  nearest_word search = {.given = name};
  const size_t length = strcspn(argument, "=");
  if (strncmp(argument, "--", 2) == 0 && length < sizeof name + 2) {
    memcpy(name, argument + 2, length - 2);
    name[length - 2] = '\0';
    for (const struct option *one = options; one->name; one++)
      nearest_word_offer(&search, one->name);
  }
  if (search.best && search.distance > 0)
    fprintf(stderr, "%s: did you mean --%s? %s --help lists the options\n", program, search.best,
            program);
  else
    fprintf(stderr, "%s: %s --help lists the options\n", program, program);
}

/* Guesses the intended word for a mistyped one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <getopt.h>
#include <stddef.h>

/* Search for the word most similar to the given one. Initialise it with {.given = text}. */
typedef struct nearest_word {
  const char *given;
  const char *best; /* NULL: no candidate is similar */
  size_t distance;  /* number of letters to change, insert or remove from given to best */
} nearest_word;

/* Compares a candidate with the best one so far. Of equally similar ones the first is kept. */
void nearest_word_offer(nearest_word *search, const char *candidate);

/*
 * Writes a hint to stderr after getopt_long's message about an unknown argument: the most similar
 * option, and the command that lists all options. program is the command line's start, such as
 * "specpi ls".
 */
void nearest_option(const char *program, const char *argument, const struct option *options);

#endif

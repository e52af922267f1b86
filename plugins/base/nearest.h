/* Guesses which word somebody who mistyped it meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <getopt.h>
#include <stddef.h>

/* The search for the word that differs least from the given one. Starts as {.given = text}. */
typedef struct nearest_word {
  const char *given;
  const char *best; /* NULL: none is near */
  size_t distance;  /* letters to change, insert or remove from given to best */
} nearest_word;

/* Takes a candidate; among equally near ones the first stays. */
void nearest_word_offer(nearest_word *search, const char *candidate);

/*
 * Adds to getopt_long's message about argument, on stderr: which of the options it may have meant,
 * and where they are listed. The program is named as in a shell, "specpi ls".
 */
void nearest_option(const char *program, const char *argument, const struct option *options);

#endif

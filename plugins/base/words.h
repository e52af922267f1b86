/* Lists of words with commas between them, as SPECPI_TRACE is one. */
#ifndef PI_BASE_WORDS_H
#define PI_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a list; there is no NUL behind it. */
typedef struct pi_word {
  const char *text;
  size_t length;
} pi_word;

/*
 * Takes the next word from *list, which moves on to what follows it. Empty words are passed over.
 * False, with *ret untouched, at the end of the list, and when it is NULL.
 */
bool pi_word_next(const char **list, pi_word *ret);

/* Whether the word is this text. */
bool pi_word_is(pi_word word, const char *text);

#endif

/* Reads comma-separated lists of words, such as SPECPI_TRACE. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a list, not terminated by a NUL. */
typedef struct text_word {
  const char *text;
  size_t length;
} text_word;

/*
 * Reads the next word of *list, and advances *list to the rest. Skips empty words. Returns false at
 * the end of the list, or if *list is NULL.
 */
bool text_word_next(const char **list, text_word *ret);

/* Returns whether the word is this text. */
bool text_word_is(text_word word, const char *text);

#endif

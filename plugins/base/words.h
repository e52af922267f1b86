/* Lists of words with commas between them, such as SPECPI_TRACE. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a list; no NUL follows it. */
typedef struct text_word {
  const char *text;
  size_t length;
} text_word;

/*
 * Takes the next word from *list, which moves on to the rest. Skips empty words. False, with *ret
 * untouched, at the end of the list, and when it is NULL.
 */
bool text_word_next(const char **list, text_word *ret);

/* Returns whether the word is this text. */
bool text_word_is(text_word word, const char *text);

#endif

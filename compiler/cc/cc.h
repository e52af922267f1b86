/* The parts that specpi-cc's files share: exit statuses, messages, texts and lists. */
#ifndef SPECPI_CC_H
#define SPECPI_CC_H

#include <stdbool.h>
#include <stddef.h>

enum { CC_SUCCESS = 0, CC_FAILURE = 1, CC_USAGE = 2 };

/* Prints "specpi-cc: " and a message to stderr. */
void cc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the value false, so that a failing step is one statement. */
#define CC_FAIL(...) (cc_error(__VA_ARGS__), false)

/* Ends the process because memory is exhausted. */
void cc_no_memory(void) __attribute__((noreturn));

/* printf into new memory, which the caller frees. */
char *cc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A path as a word of a command, in new memory, which the caller frees: one that begins with a dash
 * would be an option, and one that begins with an at sign a file of options.
 */
char *cc_path_word(const char *path);

/* Returns whether a text begins with one of an array of texts. */
#define CC_BEGINS_WITH(text, prefixes)                                                             \
  cc_begins_with(text, prefixes, sizeof(prefixes) / sizeof(prefixes)[0])
bool cc_begins_with(const char *text, const char *const *prefixes, size_t count);

/* count elements of zeros, never NULL. */
void *cc_new(size_t count, size_t size);

/* A list of texts with a NULL at its end, as argv is. The texts are not the list's. */
typedef struct cc_texts {
  const char **items;
  size_t count;
  size_t capacity;
} cc_texts;

void cc_texts_add(cc_texts *list, const char *text);
/* The texts of another list. */
void cc_texts_add_all(cc_texts *list, const cc_texts *texts);
/* The texts of an array. */
#define CC_TEXTS_ADD_ARRAY(list, texts)                                                            \
  cc_texts_add_array(list, texts, sizeof(texts) / sizeof(texts)[0])
void cc_texts_add_array(cc_texts *list, const char *const *texts, size_t count);
void cc_texts_free(cc_texts *list);

#endif

/* Memory and texts that live until the end of a case. Ends the program if memory runs out. */
#ifndef PROPERTY_MEMORY_H
#define PROPERTY_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Returns zeroed bytes, which live until memory_free_all. */
void *memory_new(size_t size);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void memory_free_all(void);

/* A growing text: write to file; text_close returns the text. */
typedef struct text {
  FILE *file;
  char *data;
  size_t size;
} text;

void text_open(text *text);
/* Closes the file and returns the text, which lives until memory_free_all. */
char *text_close(text *text);

/* Prints "property: <message>" to stderr and ends the program with 2. */
void property_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

#endif

/* Memory that lives as long as a case, and texts in it. The program ends where there is none. */
#ifndef PROPERTY_MEMORY_H
#define PROPERTY_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Zeroed bytes, until memory_free_all. */
void *memory_new(size_t size);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void memory_free_all(void);

/* A text that grows: what is printed to the file is in the memory when the text is closed. */
typedef struct text {
  FILE *file;
  char *data;
  size_t size;
} text;

void text_open(text *text);
/* The text, until memory_free_all. */
char *text_close(text *text);

/* Prints "property: <message>" to stderr and ends the program with 2. */
void property_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));

#endif

/*
 * Opening a driver's library at run time, and the reason when there is none to use. What a plugin
 * loads is loaded once, by one thread; load_report may be called by any thread afterwards.
 */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and where its pointer is in the driver's table. */
typedef struct load_symbol {
  const char *symbol;
  bool is_required;
  size_t offset;
} load_symbol;

/* Opens a library by the name of its file; NULL with the reason. */
void *load_library(const char *file);

/*
 * Fills a table, which is all NULL before, with those functions that the library has. false, with
 * the reason, when it lacks one that is required.
 */
bool load_functions(void *library, const char *file, const load_symbol *symbols, size_t count,
                    void *table);

/* Puts an address, or NULL, into a table. */
void load_store(void *table, size_t offset, void *address);

/* The reason for false: why the driver cannot be used, with PI_SUCCESS or the code of a note. */
bool load_refuse(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
bool load_refuse_symbol(const char *file, const char *symbol) __attribute__((cold));

/* The reason, "" when there is none; and telling it as plugin_note does, but with its code. */
const char *load_reason(void);
void load_report(void);

#endif

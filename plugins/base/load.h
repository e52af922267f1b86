/*
 * Opening a driver's library at run time, and the reason when none can be used. A plugin loads its
 * library once, in one thread; any thread may call load_report afterwards.
 */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and the place of its pointer in the driver's table. */
typedef struct load_symbol {
  const char *symbol;
  bool is_required;
  size_t offset;
} load_symbol;

/* Opens a library by the name of its file; NULL with the reason. */
void *load_library(const char *file);

/*
 * Fills a table, which is all NULL before, with the functions that the library has. false, with the
 * reason, when it lacks a required one.
 */
bool load_functions(void *library, const char *file, const load_symbol *symbols, size_t count,
                    void *table);

/* Puts an address, or NULL, into a table. */
void load_store(void *table, size_t offset, void *address);

/* Record the reason why the driver cannot be used, with PI_SUCCESS or the code of a note; false. */
bool load_refuse(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
bool load_refuse_symbol(const char *file, const char *symbol) __attribute__((cold));

/* The reason, or ""; and reporting it as plugin_note does, but with its code. */
const char *load_reason(void);
void load_report(void);

#endif

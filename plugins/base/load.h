/*
 * Loads a driver's library at run time, and records the reason if the driver cannot be used. A
 * plugin loads its library once, in one thread. After that any thread may call load_report.
 */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/* A function of a library, and the offset of its pointer in the driver's table. */
typedef struct load_symbol {
  const char *symbol;
  bool is_required;
  size_t offset;
} load_symbol;

/* Loads a library by its file name. Returns NULL and records the reason on failure. */
void *load_library(const char *file);

/*
 * Stores the library's functions in a table; NULL for functions that it lacks. Returns false and
 * records the reason if a required function is missing.
 */
bool load_functions(void *library, const char *file, const load_symbol *symbols, size_t count,
                    void *table);

/* Stores an address, or NULL, in a table. */
void load_store(void *table, size_t offset, void *address);

/* Record why the driver cannot be used. code is PI_SUCCESS or PI_NOTE_DRIVER_... Return false. */
bool load_refuse(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
bool load_refuse_symbol(const char *file, const char *symbol) __attribute__((cold));

/* Returns the recorded reason, or "". */
const char *load_reason(void);
/* Reports the reason like plugin_note, but with the recorded code. */
void load_report(void);

#endif

/* A C++ file as libclang has read it. */
#ifndef COMPILER_HOST_UNIT_H
#define COMPILER_HOST_UNIT_H

#include "error.h"
#include "libclang.h"
#include "pool.h"

typedef struct unit {
  const host_options *options;
  pool strings; /* what the variables of the unit are made of */
  char *text;   /* the file, with a NUL after size bytes */
  size_t size;
  const char *prefix;     /* of the ids of internal variables */
  const char *identifier; /* the end of names that no other unit has; letters and digits */
  CXIndex index;
  CXTranslationUnit parsed;
} unit;

/*
 * Reads the file and has it parsed. unit_close frees what the unit has, after a failure too, if the
 * unit was zero before. INVALID_ARGUMENT, FILE, INVALID_SOURCE, OUT_OF_MEMORY, INTERNAL.
 */
host_result unit_open(const host_options *options, unit *ret);
void unit_close(unit *unit);

/*
 * Parses the text in place of the file's, for what is declared in namespaces: bodies of functions
 * are skipped, and what they instantiate. *ret is disposed of by the caller. Errors in the text are
 * no failure. OUT_OF_MEMORY, INTERNAL.
 */
host_result unit_parse_declarations(const unit *unit, const char *text, size_t size,
                                    CXTranslationUnit *ret);

/* A cursor's place, as #line directives have it, for messages: "file:line". */
const char *unit_place(unit *unit, CXCursor cursor);

#endif

/*
 * The headers of a SYCL runtime, precompiled for the host's compiler and kept in the user's cache
 * (plugins/base/directory.h): parsing them is most of what a unit costs.
 * Without a cache, without space in it, or where something stands in the way, a unit is compiled as
 * it is.
 */
#ifndef SPECPI_CC_PRECOMPILED_H
#define SPECPI_CC_PRECOMPILED_H

#include "depend.h"
#include "host_compiler.h"

typedef struct cc_precompiled {
  const cc_host_compiler *compiler;
  char *directory;      /* of the cache; NULL: there is none, or the options stand in the way */
  char *header;         /* a path in it, which only the same compiler with the same options has */
  char *level;          /* of optimization */
  cc_texts words;       /* the compiler with these options */
  cc_texts directories; /* of headers of the user's that come before the system's */
} cc_precompiled;

/*
 * The number of precompiled headers in the cache, for different compilers and options: those used
 * last.
 */
enum { CC_PRECOMPILED_KEPT = 4 };

/* cc_precompiled_close is needed. Nothing here fails. */
void cc_precompiled_open(const cc_work *work, const cc_host_compiler *compiler,
                         cc_precompiled *ret);
void cc_precompiled_close(cc_precompiled *precompiled);

/*
 * Returns whether a source includes the runtime's header before anything that its meaning could
 * depend on: comments, blank lines and headers of the standard library alone may stand before it.
 */
bool cc_precompiled_fits(const char *file);

/* Returns whether they are there, and no header that they were made of has changed since. */
bool cc_precompiled_is_there(const cc_precompiled *precompiled);

/* Makes them, for a cc_job; data is a cc_precompiled. Always true. */
bool cc_precompiled_make(cc_work *work, const void *data);

/*
 * The header that a source of the unit in this directory begins with, which the caller frees; NULL
 * where they are not there, or the source does not fit.
 */
char *cc_precompiled_use(const cc_precompiled *precompiled, const char *file,
                         const char *directory);

/* Adds what they were made of, if the unit in this directory has used them: compilers do not say
 * it.
 */
void cc_precompiled_add_depend(const cc_precompiled *precompiled, const char *directory,
                               cc_depend *depend);

#endif

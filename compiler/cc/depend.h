/* Files of dependences, as Make and ninja read them. */
#ifndef SPECPI_CC_DEPEND_H
#define SPECPI_CC_DEPEND_H

#include "words.h"

/* The target that compilers are told, in a file that cc_depend_add reads. */
#define CC_DEPEND_TARGET "specpi"

/* What a unit depends on: each path once, as Make reads it. */
typedef struct cc_depend {
  cc_texts paths;
} cc_depend;

/*
 * Adds a file by its path. Then, with from, what a compiler wrote, but for what lies in the folder
 * scratch: false after an error. cc_depend_free is needed in any case.
 */
void cc_depend_add_path(cc_depend *it, const char *path);
bool cc_depend_add(cc_depend *it, const char *from, const char *scratch);

/* The rule for out, or for the targets that the words name; the caller frees it. */
char *cc_depend_text(const cc_depend *it, const cc_words *words, const char *out);

void cc_depend_free(cc_depend *it);

#endif

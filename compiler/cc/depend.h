/* Files of dependences, as Make and ninja read them. */
#ifndef SPECPI_CC_DEPEND_H
#define SPECPI_CC_DEPEND_H

#include "options.h"

/* The target that is passed to compilers, in a file that cc_depend_add reads. */
#define CC_DEPEND_TARGET "specpi"

/*
 * Adds the options that make a compiler write what it reads to a file, for cc_depend_add; nothing
 * if read is NULL. Both live as long as the command.
 */
void cc_depend_ask(cc_texts *command, const cc_words *words, const char *read);

/* The files that a unit depends on: each path once, as Make reads it. */
typedef struct cc_depend {
  cc_texts paths;
} cc_depend;

/*
 * Adds a file by its path. Then, with from, what a compiler wrote, but for what lies in the
 * directory scratch: false after an error. cc_depend_free is needed in any case.
 */
void cc_depend_add_path(cc_depend *depend, const char *path);
bool cc_depend_add(cc_depend *depend, const char *from, const char *scratch);

/*
 * Writes the rule for the output, or for the targets that the options name, to the options' file of
 * dependences; temporary is file_write's. false after an error.
 */
bool cc_depend_write(const cc_depend *depend, const cc_options *options, const char *temporary);

void cc_depend_free(cc_depend *depend);

#endif

/* Programs that specpi-cc runs: clang, llvm-spirv, the host's C compiler. */
#ifndef SPECPI_CC_CHILD_H
#define SPECPI_CC_CHILD_H

#include "cc.h"

/* Prints a command to stderr, as one line that a shell would take. */
void child_print(const cc_texts *command);

/*
 * Runs a program and waits for it; no shell is involved. Without a slash it is looked up in PATH.
 * It reads nothing, and what it prints goes to stderr. true when it exits with 0
 * and made, the file that it is to write, is there; otherwise an
 * error that begins with file, the input that it was for, and says how it ended, or how to
 * name another program: option is the option for that. verbose: prints the command first.
 */
bool child_run(const cc_texts *command, const char *option, const char *file, const char *made,
               bool verbose);

/*
 * The same for a program whose word is wanted and not its output: what it prints goes to the file
 * that words names, and to stderr only when it fails.
 */
bool child_ask(const cc_texts *command, const char *option, const char *file, const char *words,
               bool verbose);

/* Prints such a file to stderr, as far as it can be read. */
void child_repeat(const char *words);

/* Runs a program of which only its success counts; words is as above, and nothing is printed. */
bool child_try(const cc_texts *command, const char *words);

#endif

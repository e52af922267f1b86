/*
 * The pass over a module of the host side, which registers its variables (docs/internals/host.md,
 * "The pass"): as a single step, and as the step of a unit for --host-side=pass.
 */
#ifndef SPECPI_CC_HOST_PASS_H
#define SPECPI_CC_HOST_PASS_H

#include "host_compiler.h"

/* Runs the pass over options->host_file; temporary is file_write's. false after an error. */
bool cc_host_pass_write(const cc_options *options, const char *temporary);

/*
 * Returns whether the pass can read the modules that a compiler writes, and the SYCL headers are
 * those whose classes it knows. false after an error, which begins with the file.
 */
bool cc_host_pass_fits(const cc_host_compiler *compiler, const char *file);

/*
 * Adds the words with which clang makes a module for the pass: before optimisations, and with the
 * debug information that the pass reads classes from.
 */
void cc_host_pass_add_words(const cc_host_compiler *compiler, const cc_options *options,
                            cc_texts *command);

/*
 * Runs the pass over a unit's bitcode and replaces it. The result has as much debug information as
 * the user's options ask for. false after an error.
 */
bool cc_host_pass_register(const cc_work *work, const cc_host_compiler *compiler,
                           const cc_host_unit *unit, const char *id);

#endif

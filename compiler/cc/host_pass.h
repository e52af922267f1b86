/* The pass over a module of the host side, which registers its variables (docs/internals/host.md,
 * "The pass"). */
#ifndef SPECPI_CC_HOST_PASS_H
#define SPECPI_CC_HOST_PASS_H

#include "options.h"

/* Runs the pass over options->host_file; temporary is file_write's. false after an error. */
bool cc_host_pass_write(const cc_options *options, const char *temporary);

#endif

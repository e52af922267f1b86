/* The texts of a C++ file's host side, which compiler/host makes. */
#ifndef SPECPI_CC_HOST_TEXT_H
#define SPECPI_CC_HOST_TEXT_H

#include "../host/host.h"
#include "options.h"

/*
 * Makes and writes the text that options->host names; temporary is file_write's. false after an
 * error, and then the output is as it was. Of two outputs the first is new if the disk is full
 * when the second is written.
 */
bool cc_host_text_write(const cc_options *options, const char *temporary);

/* Prints a text's warnings. */
void cc_host_text_warn(const host_text *text);

#endif

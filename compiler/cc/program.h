/* --emit=unit and program: C++ sources with all that belongs to them. */
#ifndef SPECPI_CC_PROGRAM_H
#define SPECPI_CC_PROGRAM_H

#include "image.h"

/*
 * Makes and writes the object or the program, and the file of dependences before it; temporary and
 * depend_temporary are file_write's. false after an error.
 */
bool cc_program_write(cc_work *work, const char *temporary, const char *depend_temporary);

#endif

/* PTX of a case. In mode patch the host's values are written over the defaults. */
#ifndef PROPERTY_PTX_H
#define PROPERTY_PTX_H

#include "check.h"

/*
 * Generates PTX, in mode patch writes the host's values to the places in the trailer, and assembles
 * the text if there is ptxas.
 */
bool ptx_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
               const tools *with, check_counts *counts);

#endif

/* The text for NVIDIA's GPUs, in which mode patch has values written over the defaults. */
#ifndef PROPERTY_PTX_H
#define PROPERTY_PTX_H

#include "check.h"

/*
 * Generates PTX of an output, writes what the host sets at the places that its trailer names, which
 * only mode patch has, and lets ptxas assemble it where there is one.
 */
bool ptx_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
               const tools *with, check_counts *counts);

#endif

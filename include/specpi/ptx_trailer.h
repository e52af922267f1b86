/*
 * The words of the trailer at the end of a PTX image: lines that an assembler treats as comments
 * and that list the places of constants' values. docs/internals/ptx.md has the grammar. The
 * compiler writes the lines, and the plugin for CUDA reads them.
 */
#ifndef SPECPI_PTX_TRAILER_H
#define SPECPI_PTX_TRAILER_H

/* The start of every line. */
#define SPECPI_PTX_TRAILER "//!specpi "

/* The start of the first line, with the version of the trailer; then of each kind of line. */
#define SPECPI_PTX_HEAD SPECPI_PTX_TRAILER "1 "
#define SPECPI_PTX_CONSTANT SPECPI_PTX_TRAILER "constant"
#define SPECPI_PTX_LEAF SPECPI_PTX_TRAILER "leaf"
#define SPECPI_PTX_BYTES SPECPI_PTX_TRAILER "bytes "
#define SPECPI_PTX_PLACE SPECPI_PTX_TRAILER "place"
#define SPECPI_PTX_KERNEL SPECPI_PTX_TRAILER "kernel"
#define SPECPI_PTX_OFFSETS SPECPI_PTX_TRAILER "offsets"
#define SPECPI_PTX_END SPECPI_PTX_TRAILER "end "

/* The kind of a constant. */
#define SPECPI_PTX_SCALAR " scalar"
#define SPECPI_PTX_COMPOSITE " composite"
/* In place of the number of the buffer's argument if a kernel has no buffer. */
#define SPECPI_PTX_NO_ARGUMENT " -"

/* Numbers of bytes: of the last line; of its hash's digits and line feed, which are not hashed; and
 * of the defaults in one line. */
enum { SPECPI_PTX_END_SIZE = 53, SPECPI_PTX_HASH_SIZE = 17, SPECPI_PTX_BYTES_IN_LINE = 32 };

#endif

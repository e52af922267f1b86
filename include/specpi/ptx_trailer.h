/*
 * The words of the trailer after a PTX image: lines that are comments to an assembler and say where
 * the values of constants stand. docs/internals/ptx.md has its grammar. The compiler writes the
 * lines, and the plugin for CUDA reads them.
 */
#ifndef SPECPI_PTX_TRAILER_H
#define SPECPI_PTX_TRAILER_H

/* Every line begins so, */
#define SPECPI_PTX_TRAILER "//!specpi "

/* and goes on with its kind; the first one with the version of all of them. */
#define SPECPI_PTX_HEAD SPECPI_PTX_TRAILER "1 "
#define SPECPI_PTX_CONSTANT SPECPI_PTX_TRAILER "constant"
#define SPECPI_PTX_LEAF SPECPI_PTX_TRAILER "leaf"
#define SPECPI_PTX_BYTES SPECPI_PTX_TRAILER "bytes "
#define SPECPI_PTX_PLACE SPECPI_PTX_TRAILER "place"
#define SPECPI_PTX_KERNEL SPECPI_PTX_TRAILER "kernel"
#define SPECPI_PTX_OFFSETS SPECPI_PTX_TRAILER "offsets"
#define SPECPI_PTX_END SPECPI_PTX_TRAILER "end "

/* Words in these lines: the kind of a constant. */
#define SPECPI_PTX_SCALAR " scalar"
#define SPECPI_PTX_COMPOSITE " composite"
/* In place of a number: the kernel has no buffer. */
#define SPECPI_PTX_NO_ARGUMENT " -"

/* Bytes of the last line; of the digits of its hash and the line feed, which the hash leaves out;
 * and those of defaults that one line has. */
enum { SPECPI_PTX_END_SIZE = 53, SPECPI_PTX_HASH_SIZE = 17, SPECPI_PTX_BYTES_IN_LINE = 32 };

#endif

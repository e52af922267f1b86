/*
 * A bounded reader of ELF files of x86-64: the file as a loader would lay it out in memory, with
 * its relocations applied, and nothing of it run.
 *
 * An own reader, since what is needed here, the bytes at an address after relocation, is what
 * ELF libraries leave to their callers, and the headers alone are not worth one. Section headers
 * are read in object files only: others may come without.
 */
#ifndef SPECPI_ELF_FILE_H
#define SPECPI_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reason: a message without a full stop. */
typedef struct elf_reason {
  char text[512];
} elf_reason;

/* Writes the message. */
void elf_reason_set(elf_reason *reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The same with the value false, so that a failing check is one statement. A macro, for compilers
 * to see the value.
 */
#define ELF_FAIL(...) (elf_reason_set(__VA_ARGS__), false)

/*
 * A piece of the file that has addresses: a segment, or a section of an object file, whose
 * address is then its place in the file.
 */
typedef struct elf_range {
  uint64_t address;
  uint64_t size;   /* bytes in the file */
  uint64_t memory; /* bytes in memory, at least size; the rest is zero */
  size_t offset;   /* in the file */
} elf_range;

typedef struct elf_file {
  unsigned char *bytes; /* the caller's */
  size_t size;
  elf_range *ranges; /* by address, without overlaps */
  size_t range_count;
  uint64_t range_size;     /* bytes in the file of all ranges */
  size_t relocation_count; /* read so far */
} elf_file;

/*
 * Reads the file in size bytes at bytes, which must stay until elf_close; relocations are
 * applied in place. false with a reason when it is no ELF file of x86-64, or damaged;
 * elf_close is needed only after true.
 */
bool elf_open(elf_file *file, unsigned char *bytes, size_t size, elf_reason *reason);
void elf_close(elf_file *file);

/* The bytes at an address; NULL unless all of size, which is not 0, lie in the file in one range.
 */
const unsigned char *elf_at(const elf_file *file, uint64_t address, uint64_t size);

/* The text at an address; NULL unless it and its NUL, limit bytes at most, lie in one range. */
const char *elf_text_at(const elf_file *file, uint64_t address, uint64_t limit);

#endif

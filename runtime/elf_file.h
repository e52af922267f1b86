/*
 * A bounded reader of ELF files for x86-64. It gives the bytes at addresses as a loader would place
 * them in memory, with relocations applied, and runs no code of the file.
 *
 * ELF libraries leave exactly that to their callers, and to read headers alone needs no library.
 * Section headers are read in object files only, because other files may lack them.
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
 * A part of the file that has addresses: a segment or, in an object file, a section, whose address
 * is its offset in the file.
 */
typedef struct elf_range {
  uint64_t address;
  uint64_t size;   /* bytes in the file */
  uint64_t memory; /* bytes in memory, at least size; the rest is zero */
  size_t offset;   /* in the file */
} elf_range;

typedef struct elf_file {
  unsigned char *bytes; /* owned by the caller */
  size_t size;
  elf_range *ranges; /* sorted by address, without overlaps */
  size_t range_count;
  uint64_t range_size;     /* sum of the ranges' sizes in the file, in bytes */
  size_t relocation_count; /* number of relocations read so far */
} elf_file;

/*
 * Reads the file in size bytes at bytes, which must stay valid until elf_close. Relocations are
 * applied in place. false with a reason: it is not an ELF file for x86-64, or is damaged. elf_close
 * is needed only after true.
 */
bool elf_open(elf_file *file, unsigned char *bytes, size_t size, elf_reason *reason);
void elf_close(elf_file *file);

/*
 * The size bytes at an address; NULL unless one range has all of them in the file. size is not 0.
 */
const unsigned char *elf_at(const elf_file *file, uint64_t address, uint64_t size);

/* The text at an address; NULL unless it and its NUL, limit bytes at most, lie in one range. */
const char *elf_text_at(const elf_file *file, uint64_t address, uint64_t limit);

#endif

/*
 * A hash in native code that a plugin gives out. In an ELF file the last 7 bytes of e_ident mean
 * nothing and are 0, so what has a hash there is for every driver what it was without, of the same
 * size. Drivers end the process on some damaged files; those that have a hash never reach them.
 */
#ifndef CODE_ELF_HASH_H
#define CODE_ELF_HASH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the hash of size bytes; nothing happens to what is no ELF file, or has something else in
 * the place. May be called again on what has a hash.
 */
void elf_hash_write(unsigned char *bytes, size_t size);

/* Returns whether the bytes match their hash; true, too, for those that have none. */
bool elf_hash_agrees(const unsigned char *bytes, size_t size);

#endif

/*
 * A hash in native code that a plugin returns. In an ELF file the last 7 bytes of e_ident mean
 * nothing and are 0, so a hash there changes neither the file's size nor its meaning for a driver.
 * Drivers end the process on some damaged files; with a hash such files never reach them.
 */
#ifndef CODE_ELF_HASH_H
#define CODE_ELF_HASH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the hash of size bytes, unless they are no ELF file or have something else in the place.
 * May be called again on bytes with a hash.
 */
void elf_hash_write(unsigned char *bytes, size_t size);

/* Returns whether the bytes match their hash; true, too, for those that have none. */
bool elf_hash_agrees(const unsigned char *bytes, size_t size);

#endif

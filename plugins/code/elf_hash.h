/*
 * A hash in the native code that a plugin returns. Some drivers crash on damaged files; a plugin
 * detects the damage by the hash and does not pass the file to the driver. The hash is in the last
 * 7 bytes of e_ident, which ELF does not use, so the file's size and meaning do not change.
 */
#ifndef CODE_ELF_HASH_H
#define CODE_ELF_HASH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the hash of size bytes, or renews it. Does nothing if the bytes are no ELF file or the
 * place of the hash holds something else.
 */
void elf_hash_write(unsigned char *bytes, size_t size);

/* Returns whether the bytes match their hash. True if they have no hash. */
bool elf_hash_agrees(const unsigned char *bytes, size_t size);

#endif

#include "elf_hash.h"

#include "ptx_image.h"

#include <elf.h>
#include <string.h>

/* Mark before a hash. After it are the low HASH_SIZE bytes of the hash, lowest first. */
static const unsigned char mark[2] = {'S', 'p'};
enum { MARK_AT = EI_PAD, HASH_AT = EI_PAD + sizeof mark, HASH_SIZE = EI_NIDENT - HASH_AT };

static bool is_elf(const unsigned char *bytes, size_t size) {
  return size >= EI_NIDENT && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static bool has_hash(const unsigned char *bytes) {
  return memcmp(bytes + MARK_AT, mark, sizeof mark) == 0;
}

/* Hashes all bytes except the mark and the hash. */
static void make_hash(const unsigned char *bytes, size_t size, unsigned char ret[HASH_SIZE]) {
  const uint64_t hash =
      ptx_image_hash(bytes, MARK_AT) ^ ptx_image_hash(bytes + EI_NIDENT, size - EI_NIDENT);
  for (int i = 0; i < HASH_SIZE; i++)
    ret[i] = (unsigned char)(hash >> 8 * i);
}

void elf_hash_write(unsigned char *bytes, size_t size) {
  static const unsigned char nothing[EI_NIDENT - MARK_AT];
  if (!is_elf(bytes, size) ||
      (!has_hash(bytes) && memcmp(bytes + MARK_AT, nothing, sizeof nothing) != 0))
    return;
  memcpy(bytes + MARK_AT, mark, sizeof mark);
  make_hash(bytes, size, bytes + HASH_AT);
}

bool elf_hash_agrees(const unsigned char *bytes, size_t size) {
  unsigned char hash[HASH_SIZE];
  if (!is_elf(bytes, size) || !has_hash(bytes))
    return true;
  make_hash(bytes, size, hash);
  return memcmp(bytes + HASH_AT, hash, sizeof hash) == 0;
}

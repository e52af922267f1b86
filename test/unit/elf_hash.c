/* The hash in ELF files: writing, detection of damage, and files that get no hash. */
#include "check.h"

#include "../../plugins/code/elf_hash.h"

#include <elf.h>
#include <string.h>

enum { SIZE = 200 };

static void make_file(unsigned char bytes[SIZE]) {
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)(i * 7);
  const unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3};
  memcpy(bytes, magic, sizeof magic);
  memset(bytes + EI_PAD, 0, EI_NIDENT - EI_PAD);
}

TEST(a_written_hash_agrees) {
  unsigned char bytes[SIZE], before[SIZE], again[SIZE];
  make_file(bytes);
  memcpy(before, bytes, SIZE);
  assert_true(elf_hash_agrees(bytes, SIZE)); /* a file without a hash agrees */
  elf_hash_write(bytes, SIZE);
  assert_true(elf_hash_agrees(bytes, SIZE));
  assert_memory_equal(bytes, before, EI_PAD);
  assert_memory_equal(bytes + EI_NIDENT, before + EI_NIDENT, SIZE - EI_NIDENT);
  assert_memory_not_equal(bytes, before, SIZE);
  memcpy(again, bytes, SIZE);
  elf_hash_write(again, SIZE);
  assert_memory_equal(again, bytes, SIZE);
}

/* Flips each bit, except in the magic number and the mark, without which a file has no hash. */
TEST(damage_is_found) {
  unsigned char bytes[SIZE];
  make_file(bytes);
  elf_hash_write(bytes, SIZE);
  for (size_t bit = 8 * SELFMAG; bit < 8 * SIZE; bit++) {
    if (bit / 8 == EI_PAD || bit / 8 == EI_PAD + 1)
      continue;
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_false(elf_hash_agrees(bytes, SIZE));
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  for (size_t size = EI_NIDENT; size < SIZE; size++)
    assert_false(elf_hash_agrees(bytes, size));
}

/* A file whose padding is in use, and a file that is not ELF, are not changed. */
TEST(other_files_are_not_changed) {
  unsigned char bytes[SIZE], before[SIZE];
  make_file(bytes);
  bytes[EI_NIDENT - 1] = 1;
  memcpy(before, bytes, SIZE);
  elf_hash_write(bytes, SIZE);
  assert_memory_equal(bytes, before, SIZE);
  assert_true(elf_hash_agrees(bytes, SIZE));
  make_file(bytes);
  bytes[0] = 0;
  memcpy(before, bytes, SIZE);
  elf_hash_write(bytes, SIZE);
  assert_memory_equal(bytes, before, SIZE);
  for (size_t size = 0; size < EI_NIDENT; size++)
    assert_true(elf_hash_agrees((const unsigned char *)ELFMAG "123456789012", size));
}

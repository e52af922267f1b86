/* Any bytes as an archive: members follow each other in the file, and names have an end. */
#include "fuzz.h"

#include "../../tools/archive.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* A block of exactly that size. */
  unsigned char *bytes = malloc(size ? size : 1);
  FUZZ_CHECK(bytes);
  if (size)
    memcpy(bytes, data, size);
  archive archive;
  elf_reason reason = {""};
  const unsigned char *behind = bytes;
  if (archive_open(&archive, bytes, size, &reason)) {
    archive_member member;
    archive_step step;
    while ((step = archive_next(&archive, &member, &reason)) == ARCHIVE_MEMBER) {
      FUZZ_CHECK(member.bytes >= behind && member.size <= size - (size_t)(member.bytes - bytes));
      FUZZ_CHECK(memchr(member.name, '\0', sizeof member.name));
      behind = member.bytes + member.size;
    }
    FUZZ_CHECK(step == ARCHIVE_END || *reason.text);
    FUZZ_CHECK(archive.count <= size / 60);
  } else {
    FUZZ_CHECK(*reason.text);
  }
  free(bytes);
  return 0;
}

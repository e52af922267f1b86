/*
 * A bounded reader of ar archives in the GNU and BSD formats, as ar, ranlib and llvm-ar write them.
 * The bytes may be untrusted. It reads each member's header once and copies nothing but names.
 */
#ifndef SPECPI_TOOLS_ARCHIVE_H
#define SPECPI_TOOLS_ARCHIVE_H

#include "../runtime/image_file.h"

enum { ARCHIVE_NAME_MAX = 4095 };

typedef struct archive {
  const unsigned char *bytes; /* owned by the caller */
  size_t size;
  size_t next;                /* offset of the next header */
  size_t count;               /* number of members read so far */
  const unsigned char *names; /* the table of long names; NULL until it is read */
  size_t names_size;
} archive;

typedef struct archive_member {
  char name[ARCHIVE_NAME_MAX + 1];
  const unsigned char *bytes; /* in the archive's bytes, with any alignment */
  size_t size;
} archive_member;

typedef enum archive_step { ARCHIVE_MEMBER, ARCHIVE_END, ARCHIVE_DAMAGED } archive_step;

/*
 * Returns whether the bytes start with an archive's magic. True also for thin archives, which
 * archive_open refuses.
 */
bool archive_begins(const void *bytes, size_t size);

/*
 * Opens the archive in these bytes, which must stay valid. Returns false with a reason if they are
 * no archive or a thin one.
 */
bool archive_open(archive *archive, const void *bytes, size_t size, elf_reason *reason);

/*
 * Reads the next member; the tables of symbols and of names do not count as members. On
 * ARCHIVE_DAMAGED it sets the reason, and *ret is undefined.
 */
archive_step archive_next(archive *archive, archive_member *ret, elf_reason *reason);

#endif

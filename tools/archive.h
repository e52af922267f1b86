/*
 * A bounded reader of ar's archives, in GNU's form and in BSD's: what ranlib, ar and llvm-ar write.
 * Bytes of any origin may come here. One look at each member's header; nothing is copied but names.
 */
#ifndef SPECPI_TOOLS_ARCHIVE_H
#define SPECPI_TOOLS_ARCHIVE_H

#include "../runtime/image_file.h"

enum { ARCHIVE_NAME_MAX = 4095 };

typedef struct archive {
  const unsigned char *bytes; /* the caller's */
  size_t size;
  size_t next;                /* where the next header begins */
  size_t count;               /* of the members that were read */
  const unsigned char *names; /* the table of long names; NULL before it */
  size_t names_size;
} archive;

typedef struct archive_member {
  char name[ARCHIVE_NAME_MAX + 1];
  const unsigned char *bytes; /* of the archive, at any alignment */
  size_t size;
} archive_member;

typedef enum archive_step { ARCHIVE_MEMBER, ARCHIVE_END, ARCHIVE_DAMAGED } archive_step;

/*
 * Returns whether the bytes begin as an archive does, a thin one too, which archive_open refuses.
 */
bool archive_begins(const void *bytes, size_t size);

/* The archive in size bytes, which must stay; false with a reason when it is a thin one, or none.
 */
bool archive_open(archive *archive, const void *bytes, size_t size, elf_reason *reason);

/*
 * The next member; tables of symbols and of names are none. ARCHIVE_DAMAGED with a reason, where
 * ret holds nothing.
 */
archive_step archive_next(archive *archive, archive_member *ret, elf_reason *reason);

#endif

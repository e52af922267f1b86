#include "archive.h"

#include "../plugins/base/digits.h"

#include <ar.h>
#include <string.h>

/* A member's header, with the place of the member's bytes. The name may be stored elsewhere. */
typedef struct header {
  struct ar_hdr raw;
  size_t at; /* offset of the header in the archive */
  const unsigned char *bytes;
  size_t size;
} header;

#define FAIL_MEMBER(reason, header, format, ...)                                                   \
  ELF_FAIL(reason, "the member whose header is at byte %zu " format ": the archive is damaged",    \
           (header)->at, __VA_ARGS__)

static const char thin_magic[] = "!<thin>\n";

static bool begins_with(const void *bytes, size_t size, const char *magic) {
  return size >= SARMAG && memcmp(bytes, magic, SARMAG) == 0;
}

bool archive_begins(const void *bytes, size_t size) {
  return begins_with(bytes, size, ARMAG) || begins_with(bytes, size, thin_magic);
}

bool archive_open(archive *ret, const void *bytes, size_t size, elf_reason *reason) {
  if (begins_with(bytes, size, thin_magic))
    return ELF_FAIL(reason, "it is a thin archive, which has only the names of its members' files");
  if (!begins_with(bytes, size, ARMAG))
    return ELF_FAIL(reason, "it is no archive");
  *ret = (archive){.bytes = bytes, .size = size, .next = SARMAG};
  return true;
}

/* Reads a field that consists of a decimal number and then blanks only. */
static bool read_number(const char *field, size_t length, size_t *ret) {
  const char *end = field + length;
  uint64_t number;
  if (!digits_read(&field, end, SIZE_MAX, &number))
    return false;
  *ret = (size_t)number;
  while (field < end && *field == ' ')
    field++;
  return field == end;
}

static bool read_header(archive *archive, header *ret, elf_reason *reason) {
  ret->at = archive->next;
  const size_t left = archive->size - archive->next;
  if (left < sizeof ret->raw)
    return FAIL_MEMBER(reason, ret, "has %zu bytes of %zu of it", left, sizeof ret->raw);
  memcpy(&ret->raw, archive->bytes + archive->next, sizeof ret->raw);
  if (memcmp(ret->raw.ar_fmag, ARFMAG, sizeof ret->raw.ar_fmag) != 0)
    return FAIL_MEMBER(reason, ret, "has bytes 0x%02x 0x%02x at its end, and not 0x60 0x0a",
                       (unsigned char)ret->raw.ar_fmag[0], (unsigned char)ret->raw.ar_fmag[1]);
  if (!read_number(ret->raw.ar_size, sizeof ret->raw.ar_size, &ret->size))
    return FAIL_MEMBER(reason, ret, "has no %s", "size that is a number");
  if (ret->size > left - sizeof ret->raw)
    return FAIL_MEMBER(reason, ret, "has %zu bytes, and the file has %zu after it", ret->size,
                       left - sizeof ret->raw);
  ret->bytes = archive->bytes + archive->next + sizeof ret->raw;
  /* Members start at even offsets; the padding byte may be missing after the last one. */
  archive->next += sizeof ret->raw + ret->size;
  archive->next += archive->next % 2 != 0 && archive->next < archive->size;
  return true;
}

static bool copy_name(const header *header, const void *name, size_t length, archive_member *ret,
                      elf_reason *reason) {
  if (length > ARCHIVE_NAME_MAX)
    return FAIL_MEMBER(reason, header, "has a name of more than %d bytes", ARCHIVE_NAME_MAX);
  memcpy(ret->name, name, length);
  ret->name[length] = '\0';
  return true;
}

/* Reads GNU's "/17": the name is at offset 17 of the table of names, and ends with "/\n". */
static bool find_long_name(const archive *archive, const header *header, archive_member *ret,
                           elf_reason *reason) {
  size_t place;
  if (!read_number(header->raw.ar_name + 1, sizeof header->raw.ar_name - 1, &place) ||
      place >= archive->names_size)
    return FAIL_MEMBER(reason, header, "has a name that is not in the table of names, of %zu bytes",
                       archive->names_size);
  const unsigned char *name = archive->names + place;
  const size_t rest = archive->names_size - place;
  /* Limited, because many members may name one offset, and each would scan the whole table. */
  const size_t most = ARCHIVE_NAME_MAX + 2;
  const unsigned char *end = memchr(name, '\n', rest < most ? rest : most);
  if (!end)
    return FAIL_MEMBER(reason, header, "has a name without an end in %zu bytes",
                       rest < most ? rest : most);
  size_t length = (size_t)(end - name);
  length -= length > 0 && name[length - 1] == '/';
  return copy_name(header, name, length, ret, reason);
}

/* Reads BSD's "#1/20": the name is the first 20 bytes of the member, padded with zeros. */
static bool take_front_name(header *header, archive_member *ret, elf_reason *reason) {
  size_t length;
  if (!read_number(header->raw.ar_name + 3, sizeof header->raw.ar_name - 3, &length) ||
      length > header->size)
    return FAIL_MEMBER(reason, header, "has a name which is longer than the member's %zu bytes",
                       header->size);
  const unsigned char *name = header->bytes;
  header->bytes += length;
  header->size -= length;
  while (length > 0 && name[length - 1] == '\0')
    length--;
  return copy_name(header, name, length, ret, reason);
}

/* Reads a name in the header itself: GNU ends it with a slash, BSD pads it with blanks. */
static bool take_short_name(const header *header, archive_member *ret, elf_reason *reason) {
  const char *name = header->raw.ar_name;
  const char *slash = memchr(name, '/', sizeof header->raw.ar_name);
  size_t length = slash ? (size_t)(slash - name) : sizeof header->raw.ar_name;
  while (!slash && length > 0 && name[length - 1] == ' ')
    length--;
  return copy_name(header, name, length, ret, reason);
}

/* Returns whether a header's name field is this name and a blank. */
static bool is_named(const header *header, const char *name) {
  const size_t length = strlen(name);
  return strncmp(header->raw.ar_name, name, length) == 0 && header->raw.ar_name[length] == ' ';
}

static bool is_table_of_symbols(const header *header) {
  return is_named(header, "/") || is_named(header, "/SYM64/");
}

archive_step archive_next(archive *archive, archive_member *ret, elf_reason *reason) {
  header header;
  while (archive->next < archive->size) {
    if (!read_header(archive, &header, reason))
      return ARCHIVE_DAMAGED;
    if (is_table_of_symbols(&header))
      continue;
    if (is_named(&header, "//")) {
      archive->names = header.bytes;
      archive->names_size = header.size;
      continue;
    }
    const char *name = header.raw.ar_name;
    if (!(name[0] == '/'                ? find_long_name(archive, &header, ret, reason)
          : memcmp(name, "#1/", 3) == 0 ? take_front_name(&header, ret, reason)
                                        : take_short_name(&header, ret, reason)))
      return ARCHIVE_DAMAGED;
    ret->bytes = header.bytes;
    ret->size = header.size;
    archive->count++;
    return ARCHIVE_MEMBER;
  }
  return ARCHIVE_END;
}

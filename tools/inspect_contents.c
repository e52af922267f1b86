#include "inspect_contents.h"

#include "../plugins/base/vector.h"
#include "../plugins/code/code_head.h"
#include "archive.h"
#include "tool.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static bool fail_contents(const inspect_contents *contents, const elf_reason *reason) {
  tool_error("%s: %s", contents->path, reason->text);
  return false;
}

/* Adds a part, which owns the bytes from now on. Drops an archive's member without images. */
static bool add_part(inspect_contents *contents, unsigned char *bytes, size_t size,
                     const char *member, elf_reason *reason) {
  inspect_part part;
  if (!image_file_open_bytes(&part.file, bytes, size, reason))
    return false;
  if (member && part.file.count == 0) {
    image_file_close(&part.file);
    return true;
  }
  if (!vector_reserve(&contents->parts, &contents->part_room, contents->part_count, sizeof part))
    tool_no_memory();
  part.member = member ? tool_format("%s", member) : NULL;
  contents->parts[contents->part_count++] = part;
  contents->count += part.file.count;
  return true;
}

/* Returns whether a member is an ELF file of x86-64; other members have no images for us. */
static bool is_elf(const archive_member *member) {
  Elf64_Ehdr header;
  if (member->size < sizeof header)
    return false;
  memcpy(&header, member->bytes, sizeof header);
  return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == EM_X86_64;
}

/* Adds a copy of a member, because the reader modifies the bytes and needs them aligned. */
static bool add_member(inspect_contents *contents, const archive_member *member,
                       elf_reason *reason) {
  unsigned char *copy = malloc(member->size);
  if (!copy)
    tool_no_memory();
  memcpy(copy, member->bytes, member->size);
  elf_reason why;
  return add_part(contents, copy, member->size, member->name, &why) ||
         ELF_FAIL(reason, "member %.160s: %.320s", member->name, why.text);
}

static bool open_archive(inspect_contents *contents, const unsigned char *bytes, size_t size,
                         elf_reason *reason) {
  archive archive;
  archive_member member;
  archive_step step;
  contents->is_archive = true;
  if (!archive_open(&archive, bytes, size, reason))
    return false;
  while ((step = archive_next(&archive, &member, reason)) == ARCHIVE_MEMBER)
    if (is_elf(&member) && !add_member(contents, &member, reason))
      return false;
  contents->member_count = archive.count;
  return step == ARCHIVE_END;
}

static bool open_module(inspect_contents *contents) {
  contents->count = 1;
  if (specpiImageFileOpen(contents->path, &contents->module) == SPECPI_SUCCESS)
    return true;
  tool_error("%s", specpiGetLastError());
  return false;
}

/* Returns whether to refuse a file here: cubins, and all but ELF files, whose reader may refuse. */
static bool is_refused(const code_head *head, const unsigned char *bytes, size_t size) {
  return head->kind == CODE_IS_CUBIN || size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0;
}

static bool refuse_kind(const code_head *head, elf_reason *reason) {
  char kind[64];
  switch (head->kind) {
  case CODE_IS_CUBIN:
  case CODE_IS_BITCODE:
  case CODE_IS_FATBIN:
    code_head_describe(head, kind, sizeof kind);
    return ELF_FAIL(reason, "it is %s; inspect reads ELF files of x86-64, archives, SPIR-V and PTX",
                    kind);
  case CODE_IS_NOTHING:
    return ELF_FAIL(reason, "it is empty");
  default:
    return ELF_FAIL(reason, "it is no ELF file, no archive and no module of SPIR-V or PTX");
  }
}

static bool open_parts(inspect_contents *contents, unsigned char *bytes, size_t size,
                       const code_head *head) {
  elf_reason reason;
  bool good;
  if (archive_begins(bytes, size)) {
    good = open_archive(contents, bytes, size, &reason);
    free(bytes);
  } else if (is_refused(head, bytes, size)) {
    good = refuse_kind(head, &reason);
    free(bytes);
  } else {
    good = add_part(contents, bytes, size, NULL, &reason);
  }
  return good || fail_contents(contents, &reason);
}

bool inspect_contents_open(const char *path, inspect_contents *ret) {
  *ret = (inspect_contents){.path = path};
  elf_reason reason;
  size_t size;
  unsigned char *bytes = image_file_read(path, &size, &reason);
  if (!bytes)
    return fail_contents(ret, &reason);
  const code_head head = code_head_read(bytes, size);
  bool good;
  if (head.kind == CODE_IS_SPIRV || head.kind == CODE_IS_PTX) {
    free(bytes);
    good = open_module(ret);
  } else {
    good = open_parts(ret, bytes, size, &head);
  }
  if (!good)
    inspect_contents_close(ret);
  return good;
}

void inspect_contents_close(inspect_contents *contents) {
  specpiImageFileRelease(contents->module);
  for (size_t i = 0; i < contents->part_count; i++) {
    free(contents->parts[i].member);
    image_file_close(&contents->parts[i].file);
  }
  free(contents->parts);
  *contents = (inspect_contents){.path = contents->path};
}

/* Loads the image item->place of a part, and visits it. */
static bool visit_part(const inspect_contents *contents, const inspect_part *part,
                       inspect_item *item, bool (*visit)(void *context, const inspect_item *item),
                       void *context) {
  image_copy copy;
  elf_reason reason;
  if (!image_file_load(&part->file, item->place, &copy, &reason))
    return fail_contents(contents, &reason);
  item->image = copy.image;
  item->versions = part->file.versions[item->place];
  const bool more = visit(context, item);
  image_copy_release(&copy);
  item->index++;
  return more;
}

bool inspect_contents_visit(const inspect_contents *contents,
                            bool (*visit)(void *context, const inspect_item *item), void *context) {
  inspect_item item = {.index = 0};
  size_t count;
  if (contents->module)
    return specpiImageFileGetImages(contents->module, 1, &item.image, &count) == SPECPI_SUCCESS &&
           visit(context, &item);
  for (size_t i = 0; i < contents->part_count; i++) {
    const inspect_part *part = &contents->parts[i];
    item.member = part->member;
    item.member_images = part->file.count;
    for (item.place = 0; item.place < part->file.count; item.place++)
      if (!visit_part(contents, part, &item, visit, context))
        return false;
  }
  return true;
}

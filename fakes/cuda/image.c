/* Images: PTX text, the "cubins" of the fake driver, fat binaries. */
#include "module.h"

#include <elf.h>
#include <stdlib.h>

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

static const char section_name[] = ".specpi.ptx";
/* The ELF header's values in cubins of CUDA 12. */
enum { CUDA_OSABI = 51, CUDA_ABI_VERSION = 7 };

static size_t aligned(size_t offset) {
  return (offset + 15) / 16 * 16;
}

/* Writes the ELF header, the texts, the section names and the section headers. */
void *fake_cubin_write(const fake_code *code, size_t *ret_size) {
  static const char names[] = "\0.shstrtab\0.specpi.ptx";
  const size_t sections = code->count + 2;
  size_t size = sizeof(Elf64_Ehdr);
  for (size_t i = 0; i < code->count; i++)
    size = aligned(size) + strlen(code->texts[i]) + 1;
  const size_t names_at = aligned(size);
  const size_t sections_at = aligned(names_at + sizeof names);
  size = sections_at + sections * sizeof(Elf64_Shdr);
  unsigned char *bytes = fake_allocate(size);
  const Elf64_Word flags = code->architecture << 16 | 5 << 8 | code->architecture;
  Elf64_Ehdr head = {.e_type = ET_EXEC,
                     .e_machine = EM_CUDA,
                     .e_version = 0x7c,
                     .e_shoff = sections_at,
                     .e_flags = flags,
                     .e_ehsize = sizeof head,
                     .e_shentsize = sizeof(Elf64_Shdr),
                     .e_shnum = (Elf64_Half)sections,
                     .e_shstrndx = 1};
  static const unsigned char ident[] = {ELFMAG0,    ELFMAG1,    ELFMAG2,
                                        ELFMAG3,    ELFCLASS64, ELFDATA2LSB,
                                        EV_CURRENT, CUDA_OSABI, CUDA_ABI_VERSION};
  memcpy(head.e_ident, ident, sizeof ident);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + names_at, names, sizeof names);
  Elf64_Shdr section = {.sh_name = 1,
                        .sh_type = SHT_STRTAB,
                        .sh_offset = names_at,
                        .sh_size = sizeof names,
                        .sh_addralign = 1};
  memcpy(bytes + sections_at + sizeof section, &section, sizeof section);
  size_t at = sizeof head;
  for (size_t i = 0; i < code->count; i++) {
    at = aligned(at);
    section = (Elf64_Shdr){.sh_name = 1 + sizeof ".shstrtab",
                           .sh_type = SHT_PROGBITS,
                           .sh_offset = at,
                           .sh_size = strlen(code->texts[i]) + 1,
                           .sh_addralign = 16};
    memcpy(bytes + at, code->texts[i], section.sh_size);
    memcpy(bytes + sections_at + (2 + i) * sizeof section, &section, sizeof section);
    at += section.sh_size;
  }
  *ret_size = size;
  return bytes;
}

/* An ELF file. size is SIZE_MAX if it is unknown; then the headers are trusted. */
typedef struct elf_file {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr head;
} elf_file;

static bool has_section(const elf_file *file, size_t index, Elf64_Shdr *ret) {
  memcpy(ret, file->bytes + file->head.e_shoff + index * sizeof *ret, sizeof *ret);
  return ret->sh_type == SHT_NOBITS ||
         (ret->sh_offset <= file->size && ret->sh_size <= file->size - ret->sh_offset);
}

static CUresult open_elf(const void *image, size_t size, elf_file *ret) {
  elf_file file = {.bytes = image, .size = size ? size : SIZE_MAX};
  if (file.size < sizeof file.head)
    return fake_deny(CUDA_ERROR_INVALID_IMAGE, "an ELF file of %zu bytes", size);
  memcpy(&file.head, image, sizeof file.head);
  const Elf64_Ehdr *head = &file.head;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_CUDA ||
      head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > file.size ||
      head->e_shnum > (file.size - head->e_shoff) / sizeof(Elf64_Shdr) ||
      head->e_shstrndx >= head->e_shnum)
    return fake_deny(CUDA_ERROR_INVALID_IMAGE, "an ELF file that is no cubin, or is damaged");
  *ret = file;
  return CUDA_SUCCESS;
}

static bool is_ptx_section(const elf_file *file, const Elf64_Shdr *section) {
  Elf64_Shdr names;
  if (!has_section(file, file->head.e_shstrndx, &names) || names.sh_type != SHT_STRTAB ||
      section->sh_name >= names.sh_size || names.sh_size - section->sh_name < sizeof section_name)
    return false;
  return memcmp(file->bytes + names.sh_offset + section->sh_name, section_name,
                sizeof section_name) == 0;
}

static CUresult read_cubin(const void *image, size_t size, fake_code *code, fake_jit *jit) {
  elf_file file;
  FAKE_TRY(open_elf(image, size, &file));
  const unsigned architecture = file.head.e_flags & 0xff;
  if (architecture / 10 != FAKE_ARCHITECTURE / 10 || architecture > FAKE_ARCHITECTURE)
    return fake_deny(CUDA_ERROR_NO_BINARY_FOR_GPU, "a cubin for sm_%u, but the device is sm_%d",
                     architecture, FAKE_ARCHITECTURE);
  const size_t before = code->count;
  fake_jit silent = *jit;
  silent.verbose = false;
  for (size_t i = 0; i < file.head.e_shnum; i++) {
    Elf64_Shdr section;
    if (!has_section(&file, i, &section))
      return fake_deny(CUDA_ERROR_INVALID_IMAGE, "section %zu of the cubin is cut off", i);
    if (is_ptx_section(&file, &section))
      /* Assembles the text as relocatable, because that works for whole programs and for parts. */
      FAKE_TRY(fake_code_add(code, (const char *)image + section.sh_offset, section.sh_size, true,
                             &silent));
  }
  if (code->count == before)
    return fake_deny(CUDA_ERROR_NO_BINARY_FOR_GPU,
                     "the cubin has machine code only, which a CPU cannot run");
  return CUDA_SUCCESS;
}

/* The headers of a fat binary and of its members. */
typedef struct fat_header {
  uint32_t magic;
  uint16_t version, header;
  uint64_t size;
} fat_header;

typedef struct fat_member {
  uint16_t kind; /* 1 PTX, 2 cubin */
  uint16_t version;
  uint32_t header;
  uint64_t size;
  uint32_t compressed, unknown;
  uint16_t minor, major;
  uint32_t architecture;
  uint32_t name_offset, name_size;
  uint64_t flags;
  uint64_t zero;
  uint64_t uncompressed;
} fat_member;

static const uint32_t fat_magic = 0xba55ed50;
static const uint32_t wrapper_magic = 0x466243b1;

/* The structure in a program's section that points to the fat binary. */
typedef struct fat_wrapper {
  uint32_t magic, version;
  const void *data;
  const void *unused;
} fat_wrapper;

/* Reads the newest member that the device can run: a cubin for it, or else PTX. */
static CUresult read_fat(const unsigned char *bytes, size_t size, bool relocatable, fake_code *code,
                         fake_jit *jit) {
  fat_header head;
  memcpy(&head, bytes, sizeof head);
  if (head.header < sizeof head || (size != 0 && head.size > size - head.header))
    return fake_deny(CUDA_ERROR_INVALID_IMAGE, "a fat binary that is damaged");
  const unsigned char *end = bytes + head.header + head.size;
  const unsigned char *best = NULL;
  fat_member best_member = {0};
  for (const unsigned char *at = bytes + head.header; at < end;) {
    fat_member member;
    if ((size_t)(end - at) < sizeof member)
      return fake_deny(CUDA_ERROR_INVALID_IMAGE, "a fat binary that is cut off");
    memcpy(&member, at, sizeof member);
    if (member.header < sizeof member || member.header > (size_t)(end - at) ||
        member.size > (size_t)(end - at) - member.header)
      return fake_deny(CUDA_ERROR_INVALID_IMAGE, "a fat binary with a damaged member");
    const bool runs = member.kind == 1   ? member.architecture <= FAKE_ARCHITECTURE
                      : member.kind == 2 ? member.architecture == FAKE_ARCHITECTURE
                                         : false;
    if (runs && (!best || member.kind > best_member.kind ||
                 member.architecture > best_member.architecture)) {
      best = at + member.header;
      best_member = member;
    }
    at += member.header + member.size;
  }
  if (!best)
    return fake_deny(CUDA_ERROR_NO_BINARY_FOR_GPU, "no member of the fat binary runs on sm_%d",
                     FAKE_ARCHITECTURE);
  if (best_member.uncompressed != 0)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "the fat binary's member is compressed");
  return best_member.kind == 1
             ? fake_code_add(code, (const char *)best, best_member.size, relocatable, jit)
             : read_cubin(best, best_member.size, code, jit);
}

static bool begins(const void *image, size_t size, const void *magic, size_t length) {
  if (size != 0)
    return size >= length && memcmp(image, magic, length) == 0;
  /* The text may end anywhere, so this reads nothing after the first different byte. */
  for (size_t i = 0; i < length; i++)
    if (((const unsigned char *)image)[i] != ((const unsigned char *)magic)[i])
      return false;
  return true;
}

CUresult fake_image_read(const void *image, size_t size, bool relocatable, fake_code *code,
                         fake_jit *jit) {
  if (begins(image, size, &wrapper_magic, sizeof wrapper_magic)) {
    fat_wrapper wrapper;
    if (size != 0 && size < sizeof wrapper)
      return fake_deny(CUDA_ERROR_INVALID_IMAGE, "a fat binary's wrapper of %zu bytes", size);
    memcpy(&wrapper, image, sizeof wrapper);
    return fake_image_read(wrapper.data, 0, relocatable, code, jit);
  }
  if (begins(image, size, &fat_magic, sizeof fat_magic)) {
    if (size != 0 && size < sizeof(fat_header))
      return fake_deny(CUDA_ERROR_INVALID_IMAGE, "a fat binary of %zu bytes", size);
    return read_fat(image, size, relocatable, code, jit);
  }
  if (begins(image, size, ELFMAG, SELFMAG))
    return read_cubin(image, size, code, jit);
  const char *text = image;
  const size_t length = size == 0 ? strlen(text) : size;
  char *copy = fake_allocate(length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  CUresult result;
  if (strstr(copy, ".version"))
    result = fake_code_add(code, copy, length, relocatable, jit);
  else
    result = fake_deny(CUDA_ERROR_INVALID_IMAGE, "the image is no PTX, no cubin, no fat binary");
  free(copy);
  return result;
}

#include "code_head.h"

#include "../base/digits.h"

#include "spirv.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define FATBIN_MAGIC UINT32_C(0xba55ed50)
#define BITCODE_MAGIC UINT32_C(0xdec04342)

enum {
  /* Smallest header of a fat binary: magic number, version, header size, content size. */
  FATBIN_HEADER = 16,
  /* First cubin ABI version with the capability in the second byte of the flags. */
  CUBIN_ABI_WIDE = 8,
  CUBIN_FLAG_ACCELERATED = 0x800, /* sm_90a and the like, in older ABI versions */
};

/* CUDA versions and the newest PTX version that each takes. */
static const struct {
  int cuda;
  int ptx;
} ptx_versions[] = {
    {11040, 74}, {11050, 75}, {11060, 76}, {11070, 77}, {11080, 78}, {12000, 80},
    {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84}, {12050, 85}, {12070, 86},
    {12080, 87}, {12090, 88}, {13000, 90}, {13010, 91},
};

int ptx_version_of_cuda(int version) {
  const size_t count = sizeof ptx_versions / sizeof ptx_versions[0];
  const int last = ptx_versions[count - 1].cuda;
  /* From CUDA 13.0 on, PTX has CUDA's minor number, and its major number is smaller by 4. */
  if (version > last)
    return (version / 1000 - 4) * 10 + version % 1000 / 10;
  int ptx = ptx_versions[0].ptx;
  for (size_t i = 0; i < count && ptx_versions[i].cuda <= version; i++)
    ptx = ptx_versions[i].ptx;
  return ptx;
}

static pi_uint32 load4(const unsigned char *bytes) {
  return spirv_load(bytes);
}

static code_head of_kind(code_kind kind) {
  return (code_head){.kind = kind};
}

static code_head read_elf(const unsigned char *bytes, size_t size) {
  Elf64_Ehdr header;
  if (size < sizeof header)
    return of_kind(CODE_IS_DAMAGED);
  memcpy(&header, bytes, sizeof header);
  if (header.e_machine != EM_CUDA)
    return of_kind(CODE_IS_ELF);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return of_kind(CODE_IS_DAMAGED);
  code_head code = of_kind(CODE_IS_CUBIN);
  if (header.e_ident[EI_ABIVERSION] >= CUBIN_ABI_WIDE) {
    code.capability = (int)(header.e_flags >> 8 & 0xff);
  } else {
    code.capability = (int)(header.e_flags & 0xff);
    code.suffix = header.e_flags & CUBIN_FLAG_ACCELERATED ? 'a' : 0;
  }
  return code.capability ? code : of_kind(CODE_IS_DAMAGED);
}

static code_head read_fatbin(const unsigned char *bytes, size_t size) {
  pi_uint64 content;
  if (size < FATBIN_HEADER)
    return of_kind(CODE_IS_DAMAGED);
  memcpy(&content, bytes + 8, sizeof content);
  const size_t header = (size_t)bytes[6] | (size_t)bytes[7] << 8;
  if (header < FATBIN_HEADER || header > size || content > size - header)
    return of_kind(CODE_IS_DAMAGED);
  return of_kind(CODE_IS_FATBIN);
}

/* A position in text. The text ends at `end`, not at a zero byte. */
typedef struct cursor {
  const char *at;
  const char *end;
} cursor;

static bool is_space(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r' ||
         character == '\f' || character == '\v';
}

/* Moves past a block comment, or to the end of the text if nothing closes the comment. */
static void skip_block(cursor *text) {
  text->at += 2;
  while (text->end - text->at >= 2 && !(text->at[0] == '*' && text->at[1] == '/'))
    text->at++;
  text->at = text->end - text->at >= 2 ? text->at + 2 : text->end;
}

static void skip_space(cursor *text) {
  while (text->at < text->end) {
    const bool has_two = text->end - text->at >= 2;
    if (is_space(*text->at)) {
      text->at++;
    } else if (has_two && text->at[0] == '/' && text->at[1] == '/') {
      while (text->at < text->end && *text->at != '\n')
        text->at++;
    } else if (has_two && text->at[0] == '/' && text->at[1] == '*') {
      skip_block(text);
    } else {
      return;
    }
  }
}

/* Moves past a word if the text continues with it; returns whether it does. */
static bool take_text(cursor *text, const char *word) {
  const size_t length = strlen(word);
  if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
    return false;
  text->at += length;
  return true;
}

/* Reads a number of one to three digits and moves past it. */
static bool take_number(cursor *text, int *ret) {
  uint64_t number = 0;
  const char *start = text->at;
  const bool is_read = digits_read(&text->at, text->end, 999, &number);
  *ret = (int)number;
  return is_read && text->at - start < 4;
}

/* Reads the text after ".version", such as "8.4 .target sm_90a". */
static bool read_directives(cursor *text, code_head *code) {
  int major;
  int minor;
  skip_space(text);
  if (!take_number(text, &major) || !take_text(text, ".") || !take_number(text, &minor) ||
      minor > 9)
    return false;
  skip_space(text);
  if (!take_text(text, ".target"))
    return false;
  skip_space(text);
  if (!take_text(text, "sm_") || !take_number(text, &code->capability))
    return false;
  code->version = major * 10 + minor;
  if (take_text(text, "a"))
    code->suffix = 'a';
  else if (take_text(text, "f"))
    code->suffix = 'f';
  return true;
}

static code_head read_text(const unsigned char *bytes, size_t size) {
  cursor text = {(const char *)bytes, (const char *)bytes + size};
  skip_space(&text);
  if (!take_text(&text, ".version"))
    return of_kind(CODE_IS_UNKNOWN);
  code_head code = of_kind(CODE_IS_PTX);
  return read_directives(&text, &code) ? code : of_kind(CODE_IS_DAMAGED);
}

code_head code_head_read(const void *bytes, size_t size) {
  if (!bytes || size == 0)
    return of_kind(CODE_IS_NOTHING);
  if (size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0)
    return read_elf(bytes, size);
  const pi_uint32 magic = size >= 4 ? load4(bytes) : 0;
  if (magic == SPIRV_MAGIC || __builtin_bswap32(magic) == SPIRV_MAGIC)
    return of_kind(CODE_IS_SPIRV);
  if (magic == BITCODE_MAGIC)
    return of_kind(CODE_IS_BITCODE);
  if (magic == FATBIN_MAGIC)
    return read_fatbin(bytes, size);
  return read_text(bytes, size);
}

/* Returns whether the suffix of the code's target lets it run on a device of the capability. */
static bool suffix_allows(const code_head *code, int capability) {
  switch (code->suffix) {
  case 'a':
    return code->capability == capability;
  case 'f':
    return code->capability / 10 == capability / 10;
  default:
    return true;
  }
}

/* Base ranks of the kinds. A capability, which is below 1000, is added to some. */
enum { RANK_FATBIN = 1, RANK_PTX = 1000, RANK_SPIRV = 2000, RANK_CUBIN = 3000, RANK_EXACT = 4000 };

int code_head_rank(const code_head *code, const ptx_target *target) {
  if (code->kind == CODE_IS_FATBIN)
    return RANK_FATBIN;
  if (code->kind == CODE_IS_SPIRV)
    return target->no_spirv ? 0 : RANK_SPIRV;
  if (code->kind != CODE_IS_PTX && code->kind != CODE_IS_CUBIN)
    return 0;
  if (code->capability > target->capability || !suffix_allows(code, target->capability))
    return 0;
  if (code->kind == CODE_IS_PTX)
    return code->version <= target->ptx_version ? RANK_PTX + code->capability : 0;
  if (code->capability == target->capability)
    return RANK_EXACT;
  return code->capability / 10 == target->capability / 10 ? RANK_CUBIN + code->capability : 0;
}

void code_head_describe(const code_head *code, char *text, size_t size) {
  static const char *const kinds[] = {
#define CODE_KIND(name, text) text,
      CODE_KINDS(CODE_KIND)
#undef CODE_KIND
  };
  const char suffix[] = {code->suffix, '\0'};
  if (code->kind == CODE_IS_PTX)
    snprintf(text, size, "PTX %d.%d for sm_%d%s", code->version / 10, code->version % 10,
             code->capability, suffix);
  else if (code->kind == CODE_IS_CUBIN)
    snprintf(text, size, "a cubin for sm_%d%s", code->capability, suffix);
  else
    snprintf(text, size, "%s", kinds[code->kind]);
}

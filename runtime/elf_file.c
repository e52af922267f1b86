#include "elf_file.h"

#include "../plugins/base/find.h"

#include <ar.h>
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Relocations of a damaged file may change its headers. So the ranges are checked before
 * relocations are applied, and stored apart from the bytes. All other data is copied and checked at
 * each read.
 */

void elf_reason_set(elf_reason *reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason->text, sizeof reason->text, format, arguments);
  va_end(arguments);
}

/* Copies size bytes from an offset in the file; false if they are not all in the file. */
static bool read_at(const elf_file *file, uint64_t offset, void *to, size_t size) {
  if (offset > file->size || size > file->size - offset)
    return false;
  memcpy(to, file->bytes + offset, size);
  return true;
}

/* Puts a range that starts at the address before it, so that find_first returns the one after. */
static int by_start(const void *address, const void *range) {
  return ((const elf_range *)range)->address <= *(const uint64_t *)address ? 1 : -1;
}

static const elf_range *range_of(const elf_file *file, uint64_t address) {
  const size_t after =
      find_first(&address, file->ranges, file->range_count, sizeof *file->ranges, by_start);
  return after ? &file->ranges[after - 1] : NULL;
}

static unsigned char *writable_at(const elf_file *file, uint64_t address, uint64_t size) {
  const elf_range *range = range_of(file, address);
  if (!range || size == 0)
    return NULL;
  const uint64_t inside = address - range->address;
  if (inside > range->size || size > range->size - inside)
    return NULL;
  return file->bytes + range->offset + inside;
}

const unsigned char *elf_at(const elf_file *file, uint64_t address, uint64_t size) {
  return writable_at(file, address, size);
}

const char *elf_text_at(const elf_file *file, uint64_t address, uint64_t limit) {
  const elf_range *range = range_of(file, address);
  if (!range || address - range->address >= range->size)
    return NULL;
  const uint64_t inside = address - range->address;
  const unsigned char *text = file->bytes + range->offset + inside;
  const uint64_t rest = range->size - inside;
  return memchr(text, 0, (size_t)(rest < limit ? rest : limit)) ? (const char *)text : NULL;
}

static bool add_range(elf_file *file, elf_range range, const char *what, size_t index,
                      elf_reason *reason) {
  if (range.offset > file->size || range.size > file->size - range.offset)
    return ELF_FAIL(reason,
                    "%s %zu has %" PRIu64 " bytes at byte %zu, and the file has %zu: it is damaged",
                    what, index, range.size, range.offset, file->size);
  if (range.memory < range.size || range.memory > UINT64_MAX - range.address)
    return ELF_FAIL(reason, "%s %zu has %" PRIu64 " bytes in memory for %" PRIu64 " in the file",
                    what, index, range.memory, range.size);
  /* Ranges at different addresses may share bytes of the file, each of which is then read once for
   * every range. The limit bounds that work. */
  enum { SHARED = 2 };
  file->range_size += range.size;
  if (file->range_size / SHARED > file->size)
    return ELF_FAIL(reason,
                    "its %ss up to number %zu have %" PRIu64
                    " bytes, more than %d times the file's %zu, so they overlap",
                    what, index, file->range_size, SHARED, file->size);
  if (range.memory)
    file->ranges[file->range_count++] = range;
  return true;
}

static int by_address(const void *left, const void *right) {
  const uint64_t l = ((const elf_range *)left)->address;
  const uint64_t r = ((const elf_range *)right)->address;
  return l < r ? -1 : l > r;
}

static bool allocate_ranges(elf_file *file, size_t count, elf_reason *reason) {
  file->ranges = calloc(count ? count : 1, sizeof *file->ranges);
  return file->ranges || ELF_FAIL(reason, "host memory is exhausted");
}

static bool sort_ranges(elf_file *file, const char *what, elf_reason *reason) {
  qsort(file->ranges, file->range_count, sizeof *file->ranges, by_address);
  for (size_t i = 1; i < file->range_count; i++)
    if (file->ranges[i].address - file->ranges[i - 1].address < file->ranges[i - 1].memory)
      return ELF_FAIL(reason, "two %ss overlap at address 0x%" PRIx64 ": the file is damaged", what,
                      file->ranges[i].address);
  return true;
}

/* ---- Relocations ---- */

/* Writes the value of one relocation. Relocations that are not for data are ignored. */
static bool apply(elf_file *file, const Elf64_Rela *rela, uint64_t address, bool symbol_known,
                  uint64_t symbol, elf_reason *reason) {
  const uint64_t type = ELF64_R_TYPE(rela->r_info);
  uint64_t value;
  if (file->relocation_count++ >= file->size / sizeof *rela)
    return ELF_FAIL(reason, "its tables of relocations overlap: it is damaged");
  if (type == R_X86_64_RELATIVE)
    value = (uint64_t)rela->r_addend;
  else if (type == R_X86_64_64 && symbol_known)
    value = symbol + (uint64_t)rela->r_addend;
  else
    return true;
  unsigned char *slot = writable_at(file, address, sizeof value);
  if (slot) {
    memcpy(slot, &value, sizeof value);
    return true;
  }
  const elf_range *range = range_of(file, address);
  return (range && address - range->address < range->memory) ||
         ELF_FAIL(reason, "a relocation is for address 0x%" PRIx64 ", where the file has nothing",
                  address);
}

/* The tables of PT_DYNAMIC that the reader uses. */
typedef struct dynamic {
  uint64_t rela, rela_size, rela_entry, symbols;
} dynamic;

static dynamic read_dynamic(const elf_file *file, const Elf64_Phdr *header) {
  dynamic result = {.rela_entry = sizeof(Elf64_Rela)};
  Elf64_Dyn entry;
  for (uint64_t at = 0; header->p_filesz - at >= sizeof entry; at += sizeof entry) {
    if (!read_at(file, header->p_offset + at, &entry, sizeof entry) || entry.d_tag == DT_NULL)
      break;
    switch (entry.d_tag) {
    case DT_RELA:
      result.rela = entry.d_un.d_ptr;
      break;
    case DT_RELASZ:
      result.rela_size = entry.d_un.d_val;
      break;
    case DT_RELAENT:
      result.rela_entry = entry.d_un.d_val;
      break;
    case DT_SYMTAB:
      result.symbols = entry.d_un.d_ptr;
      break;
    default:
      /* DT_RELR is ignored, because the values of such relocations are in the file already. */
      break;
    }
  }
  return result;
}

static bool apply_dynamic(elf_file *file, const Elf64_Phdr *header, elf_reason *reason) {
  if (header->p_offset > file->size || header->p_filesz > file->size - header->p_offset)
    return ELF_FAIL(reason, "the dynamic segment does not lie in the file: it is damaged");
  const dynamic tables = read_dynamic(file, header);
  if (tables.rela_size == 0)
    return true;
  const unsigned char *rela = elf_at(file, tables.rela, tables.rela_size);
  if (!rela || tables.rela_entry != sizeof(Elf64_Rela) ||
      tables.rela_size % sizeof(Elf64_Rela) != 0)
    return ELF_FAIL(reason,
                    "the table of relocations, %" PRIu64 " bytes at address 0x%" PRIx64
                    " in entries of %" PRIu64 ", is damaged",
                    tables.rela_size, tables.rela, tables.rela_entry);
  for (uint64_t at = 0; at < tables.rela_size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela one;
    memcpy(&one, rela + at, sizeof one);
    Elf64_Sym symbol = {0};
    if (ELF64_R_TYPE(one.r_info) == R_X86_64_64) {
      const uint64_t place = ELF64_R_SYM(one.r_info) * sizeof symbol;
      const unsigned char *found = elf_at(file, tables.symbols + place, sizeof symbol);
      if (!found)
        return ELF_FAIL(reason, "a relocation names symbol %" PRIu64 ", which is not in the file",
                        (uint64_t)ELF64_R_SYM(one.r_info));
      memcpy(&symbol, found, sizeof symbol);
    }
    if (!apply(file, &one, one.r_offset, symbol.st_shndx != SHN_UNDEF, symbol.st_value, reason))
      return false;
  }
  return true;
}

/* ---- Executables and shared libraries: segments ---- */

static bool read_segment(const elf_file *file, const Elf64_Ehdr *header, size_t index,
                         Elf64_Phdr *ret, elf_reason *reason) {
  return read_at(file, header->e_phoff + index * sizeof *ret, ret, sizeof *ret) ||
         ELF_FAIL(reason, "program header %zu of %d does not lie in the file: it is damaged", index,
                  header->e_phnum);
}

static bool open_segments(elf_file *file, const Elf64_Ehdr *header, elf_reason *reason) {
  if (header->e_phnum == 0 || header->e_phnum == PN_XNUM ||
      header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff > file->size)
    return ELF_FAIL(reason, "%d program headers of %d bytes cannot be read", header->e_phnum,
                    header->e_phentsize);
  Elf64_Phdr segment;
  size_t loads = 0;
  for (size_t i = 0; i < header->e_phnum; i++) {
    if (!read_segment(file, header, i, &segment, reason))
      return false;
    loads += segment.p_type == PT_LOAD;
  }
  if (!allocate_ranges(file, loads, reason))
    return false;
  for (size_t i = 0; i < header->e_phnum; i++) {
    if (!read_segment(file, header, i, &segment, reason))
      return false;
    if (segment.p_type == PT_LOAD &&
        !add_range(
            file, (elf_range){segment.p_vaddr, segment.p_filesz, segment.p_memsz, segment.p_offset},
            "segment", i, reason))
      return false;
  }
  if (!sort_ranges(file, "segment", reason))
    return false;
  for (size_t i = 0; i < header->e_phnum; i++) {
    if (!read_segment(file, header, i, &segment, reason))
      return false;
    if (segment.p_type == PT_DYNAMIC)
      return apply_dynamic(file, &segment, reason);
  }
  return true;
}

/* ---- Object files: sections ---- */

/*
 * Reads and checks a section header. It does so at each use, because a relocation of a damaged file
 * may have changed the header.
 */
static bool read_section(const elf_file *file, const Elf64_Ehdr *header, size_t index,
                         Elf64_Shdr *ret, elf_reason *reason) {
  if (!read_at(file, header->e_shoff + index * sizeof *ret, ret, sizeof *ret))
    return ELF_FAIL(reason, "section header %zu does not lie in the file: it is damaged", index);
  if (ret->sh_type != SHT_NOBITS && ret->sh_type != SHT_NULL &&
      (ret->sh_offset > file->size || ret->sh_size > file->size - ret->sh_offset))
    return ELF_FAIL(reason,
                    "section %zu has %" PRIu64 " bytes at byte %" PRIu64
                    ", and the file has %zu: it is damaged",
                    index, ret->sh_size, ret->sh_offset, file->size);
  return true;
}

static bool has_address(const Elf64_Shdr *section) {
  return (section->sh_flags & SHF_ALLOC) && section->sh_type != SHT_NOBITS &&
         section->sh_type != SHT_NULL;
}

/*
 * Finds a relocation's symbol. *known is false if the symbol is of another file or has no address.
 */
static bool find_symbol(const elf_file *file, const Elf64_Ehdr *header, size_t sections,
                        const Elf64_Shdr *table, uint64_t index, bool *known, uint64_t *address,
                        elf_reason *reason) {
  Elf64_Sym symbol;
  *known = false;
  if (index >= table->sh_size / sizeof symbol ||
      !read_at(file, table->sh_offset + index * sizeof symbol, &symbol, sizeof symbol))
    return ELF_FAIL(reason, "a relocation names symbol %" PRIu64 ", which is not in the file",
                    index);
  if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
      symbol.st_shndx >= sections)
    return true;
  Elf64_Shdr section;
  if (!read_section(file, header, symbol.st_shndx, &section, reason))
    return false;
  *known = has_address(&section);
  *address = section.sh_offset + symbol.st_value;
  return true;
}

static bool apply_section(elf_file *file, const Elf64_Ehdr *header, size_t sections,
                          const Elf64_Shdr *relocations, elf_reason *reason) {
  Elf64_Shdr target;
  Elf64_Shdr symbols;
  if (relocations->sh_info >= sections || relocations->sh_link >= sections)
    return ELF_FAIL(reason, "relocations are for section %" PRIu32 " of %zu: the file is damaged",
                    relocations->sh_info, sections);
  if (!read_section(file, header, relocations->sh_info, &target, reason) ||
      !read_section(file, header, relocations->sh_link, &symbols, reason))
    return false;
  if (!has_address(&target))
    return true;
  if (symbols.sh_type != SHT_SYMTAB)
    return ELF_FAIL(reason, "section %" PRIu32 " is no symbol table: the file is damaged",
                    relocations->sh_link);
  Elf64_Rela one;
  for (uint64_t at = 0; relocations->sh_size - at >= sizeof one; at += sizeof one) {
    if (!read_at(file, relocations->sh_offset + at, &one, sizeof one))
      return ELF_FAIL(reason, "a relocation does not lie in the file: it is damaged");
    bool known = false;
    uint64_t address = 0;
    if (ELF64_R_TYPE(one.r_info) == R_X86_64_64 &&
        !find_symbol(file, header, sections, &symbols, ELF64_R_SYM(one.r_info), &known, &address,
                     reason))
      return false;
    if (one.r_offset >= target.sh_size)
      return ELF_FAIL(
          reason, "a relocation is for byte %" PRIu64 " of section %" PRIu32 ", which has %" PRIu64,
          one.r_offset, relocations->sh_info, target.sh_size);
    if (!apply(file, &one, target.sh_offset + one.r_offset, known, address, reason))
      return false;
  }
  return true;
}

static bool open_sections(elf_file *file, const Elf64_Ehdr *header, elf_reason *reason) {
  Elf64_Shdr section = {0};
  if (header->e_shoff == 0 || header->e_shoff > file->size ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return ELF_FAIL(reason, "section headers of %d bytes cannot be read", header->e_shentsize);
  if (!read_section(file, header, 0, &section, reason))
    return false;
  /* If there are too many sections for e_shnum, the first, empty section has their number. */
  const uint64_t sections = header->e_shnum ? header->e_shnum : section.sh_size;
  if (sections > (file->size - header->e_shoff) / sizeof section)
    return ELF_FAIL(reason, "%" PRIu64 " section headers do not fit into the file: it is damaged",
                    sections);
  if (!allocate_ranges(file, (size_t)sections, reason))
    return false;
  for (size_t i = 0; i < sections; i++) {
    if (!read_section(file, header, i, &section, reason))
      return false;
    if (has_address(&section) && !add_range(file,
                                            (elf_range){section.sh_offset, section.sh_size,
                                                        section.sh_size, section.sh_offset},
                                            "section", i, reason))
      return false;
  }
  if (!sort_ranges(file, "section", reason))
    return false;
  for (size_t i = 0; i < sections; i++) {
    if (!read_section(file, header, i, &section, reason))
      return false;
    if (section.sh_type == SHT_RELA &&
        !apply_section(file, header, (size_t)sections, &section, reason))
      return false;
  }
  return true;
}

static bool open_checked(elf_file *file, elf_reason *reason) {
  Elf64_Ehdr header;
  if (file->size >= SARMAG && memcmp(file->bytes, ARMAG, SARMAG) == 0)
    return ELF_FAIL(reason, "it is an archive; its members can be extracted with ar x");
  if (file->size < SELFMAG || memcmp(file->bytes, ELFMAG, SELFMAG) != 0)
    return ELF_FAIL(reason, "it is neither an ELF file nor a module of SPIR-V or PTX");
  if (!read_at(file, 0, &header, sizeof header))
    return ELF_FAIL(reason, "%zu bytes are too short for an ELF file", file->size);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64)
    return ELF_FAIL(reason,
                    "it is an ELF file of class %d, byte order %d and machine %d, not of "
                    "x86-64 (class 2, byte order 1, machine 62)",
                    header.e_ident[EI_CLASS], header.e_ident[EI_DATA], header.e_machine);
  switch (header.e_type) {
  case ET_REL:
    return open_sections(file, &header, reason);
  case ET_EXEC:
  case ET_DYN:
    return open_segments(file, &header, reason);
  default:
    return ELF_FAIL(reason,
                    "it is an ELF file of type %d, not an executable, a library or an object",
                    header.e_type);
  }
}

bool elf_open(elf_file *file, unsigned char *bytes, size_t size, elf_reason *reason) {
  *file = (elf_file){.bytes = bytes, .size = size};
  if (open_checked(file, reason))
    return true;
  elf_close(file);
  return false;
}

void elf_close(elf_file *file) {
  free(file->ranges);
  *file = (elf_file){0};
}

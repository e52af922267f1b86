/* Reads cubins, the ELF files for EM_CUDA that ptxas and the driver's linker write. */
#include "code_info.h"

#include "../base/error.h"

#include <specpi/ptx_trailer.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in cubins that elf.h does not name. */
enum {
  CUBIN_MACHINE = 190,        /* EM_CUDA */
  CUBIN_SYMBOL_ENTRY = 0x10,  /* in st_other: the function is a kernel */
  INFO_SIZED = 4,             /* format of an attribute: a 16-bit size, then that many bytes */
  INFO_REQUIRED_SIZE = 0x10,  /* attribute: required work-group size, three 32-bit numbers */
  INFO_PARAMETER = 0x17,      /* attribute: a parameter's index, ordinal, offset and flags */
  INFO_PARAMETER_BYTES = 12,  /* size of INFO_PARAMETER */
  INFO_PARAMETER_SIZE_AT = 18 /* bit of the flags where the parameter's size starts */
};

static Elf64_Ehdr header_of(const unsigned char *bytes) {
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  return header;
}

static Elf64_Shdr section_at(const unsigned char *bytes, const Elf64_Ehdr *header, size_t index) {
  Elf64_Shdr section;
  memcpy(&section, bytes + header->e_shoff + index * sizeof section, sizeof section);
  return section;
}

static bool lies_inside(uint64_t offset, uint64_t length, size_t size) {
  return offset <= size && length <= size - offset;
}

/* Returns the string at offset of a string table; "" if there is none. */
static const char *name_at(const unsigned char *bytes, const Elf64_Shdr *names, uint64_t offset) {
  const char *text = (const char *)bytes + names->sh_offset;
  if (names->sh_type != SHT_STRTAB || offset >= names->sh_size || text[names->sh_size - 1] != '\0')
    return "";
  return text + offset;
}

static size_t later(size_t end, uint64_t offset, uint64_t length) {
  return offset + length > end ? (size_t)(offset + length) : end;
}

/*
 * Refuses an incomplete trailer after a cubin and its padding. The caller has removed complete
 * trailers.
 */
static pi_result check_rest(const unsigned char *bytes, size_t size, size_t end) {
  while (end < size && bytes[end] == 0)
    end++;
  REQUIRE(size - end < strlen(SPECPI_PTX_TRAILER) ||
              memcmp(bytes + end, SPECPI_PTX_TRAILER, strlen(SPECPI_PTX_TRAILER)) != 0,
          PI_ERROR_INVALID_BINARY,
          "damaged cubin: the %zu bytes after it are an incomplete trailer", size - end);
  return PI_SUCCESS;
}

pi_result cubin_check(const unsigned char *bytes, size_t size) {
  REQUIRE(size >= sizeof(Elf64_Ehdr), PI_ERROR_INVALID_BINARY,
          "damaged cubin: its %zu bytes are too few for the header", size);
  const Elf64_Ehdr header = header_of(bytes);
  REQUIRE(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
              header.e_machine == CUBIN_MACHINE,
          PI_ERROR_INVALID_BINARY, "the ELF file is no cubin: it is for machine %u, not %u",
          header.e_machine, (unsigned)CUBIN_MACHINE);
  REQUIRE(header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum != 0 &&
              header.e_shstrndx < header.e_shnum &&
              lies_inside(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr), size),
          PI_ERROR_INVALID_BINARY, "damaged cubin: its %u sections do not lie in its %zu bytes",
          header.e_shnum, size);
  REQUIRE(header.e_phnum == 0 ||
              (header.e_phentsize == sizeof(Elf64_Phdr) &&
               lies_inside(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr), size)),
          PI_ERROR_INVALID_BINARY, "damaged cubin: its %u segments do not lie in its %zu bytes",
          header.e_phnum, size);
  size_t end = later(sizeof header, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  if (header.e_phnum != 0)
    end = later(end, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  for (size_t i = 0; i < header.e_shnum; i++) {
    const Elf64_Shdr section = section_at(bytes, &header, i);
    if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
      continue;
    REQUIRE(lies_inside(section.sh_offset, section.sh_size, size), PI_ERROR_INVALID_BINARY,
            "damaged cubin: section %zu of %u does not lie in its %zu bytes", i, header.e_shnum,
            size);
    end = later(end, section.sh_offset, section.sh_size);
  }
  for (size_t i = 0; i < header.e_phnum; i++) {
    Elf64_Phdr segment;
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    REQUIRE(lies_inside(segment.p_offset, segment.p_filesz, size), PI_ERROR_INVALID_BINARY,
            "damaged cubin: segment %zu of %u does not lie in its %zu bytes", i, header.e_phnum,
            size);
    end = later(end, segment.p_offset, segment.p_filesz);
  }
  return check_rest(bytes, size, end);
}

bool cubin_is_linked(const unsigned char *bytes) {
  return header_of(bytes).e_type == ET_EXEC;
}

/* ---- Kernels ---- */

/*
 * Adds the kernels of a symbol table. budget limits the bytes to read, because in a damaged file
 * names may overlap, and reading all of them would take quadratic time. The names in a compiler's
 * file are much shorter than the file.
 */
static pi_result add_symbols(const unsigned char *bytes, const Elf64_Shdr *symbols,
                             const Elf64_Shdr *names, size_t budget, code_info *info) {
  for (uint64_t at = 0; symbols->sh_size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, bytes + symbols->sh_offset + at, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !(symbol.st_other & CUBIN_SYMBOL_ENTRY))
      continue;
    const char *name = name_at(bytes, names, symbol.st_name);
    const size_t length = strlen(name);
    if (length > budget)
      return PI_SUCCESS;
    budget -= length;
    code_kernel *kernel;
    if (length != 0)
      TRY(code_add_kernel(info, name, length, &kernel));
  }
  return PI_SUCCESS;
}

/* Reads the attribute at *at of a section and moves *at past it. Returns false at the end. */
static bool next_attribute(const unsigned char *bytes, size_t size, size_t *at, unsigned *name,
                           const unsigned char **value, size_t *value_size) {
  while (size - *at >= 4) {
    const unsigned char *text = bytes + *at;
    *at += 4;
    if (text[0] != INFO_SIZED)
      continue;
    *value_size = (size_t)(text[2] | text[3] << 8);
    if (*value_size > size - *at)
      return false;
    *name = text[1];
    *value = bytes + *at;
    *at += *value_size;
    return true;
  }
  return false;
}

/*
 * Reads a kernel's parameters and required size. The parameter count is CODE_UNKNOWN if the
 * attributes are contradictory.
 */
static pi_result read_attributes(const unsigned char *bytes, size_t size, code_kernel *kernel) {
  pi_uint32 count = 0;
  unsigned name = 0;
  const unsigned char *value = NULL;
  size_t value_size = 0;
  for (size_t at = 0; next_attribute(bytes, size, &at, &name, &value, &value_size);) {
    count += name == INFO_PARAMETER && value_size == INFO_PARAMETER_BYTES;
    pi_uint32 sizes[3];
    if (name != INFO_REQUIRED_SIZE || value_size != sizeof sizes)
      continue;
    memcpy(sizes, value, sizeof sizes);
    if (sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0)
      memcpy(kernel->required, sizes, sizeof sizes);
  }
  TRY(code_set_parameter_count(kernel, count));
  bool known = true;
  for (size_t at = 0; next_attribute(bytes, size, &at, &name, &value, &value_size);) {
    if (name != INFO_PARAMETER || value_size != INFO_PARAMETER_BYTES)
      continue;
    uint16_t place[2];
    pi_uint32 flags;
    memcpy(place, value + 4, sizeof place);
    memcpy(&flags, value + 8, sizeof flags);
    known = known && place[0] < count && kernel->parameters[place[0]].size == 0;
    if (known)
      kernel->parameters[place[0]] =
          (code_parameter){.offset = place[1], .size = flags >> INFO_PARAMETER_SIZE_AT};
  }
  for (pi_uint32 i = 0; i < count; i++)
    known = known && kernel->parameters[i].size != 0;
  if (!known)
    kernel->parameter_count = CODE_UNKNOWN;
  return PI_SUCCESS;
}

pi_result cubin_read_kernels(const unsigned char *bytes, size_t size, code_info *info) {
  static const char prefix[] = ".nv.info.";
  const Elf64_Ehdr header = header_of(bytes);
  for (size_t i = 0; i < header.e_shnum; i++) {
    const Elf64_Shdr section = section_at(bytes, &header, i);
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum)
      continue;
    const Elf64_Shdr names = section_at(bytes, &header, section.sh_link);
    TRY(add_symbols(bytes, &section, &names, size, info));
    break;
  }
  code_sort(info);
  const Elf64_Shdr names = section_at(bytes, &header, header.e_shstrndx);
  size_t budget = size;
  for (size_t i = 0; i < header.e_shnum; i++) {
    const Elf64_Shdr section = section_at(bytes, &header, i);
    const char *name = name_at(bytes, &names, section.sh_name);
    if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL ||
        strncmp(name, prefix, strlen(prefix)) != 0)
      continue;
    code_kernel *kernel = code_find(info, name + strlen(prefix));
    if (!kernel || section.sh_size > budget)
      continue;
    budget -= section.sh_size;
    TRY(read_attributes(bytes + section.sh_offset, section.sh_size, kernel));
  }
  return PI_SUCCESS;
}

pi_result cubin_merge_kernels(const unsigned char *bytes, size_t size, code_info *info) {
  code_info *own = code_new();
  REQUIRE_MEMORY(own, "a list of kernels");
  pi_result result = cubin_read_kernels(bytes, size, own);
  if (result == PI_SUCCESS)
    result = code_merge(info, own);
  code_release(own);
  return result;
}

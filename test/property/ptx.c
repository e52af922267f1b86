#include "ptx.h"

#include "child.h"
#include "memory.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

/* Returns size bytes in hexadecimal, the most significant first. */
static const char *digits_of(const unsigned char *bytes, uint32_t size) {
  char *made = memory_new(2 * size + 1);
  for (uint32_t i = 0; i < size; i++)
    snprintf(made + 2 * i, 3, "%02x", bytes[size - 1 - i]);
  return made;
}

/* Finds the constant, the record and the descriptor of an id; NULL if there is none. */
static const constant *find_id(const test_case *of, specpi_compiler_output output, uint32_t id,
                               const specpi_compiler_constant **record,
                               const specpi_compiler_descriptor **ret) {
  for (size_t i = 0; i < specpiCompilerOutputGetConstantCount(output); i++) {
    *record = specpiCompilerOutputGetConstant(output, i);
    for (size_t j = 0; j < (*record)->descriptor_count; j++)
      if ((*record)->descriptors[j].id == id) {
        *ret = &(*record)->descriptors[j];
        return records_find(of, (*record)->name);
      }
  }
  return NULL;
}

/* Checks that a place has the default, and writes the host's value there if the host sets one. */
static bool set_place(const test_case *of, specpi_compiler_output output, char *text, size_t length,
                      uint32_t id, uint32_t offset, uint32_t size) {
  const specpi_compiler_constant *record;
  const specpi_compiler_descriptor *d = NULL;
  const constant *constant = find_id(of, output, id, &record, &d);
  if (constant == NULL || d->size != size)
    return check_fail("mode patch: a place of %u bytes has id %u", size, id);
  const char *wanted = digits_of((const unsigned char *)record->default_data + d->offset, size);
  if (offset < 2 || offset + 2 * size >= length || memcmp(text + offset - 2, "0x", 2) != 0 ||
      memcmp(text + offset, wanted, 2 * size) != 0 || text[offset + 2 * size] != ';')
    return check_fail("mode patch: the place of id %u at %u has not the default 0x%s but %.*s", id,
                      offset, wanted, (int)(2 * size + 3), text + offset - 2);
  uint32_t leaf = 0;
  while (leaf < constant->leaves.count && constant->leaves.items[leaf].offset != d->offset)
    leaf++;
  if (leaf < constant->leaves.count && constant->set[leaf])
    memcpy(text + offset, digits_of(constant->value + d->offset, size), 2 * size);
  return true;
}

static bool assemble(const char *text, size_t length, const tools *with) {
  const char *path = work_path("patched.ptx");
  const char *made = work_path("patched.cubin");
  const char *said;
  work_write(path, text, length);
  const char *const argv[] = {with->ptxas, "-arch=sm_80", "-O0", path, "-o", made, NULL};
  return child_run(argv, &said) || check_fail("%s", said);
}

bool ptx_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
               const tools *with, check_counts *counts) {
  const char *name = specpiCompilerModeGetName(mode);
  const specpi_compiler_code_options options = {.optimization = of->index % 4};
  const void *data;
  size_t size;
  if (specpiCompilerOutputGenerate(output, &options, &data, &size) != SPECPI_COMPILER_SUCCESS)
    return check_fail("mode %s for nvptx64: %s", name, specpiCompilerGetLastError());
  char *text = memory_new(size + 1);
  memcpy(text, data, size);
  char *trailer = strstr(text, memory_format("//!specpi 1 %s ", name));
  if (trailer == NULL)
    return check_fail("mode %s for nvptx64: the text has no trailer", name);
  const size_t length = (size_t)(trailer - text);
  if (mode != SPECPI_COMPILER_MODE_PATCH && strstr(trailer, "//!specpi place ") != NULL)
    return check_fail("mode %s for nvptx64: the trailer has places", name);
  for (const char *line = trailer; (line = strstr(line, "//!specpi place ")) != NULL; line++) {
    char *end = (char *)(uintptr_t)line + strlen("//!specpi place");
    uint32_t place[3];
    for (int i = 0; i < 3; i++)
      place[i] = (uint32_t)strtoul(end, &end, 10);
    if (*end != '\n')
      return check_fail("mode patch: '%.40s' is no place", line);
    if (!set_place(of, output, text, length, place[0], place[1], place[2]))
      return false;
    counts->places++;
  }
  return with->ptxas[0] == '\0' || assemble(text, length, with);
}

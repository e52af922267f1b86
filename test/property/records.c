#include "records.h"

#include "memory.h"

#include <string.h>

const constant *records_find(const test_case *of, const char *name) {
  for (uint32_t i = 0; i < of->constant_count; i++)
    if (strcmp(of->constants[i].name, name) == 0)
      return &of->constants[i];
  property_die("the case has no constant '%s'", name);
}

static bool check_defaults(const test_case *of, const constant *constant,
                           const specpi_compiler_constant *record) {
  const default_value *first = &constant->defaults[0];
  if (of->in_c ? record->size < first->size : record->size != first->size)
    return check_fail("constant '%s' has a default of %u bytes, expected %u", constant->name,
                      record->size, first->size);
  const unsigned char *bytes = record->default_data;
  for (uint32_t i = 0; i < first->size; i++)
    if (bytes[i] != first->bytes[i])
      return check_fail("constant '%s': byte %u of its default is 0x%02x, expected 0x%02x",
                        constant->name, i, bytes[i], first->bytes[i]);
  return true;
}

static bool is_padding(const specpi_compiler_descriptor *descriptor) {
  return descriptor->id == SPECPI_COMPILER_PADDING;
}

/* Checks one descriptor per leaf, in order. Holes have no descriptor but take an id. */
static bool check_leaves(const test_case *of, const constant *constant,
                         const specpi_compiler_constant *record) {
  size_t next = 0;
  bool have_first = false;
  uint32_t first = 0;
  for (uint32_t i = 0; i < constant->leaves.count; i++) {
    const leaf *leaf = &constant->leaves.items[i];
    if (constant->hole[i])
      continue;
    /* Skips padding, and members that clang adds between those of the source. */
    while (next < record->descriptor_count &&
           (is_padding(&record->descriptors[next]) ||
            (of->in_c && record->descriptors[next].offset < leaf->offset)))
      next++;
    if (next == record->descriptor_count)
      return check_fail("constant '%s' has no descriptor for %s at %u", constant->name,
                        scalars[leaf->scalar].ir, leaf->offset);
    const specpi_compiler_descriptor *d = &record->descriptors[next++];
    if (!have_first)
      first = d->id - constant->ids[i];
    have_first = true;
    if (d->offset != leaf->offset || d->size != scalars[leaf->scalar].size ||
        (!of->in_c && d->id != first + constant->ids[i]))
      return check_fail("constant '%s' has descriptor {%u, %u, %u}, expected {%u, %u, %u}",
                        constant->name, d->id, d->offset, d->size, first + constant->ids[i],
                        leaf->offset, scalars[leaf->scalar].size);
  }
  for (; next < record->descriptor_count; next++)
    if (!of->in_c && !is_padding(&record->descriptors[next]))
      return check_fail("constant '%s' has a descriptor for offset %u, where nothing is",
                        constant->name, record->descriptors[next].offset);
  return true;
}

static bool check_whole(const constant *constant, const specpi_compiler_constant *record) {
  const specpi_compiler_descriptor *d = record->descriptors;
  if (d->offset != 0 || d->size != record->size || is_padding(d))
    return check_fail("constant '%s' has descriptor {%u, %u, %u} and not one for all of it",
                      constant->name, d->id, d->offset, d->size);
  return true;
}

/* Adds up gaps and sizes like a SYCL runtime, and checks that each id occurs once. */
static bool check_sums(specpi_compiler_output output) {
  size_t at = 0;
  uint64_t next_id = 0;
  for (size_t i = 0; i < specpiCompilerOutputGetConstantCount(output); i++) {
    const specpi_compiler_constant *constant = specpiCompilerOutputGetConstant(output, i);
    if (at != constant->position)
      return check_fail("constant '%s' is at %u of the defaults, and its record at %zu",
                        constant->name, constant->position, at);
    size_t local = 0;
    for (size_t j = 0; j < constant->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &constant->descriptors[j];
      if (d->offset < local || d->size == 0)
        return check_fail("constant '%s': the descriptor of %u bytes at %u overlaps",
                          constant->name, d->size, d->offset);
      at += d->offset - local + d->size;
      local = (size_t)d->offset + d->size;
      if (is_padding(d))
        continue;
      if (d->id < next_id || local > constant->size)
        return check_fail("constant '%s': {%u, %u, %u} comes after id %llu, in %u bytes",
                          constant->name, d->id, d->offset, d->size, (unsigned long long)next_id,
                          constant->size);
      next_id = (uint64_t)d->id + 1;
    }
  }
  size_t size;
  specpiCompilerOutputGetDefaults(output, &size);
  return at == size || check_fail("the records end at %zu, and the defaults at %zu", at, size);
}

bool records_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
                   check_counts *counts) {
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < of->constant_count; i++)
    wanted += mode == SPECPI_COMPILER_MODE_NATIVE || mode == SPECPI_COMPILER_MODE_PATCH ||
              (mode == SPECPI_COMPILER_MODE_EMULATE && !of->constants[i].legacy);
  const size_t count = specpiCompilerOutputGetConstantCount(output);
  if (count != wanted)
    return check_fail("mode %s: %zu constants are recorded, expected %u",
                      specpiCompilerModeGetName(mode), count, wanted);
  for (size_t i = 0; i < count; i++) {
    const specpi_compiler_constant *record = specpiCompilerOutputGetConstant(output, i);
    const constant *constant = records_find(of, record->name);
    if (!check_defaults(of, constant, record) ||
        !(mode != SPECPI_COMPILER_MODE_EMULATE ? check_leaves(of, constant, record)
                                               : check_whole(constant, record)))
      return false;
    counts->constants++;
  }
  return check_sums(output);
}

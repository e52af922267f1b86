#include "reflect_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Allocates zeroed memory. Ends the process on failure. */
static void *allocate_items(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    abort();
  return memory;
}

bool spirv_refuse(spirv_reader *reader, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->message, reader->room, format, arguments);
  va_end(arguments);
  return false;
}

const uint32_t *spirv_definition(const spirv_reader *reader, uint32_t id, uint32_t length) {
  if (id >= reader->bound || reader->places[id] == 0)
    return NULL;
  const uint32_t *instruction = reader->words + reader->places[id];
  return spirv_length(instruction) >= length ? instruction : NULL;
}

/* Returns the index of an instruction's word with the result id; 0 if it is not needed. */
static uint32_t result_word(uint32_t opcode) {
  if (opcode >= OP_TYPE_VOID && opcode <= OP_TYPE_PIPE)
    return 1;
  if ((opcode >= OP_CONSTANT_TRUE && opcode <= OP_CONSTANT_NULL) ||
      (opcode >= OP_SPEC_CONSTANT_TRUE && opcode <= OP_SPEC_CONSTANT_OP) || opcode == OP_UNDEF ||
      opcode == OP_FUNCTION || opcode == OP_FUNCTION_PARAMETER || opcode == OP_VARIABLE)
    return 2;
  return 0;
}

static bool check_header(spirv_reader *reader, const void *il, size_t size) {
  if (!il || size < SPIRV_HEADER_WORDS * 4 || size % 4 != 0 || size > UINT32_MAX)
    return spirv_refuse(reader, "%zu bytes are no SPIR-V module", size);
  memcpy(reader->words, il, size);
  reader->count = size / 4;
  reader->bound = reader->words[3];
  if (reader->words[0] != SPIRV_MAGIC)
    return spirv_refuse(reader, "0x%08x is not SPIR-V's magic number", reader->words[0]);
  if (reader->bound == 0 || reader->bound > SPIRV_IDS_MAX + 1u)
    return spirv_refuse(reader, "a bound of %u ids", reader->bound);
  return true;
}

static bool note_definition(spirv_reader *reader, size_t place) {
  const uint32_t *instruction = reader->words + place;
  const uint32_t word = result_word(spirv_opcode(instruction));
  if (word == 0)
    return true;
  if (spirv_length(instruction) <= word)
    return spirv_refuse(reader, "instruction %u at word %zu is too short",
                        spirv_opcode(instruction), place);
  const uint32_t id = instruction[word];
  if (id == 0 || id >= reader->bound || reader->places[id] != 0)
    return spirv_refuse(reader, "instruction %u at word %zu makes %%%u, which is %s",
                        spirv_opcode(instruction), place, id,
                        id == 0 || id >= reader->bound ? "beyond the bound" : "there already");
  reader->places[id] = (uint32_t)place;
  return true;
}

/* Returns the index of the word after a string in an instruction; 0 if the string has no end. */
static uint32_t string_end(const uint32_t *instruction, uint32_t word) {
  for (; word < spirv_length(instruction); word++)
    if (memchr(&instruction[word], 0, 4))
      return word + 1;
  return 0;
}

static bool note_decoration(spirv_reader *reader, const uint32_t *decoration) {
  const uint32_t length = spirv_length(decoration);
  if (length < 3 || decoration[1] >= reader->bound)
    return spirv_refuse(reader, "a decoration of %%%u with %u words",
                        length < 2 ? 0 : decoration[1], length);
  if (decoration[2] == DECORATION_CPACKED)
    reader->flags[decoration[1]] |= ID_PACKED;
  else if (decoration[2] == DECORATION_BUILT_IN)
    reader->flags[decoration[1]] |= ID_BUILT_IN;
  else if (decoration[2] == DECORATION_SPEC_ID) {
    if (length != 4)
      return spirv_refuse(reader, "a SpecId with %u words", length);
    reader->specs[decoration[1]] = (uint32_t)(decoration - reader->words);
  } else if (decoration[2] == DECORATION_LINKAGE) {
    const uint32_t end = string_end(decoration, 3);
    if (end == 0 || end + 1 != length)
      return spirv_refuse(reader, "%%%u has linkage without a name", decoration[1]);
  }
  return true;
}

/* Upper bounds of the numbers of entries, constants and symbols, to allocate one array for each. */
typedef struct sums {
  size_t entries, constants, symbols, targets;
} sums;

/* Checks the instructions' lengths and the parts that are read later; finds where ids are defined.
 */
static bool scan(spirv_reader *reader, sums *ret) {
  for (size_t place = SPIRV_HEADER_WORDS; place < reader->count;) {
    const uint32_t *instruction = reader->words + place;
    const uint32_t length = spirv_length(instruction);
    if (length == 0 || length > reader->count - place)
      return spirv_refuse(reader, "instruction %u at word %zu has %u words of %zu",
                          spirv_opcode(instruction), place, length, reader->count - place);
    if (!note_definition(reader, place))
      return false;
    switch (spirv_opcode(instruction)) {
    case OP_ENTRY_POINT:
      if (length < 4 || string_end(instruction, 3) == 0)
        return spirv_refuse(reader, "an entry point at word %zu without a name", place);
      ret->entries += instruction[1] == MODEL_KERNEL;
      break;
    case OP_DECORATE:
      if (!note_decoration(reader, instruction))
        return false;
      ret->constants += instruction[2] == DECORATION_SPEC_ID;
      ret->symbols += instruction[2] == DECORATION_LINKAGE;
      break;
    case OP_GROUP_DECORATE:
      ret->targets += length > 2 ? length - 2 : 0;
      break;
    default:
      break;
    }
    place += length;
  }
  return true;
}

static char *copy_string(const uint32_t *words) {
  const char *text = (const char *)words;
  const size_t size = strlen(text) + 1;
  return memcpy(allocate_items(size, 1), text, size);
}

static bool read_entry(spirv_reader *reader, const uint32_t *instruction, fake_reflection *ret) {
  fake_entry *entry = &ret->entries[ret->entry_count++];
  entry->name = copy_string(&instruction[3]);
  const uint32_t *function = spirv_definition(reader, instruction[2], 5);
  if (!function || spirv_opcode(function) != OP_FUNCTION)
    return spirv_refuse(reader, "kernel \"%s\" is no function", entry->name);
  const uint32_t *end = reader->words + reader->count;
  size_t count = 0;
  const uint32_t *first = function + spirv_length(function);
  for (const uint32_t *at = first; at < end && spirv_opcode(at) == OP_FUNCTION_PARAMETER;
       at += spirv_length(at))
    count++;
  /* Limits the total, because a damaged module may have many kernels that are one function. */
  if (count > reader->parameters)
    return spirv_refuse(reader, "kernels have more parameters than the module has");
  reader->parameters -= count;
  entry->arguments = allocate_items(count, sizeof *entry->arguments);
  for (const uint32_t *at = first; entry->argument_count < count; at += spirv_length(at)) {
    if (!spirv_argument(reader, at[1], &entry->arguments[entry->argument_count]))
      return false;
    entry->argument_count++;
  }
  return true;
}

static void read_constant(const spirv_reader *reader, uint32_t target, uint32_t id,
                          fake_reflection *ret) {
  const uint32_t *definition = spirv_definition(reader, target, 3);
  if (!definition || spirv_opcode(definition) < OP_SPEC_CONSTANT_TRUE ||
      spirv_opcode(definition) > OP_SPEC_CONSTANT)
    return;
  const size_t size = spirv_scalar_size(reader, definition[1]);
  if (size != 0)
    ret->constants[ret->constant_count++] = (fake_constant){.id = id, .size = size};
}

/* Reads the constants that get their SpecId from a decoration group. */
static void read_group(const spirv_reader *reader, const uint32_t *group, fake_reflection *ret) {
  if (spirv_length(group) < 2 || group[1] >= reader->bound || reader->specs[group[1]] == 0)
    return;
  const uint32_t id = reader->words[reader->specs[group[1]] + 3];
  for (uint32_t i = 2; i < spirv_length(group); i++)
    read_constant(reader, group[i], id, ret);
}

static void read_symbol(const spirv_reader *reader, const uint32_t *decoration,
                        fake_reflection *ret) {
  const uint32_t *definition = spirv_definition(reader, decoration[1], 4);
  if (!definition || reader->flags[decoration[1]] & ID_BUILT_IN)
    return;
  const uint32_t opcode = spirv_opcode(definition);
  if (opcode != OP_FUNCTION && opcode != OP_VARIABLE)
    return;
  ret->symbols[ret->symbol_count++] = (fake_symbol){
      .name = copy_string(&decoration[3]),
      .target = decoration[1],
      .is_import = decoration[spirv_length(decoration) - 1] == 1,
      .is_function = opcode == OP_FUNCTION,
  };
}

static int compare_names(const void *left, const void *right) {
  return strcmp((*(fake_entry *const *)left)->name, (*(fake_entry *const *)right)->name);
}

/* Sorts the entries by name, refuses duplicates, and marks the symbols with kernels' names. */
static bool index_entries(spirv_reader *reader, fake_reflection *ret) {
  ret->by_name = allocate_items(ret->entry_count, sizeof(fake_entry *));
  for (size_t i = 0; i < ret->entry_count; i++)
    ret->by_name[i] = &ret->entries[i];
  qsort(ret->by_name, ret->entry_count, sizeof(fake_entry *), compare_names);
  for (size_t i = 1; i < ret->entry_count; i++)
    if (strcmp(ret->by_name[i]->name, ret->by_name[i - 1]->name) == 0)
      return spirv_refuse(reader, "two kernels are called \"%s\"", ret->by_name[i]->name);
  for (size_t i = 0; i < ret->symbol_count; i++)
    ret->symbols[i].is_kernel = fake_reflection_entry(ret, ret->symbols[i].name);
  return true;
}

static int compare_constants(const void *left, const void *right) {
  const uint32_t a = ((const fake_constant *)left)->id;
  const uint32_t b = ((const fake_constant *)right)->id;
  return (a > b) - (a < b);
}

/* Sorts the constants by id, and merges constants with the same id. */
static void index_constants(fake_reflection *ret) {
  qsort(ret->constants, ret->constant_count, sizeof *ret->constants, compare_constants);
  size_t count = 0;
  for (size_t i = 0; i < ret->constant_count; i++) {
    const fake_constant constant = ret->constants[i];
    fake_constant *last = count != 0 ? &ret->constants[count - 1] : NULL;
    if (last && last->id == constant.id)
      last->is_mixed |= last->size != constant.size;
    else
      ret->constants[count++] = constant;
  }
  ret->constant_count = count;
}

static bool read_all(spirv_reader *reader, fake_reflection *ret) {
  for (size_t place = SPIRV_HEADER_WORDS; place < reader->count;
       place += spirv_length(reader->words + place)) {
    const uint32_t *instruction = reader->words + place;
    switch (spirv_opcode(instruction)) {
    case OP_ENTRY_POINT:
      if (instruction[1] == MODEL_KERNEL && !read_entry(reader, instruction, ret))
        return false;
      break;
    case OP_DECORATE:
      if (instruction[2] == DECORATION_SPEC_ID)
        read_constant(reader, instruction[1], instruction[3], ret);
      else if (instruction[2] == DECORATION_LINKAGE)
        read_symbol(reader, instruction, ret);
      break;
    case OP_GROUP_DECORATE:
      read_group(reader, instruction, ret);
      break;
    default:
      break;
    }
  }
  index_constants(ret);
  return index_entries(reader, ret);
}

bool fake_reflect(const void *il, size_t size, fake_reflection *ret, char *message, size_t room) {
  spirv_reader reader = {
      .words = allocate_items(size / 4 + 1, 4),
      .message = message,
      .room = room,
  };
  fake_reflection reflection = {0};
  bool fine = check_header(&reader, il, size);
  if (fine) {
    reader.places = allocate_items(reader.bound, sizeof *reader.places);
    reader.specs = allocate_items(reader.bound, sizeof *reader.specs);
    reader.flags = allocate_items(reader.bound, sizeof *reader.flags);
    reader.steps = 65536 + reader.count * 16;
    reader.parameters = reader.count;
    sums all = {0};
    fine = scan(&reader, &all);
    reflection.entries = allocate_items(all.entries, sizeof *reflection.entries);
    reflection.symbols = allocate_items(all.symbols, sizeof *reflection.symbols);
    reflection.constants =
        allocate_items(all.constants + all.targets, sizeof *reflection.constants);
    fine = fine && read_all(&reader, &reflection);
  }
  free(reader.words);
  free(reader.places);
  free(reader.specs);
  free(reader.flags);
  if (fine)
    *ret = reflection;
  else
    fake_reflection_end(&reflection);
  return fine;
}

void fake_reflection_end(fake_reflection *reflection) {
  for (size_t i = 0; i < reflection->entry_count; i++) {
    free(reflection->entries[i].name);
    free(reflection->entries[i].arguments);
  }
  for (size_t i = 0; i < reflection->symbol_count; i++)
    free(reflection->symbols[i].name);
  free(reflection->by_name);
  free(reflection->entries);
  free(reflection->symbols);
  free(reflection->constants);
  *reflection = (fake_reflection){0};
}

const fake_entry *fake_reflection_entry(const fake_reflection *reflection, const char *name) {
  fake_entry key = {.name = (char *)(uintptr_t)name};
  fake_entry *const at = &key;
  fake_entry *const *found =
      bsearch(&at, reflection->by_name, reflection->entry_count, sizeof at, compare_names);
  return found ? *found : NULL;
}

const fake_constant *fake_reflection_constant(const fake_reflection *reflection, uint32_t id) {
  const fake_constant key = {.id = id};
  return bsearch(&key, reflection->constants, reflection->constant_count, sizeof key,
                 compare_constants);
}

static bool is_kept(const fake_symbol *symbol) {
  return symbol->is_function && !symbol->is_import && !symbol->is_kernel;
}

void *fake_reflection_keep_functions(const fake_reflection *reflection, const void *il, size_t size,
                                     size_t *ret_size) {
  static const char extension[] = "SPV_INTEL_function_pointers";
  enum { EXTENSION_WORDS = 1 + sizeof extension / 4 };
  size_t kept = 0;
  for (size_t i = 0; i < reflection->symbol_count; i++)
    kept += is_kept(&reflection->symbols[i]);
  if (kept == 0)
    return NULL;
  uint32_t *copy = allocate_items(size / 4 + 2 + EXTENSION_WORDS + kept * 3, 4);
  const unsigned char *bytes = il;
  size_t from = SPIRV_HEADER_WORDS;
  size_t to = SPIRV_HEADER_WORDS;
  memcpy(copy, bytes, SPIRV_HEADER_WORDS * 4);
  copy[to++] = 2u << 16 | OP_CAPABILITY;
  copy[to++] = CAPABILITY_FUNCTION_POINTERS;
  bool extended = false;
  bool decorated = false;
  while (from < size / 4) {
    uint32_t head;
    memcpy(&head, bytes + from * 4, 4);
    if (!extended && spirv_opcode(&head) != OP_CAPABILITY) {
      copy[to] = EXTENSION_WORDS << 16 | OP_EXTENSION;
      memcpy(&copy[to + 1], extension, sizeof extension);
      to += EXTENSION_WORDS;
      extended = true;
    }
    if (!decorated && spirv_opcode(&head) == OP_DECORATE) {
      for (size_t i = 0; i < reflection->symbol_count; i++)
        if (is_kept(&reflection->symbols[i])) {
          copy[to++] = 3u << 16 | OP_DECORATE;
          copy[to++] = reflection->symbols[i].target;
          copy[to++] = DECORATION_REFERENCED_INDIRECTLY;
        }
      decorated = true;
    }
    memcpy(&copy[to], bytes + from * 4, (size_t)spirv_length(&head) * 4);
    to += spirv_length(&head);
    from += spirv_length(&head);
  }
  *ret_size = to * 4;
  return copy;
}

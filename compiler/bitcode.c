#include "bitcode.h"

#include <stdbool.h>
#include <string.h>

/* Numbers from LLVM's documentation of the bitcode format. */
enum {
  END_BLOCK = 0,
  ENTER_BLOCK = 1,
  DEFINE_ABBREVIATION = 2,
  PLAIN_RECORD = 3,
  FIRST_ABBREVIATION = 4,

  MODULE_BLOCK = 8,
  TYPE_BLOCK = 17,

  MODULE_GLOBAL_VARIABLE = 7, /* [name, its size, type, flags with the address space, ...] */
  GLOBAL_VARIABLE_FLAGS = 3,
  GLOBAL_VARIABLE_SPACE_SHIFT = 2,
  TYPE_POINTER = 8,         /* [pointee, address space] */
  TYPE_OPAQUE_POINTER = 25, /* [address space] */

  FIXED = 1,
  VARIABLE = 2,
  ARRAY = 3,
  CHARACTER = 4,
  BLOB = 5,
};

#define OPERANDS_MAX 32      /* limit for an abbreviation */
#define ABBREVIATIONS_MAX 32 /* limit for a block */
#define RECORD_MAX 4         /* number of a record's operands that are kept */

/* A number with its position. If width is 0, it is a literal of an abbreviation, and cannot be
 * changed. */
typedef struct number {
  uint64_t value;
  uint64_t at;
  unsigned width;
  bool variable; /* it has chunks of width bits, whose top bit is set if more chunks follow */
} number;

typedef struct operand {
  bool literal;
  unsigned encoding;
  uint64_t value; /* the literal, or the width */
} operand;

typedef struct abbreviation {
  unsigned count;
  operand operands[OPERANDS_MAX];
} abbreviation;

typedef struct reader {
  unsigned char *bytes;
  uint64_t bits;
  uint64_t at;
  bool bad; /* the bitcode is not as expected; from then on all numbers are read as 0 */
  bitcode_space_map map;
  uint64_t unknown; /* an address space without a replacement */
  bool has_unknown;
} reader;

typedef struct record {
  uint64_t code;
  uint64_t count;
  number operands[RECORD_MAX];
} record;

static uint64_t read_fixed(reader *reader, unsigned width) {
  if (reader->bad || width > 64 || width > reader->bits - reader->at) {
    reader->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < width; i++, reader->at++)
    value |= (uint64_t)(reader->bytes[reader->at / 8] >> reader->at % 8 & 1) << i;
  return value;
}

static uint64_t read_variable(reader *reader, unsigned width) {
  uint64_t value = 0;
  if (width < 2 || width > 32)
    reader->bad = true;
  for (unsigned shift = 0; !reader->bad; shift += width - 1) {
    const uint64_t chunk = read_fixed(reader, width);
    const uint64_t more = (uint64_t)1 << (width - 1);
    if (shift >= 64)
      reader->bad = true;
    else
      value |= (chunk & (more - 1)) << shift;
    if ((chunk & more) == 0)
      break;
  }
  return reader->bad ? 0 : value;
}

static void align(reader *reader) {
  reader->at = (reader->at + 31) / 32 * 32;
  if (reader->at > reader->bits)
    reader->bad = true;
}

static void skip_bits(reader *reader, uint64_t bits) {
  if (reader->bad || bits > reader->bits - reader->at)
    reader->bad = true;
  else
    reader->at += bits;
}

/* Replaces a number by another one, which must fit its width. */
static void write_number(reader *reader, const number *where, uint64_t value) {
  const unsigned width = where->variable ? where->width - 1 : where->width;
  if (reader->bad || where->width == 0 || (where->variable && where->value >> width != 0) ||
      value >> width != 0) {
    reader->bad = true;
    return;
  }
  for (unsigned i = 0; i < width; i++) {
    const uint64_t bit = where->at + i;
    const unsigned mask = 1u << bit % 8;
    reader->bytes[bit / 8] =
        (unsigned char)((reader->bytes[bit / 8] & ~mask) | (value >> i & 1 ? mask : 0));
  }
}

/* ---- Records ---- */

static void read_abbreviation(reader *reader, abbreviation *to) {
  const uint64_t count = read_variable(reader, 5);
  if (count > OPERANDS_MAX)
    reader->bad = true;
  to->count = 0;
  for (uint64_t i = 0; i < count && !reader->bad; i++) {
    operand made = {.literal = read_fixed(reader, 1) != 0};
    if (made.literal) {
      made.value = read_variable(reader, 8);
    } else {
      made.encoding = (unsigned)read_fixed(reader, 3);
      if (made.encoding == FIXED || made.encoding == VARIABLE)
        made.value = read_variable(reader, 5);
      if (made.encoding != ARRAY && made.encoding != BLOB && made.encoding != CHARACTER &&
          made.value > 64)
        reader->bad = true;
    }
    to->operands[to->count++] = made;
  }
}

static number read_operand(reader *reader, const operand *as) {
  number made = {.value = as->value, .at = reader->at};
  if (as->literal)
    return made;
  switch (as->encoding) {
  case FIXED:
    made.width = (unsigned)as->value;
    made.value = read_fixed(reader, made.width);
    break;
  case VARIABLE:
    made.width = (unsigned)as->value;
    made.variable = true;
    made.value = made.width > 0 ? read_variable(reader, made.width) : 0;
    break;
  case CHARACTER:
    made.value = read_fixed(reader, 6);
    break;
  default:
    reader->bad = true;
    break;
  }
  return made;
}

/* Adds a number to a record; the one with index 0 is the record's code. */
static void add_number(record *to, uint64_t index, number made) {
  if (index == 0)
    to->code = made.value;
  else if (index <= RECORD_MAX)
    to->operands[index - 1] = made;
  to->count = index;
}

static void read_abbreviated(reader *reader, const abbreviation *as, record *to) {
  uint64_t index = 0;
  for (unsigned i = 0; i < as->count && !reader->bad; i++) {
    const operand *at = &as->operands[i];
    if (!at->literal && at->encoding == ARRAY && i + 2 == as->count) {
      const uint64_t count = read_variable(reader, 6);
      for (uint64_t j = 0; j < count && !reader->bad; j++)
        add_number(to, index++, read_operand(reader, &as->operands[i + 1]));
      return;
    }
    if (!at->literal && at->encoding == BLOB) {
      const uint64_t count = read_variable(reader, 6);
      align(reader);
      skip_bits(reader, count > reader->bits ? reader->bits : 8 * count);
      align(reader);
      return;
    }
    add_number(to, index++, read_operand(reader, at));
  }
}

static void read_plain(reader *reader, record *to) {
  static const operand plain = {.encoding = VARIABLE, .value = 6};
  add_number(to, 0, read_operand(reader, &plain));
  const uint64_t count = read_variable(reader, 6);
  for (uint64_t i = 0; i < count && !reader->bad; i++)
    add_number(to, i + 1, read_operand(reader, &plain));
}

/* ---- Address spaces ---- */

static void map_number(reader *reader, const number *where, unsigned shift) {
  const uint64_t old = where->value >> shift;
  const uint32_t space = reader->map(old);
  if (space == BITCODE_NO_SPACE) {
    reader->unknown = old;
    reader->has_unknown = true;
  } else if (space != old) {
    write_number(reader, where,
                 (uint64_t)space << shift | (where->value & (((uint64_t)1 << shift) - 1)));
  }
}

static void map_record(reader *reader, uint64_t block, const record *of) {
  if (reader->bad)
    return;
  if (block == MODULE_BLOCK && of->code == MODULE_GLOBAL_VARIABLE &&
      of->count > GLOBAL_VARIABLE_FLAGS)
    map_number(reader, &of->operands[GLOBAL_VARIABLE_FLAGS], GLOBAL_VARIABLE_SPACE_SHIFT);
  else if (block == TYPE_BLOCK && of->code == TYPE_POINTER && of->count > 1)
    map_number(reader, &of->operands[1], 0);
  else if (block == TYPE_BLOCK && of->code == TYPE_OPAQUE_POINTER && of->count > 0)
    map_number(reader, &of->operands[0], 0);
}

/* ---- Blocks ---- */

typedef struct block {
  uint64_t id;
  unsigned width; /* width of the abbreviation ids, which start each entry */
  unsigned abbreviation_count;
} block;

static block read_block_head(reader *reader, uint64_t *words) {
  block made = {.id = read_variable(reader, 8)};
  made.width = (unsigned)read_variable(reader, 4);
  align(reader);
  *words = read_fixed(reader, 32);
  return made;
}

/* Reads a block and the relevant blocks in it, which are nested one level deep. */
static void read_block(reader *reader, block in, abbreviation *abbreviations, bool nested) {
  while (!reader->bad) {
    const uint64_t next = read_fixed(reader, in.width);
    record made = {.code = 0};
    if (next == END_BLOCK) {
      align(reader);
      return;
    }
    if (next == ENTER_BLOCK) {
      uint64_t words;
      const block inner = read_block_head(reader, &words);
      if (!nested && inner.id == TYPE_BLOCK)
        read_block(reader, inner, abbreviations + ABBREVIATIONS_MAX, true);
      else
        skip_bits(reader, 32 * words);
    } else if (next == DEFINE_ABBREVIATION) {
      if (in.abbreviation_count == ABBREVIATIONS_MAX)
        reader->bad = true;
      else
        read_abbreviation(reader, &abbreviations[in.abbreviation_count++]);
    } else if (next == PLAIN_RECORD) {
      read_plain(reader, &made);
      map_record(reader, in.id, &made);
    } else if (next - FIRST_ABBREVIATION < in.abbreviation_count) {
      read_abbreviated(reader, &abbreviations[next - FIRST_ABBREVIATION], &made);
      map_record(reader, in.id, &made);
    } else {
      reader->bad = true;
    }
  }
}

specpi_compiler_result bitcode_map_spaces(unsigned char *bytes, size_t size,
                                          bitcode_space_map map) {
  static const unsigned char magic[] = {'B', 'C', 0xC0, 0xDE};
  reader reader = {.bytes = bytes, .bits = 8 * (uint64_t)size, .map = map};
  abbreviation abbreviations[2 * ABBREVIATIONS_MAX];
  reader.bad = size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0;
  reader.at = 8 * sizeof magic;
  bool found = false;
  while (!reader.bad && reader.at < reader.bits) {
    uint64_t words;
    reader.bad = read_fixed(&reader, 2) != ENTER_BLOCK;
    const block made = read_block_head(&reader, &words);
    if (made.id == MODULE_BLOCK)
      read_block(&reader, made, abbreviations, false);
    else
      skip_bits(&reader, 32 * words);
    found = found || made.id == MODULE_BLOCK;
  }
  COMPILER_REQUIRE(!reader.bad && found, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM's bitcode is not as expected, at bit %llu", (unsigned long long)reader.at);
  COMPILER_REQUIRE(!reader.has_unknown, SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the module has pointers of address space %llu, which NVPTX has not",
                   (unsigned long long)reader.unknown);
  return SPECPI_COMPILER_SUCCESS;
}

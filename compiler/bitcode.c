#include "bitcode.h"

#include <stdbool.h>
#include <string.h>

/* LLVM's documentation of its bitcode format has these numbers. */
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

#define OPERANDS_MAX 32      /* of an abbreviation */
#define ABBREVIATIONS_MAX 32 /* of a block */
#define RECORD_MAX 4         /* that many operands of a record are kept */

/* Where a number stands. width 0: in an abbreviation, where it cannot be changed. */
typedef struct number {
  uint64_t value;
  uint64_t at;
  unsigned width;
  bool variable; /* in chunks of width bits, the highest of which says that more follow */
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
  bool bad; /* something was not as expected; numbers are 0 since */
  bitcode_space_map map;
  uint64_t unknown; /* the address space that has no replacement */
  bool has_unknown;
} reader;

typedef struct record {
  uint64_t code;
  uint64_t count;
  number operands[RECORD_MAX];
} record;

static uint64_t read_fixed(reader *it, unsigned width) {
  if (it->bad || width > 64 || width > it->bits - it->at) {
    it->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < width; i++, it->at++)
    value |= (uint64_t)(it->bytes[it->at / 8] >> it->at % 8 & 1) << i;
  return value;
}

static uint64_t read_variable(reader *it, unsigned width) {
  uint64_t value = 0;
  if (width < 2 || width > 32)
    it->bad = true;
  for (unsigned shift = 0; !it->bad; shift += width - 1) {
    const uint64_t chunk = read_fixed(it, width);
    const uint64_t more = (uint64_t)1 << (width - 1);
    if (shift >= 64)
      it->bad = true;
    else
      value |= (chunk & (more - 1)) << shift;
    if ((chunk & more) == 0)
      break;
  }
  return it->bad ? 0 : value;
}

static void align(reader *it) {
  it->at = (it->at + 31) / 32 * 32;
  if (it->at > it->bits)
    it->bad = true;
}

static void skip_bits(reader *it, uint64_t bits) {
  if (it->bad || bits > it->bits - it->at)
    it->bad = true;
  else
    it->at += bits;
}

/* Writes another number where one stands, which its width must allow. */
static void write_number(reader *it, const number *where, uint64_t value) {
  const unsigned width = where->variable ? where->width - 1 : where->width;
  if (it->bad || where->width == 0 || (where->variable && where->value >> width != 0) ||
      value >> width != 0) {
    it->bad = true;
    return;
  }
  for (unsigned i = 0; i < width; i++) {
    const uint64_t bit = where->at + i;
    const unsigned mask = 1u << bit % 8;
    it->bytes[bit / 8] =
        (unsigned char)((it->bytes[bit / 8] & ~mask) | (value >> i & 1 ? mask : 0));
  }
}

/* ---- Records ---- */

static void read_abbreviation(reader *it, abbreviation *to) {
  const uint64_t count = read_variable(it, 5);
  if (count > OPERANDS_MAX)
    it->bad = true;
  to->count = 0;
  for (uint64_t i = 0; i < count && !it->bad; i++) {
    operand made = {.literal = read_fixed(it, 1) != 0};
    if (made.literal) {
      made.value = read_variable(it, 8);
    } else {
      made.encoding = (unsigned)read_fixed(it, 3);
      if (made.encoding == FIXED || made.encoding == VARIABLE)
        made.value = read_variable(it, 5);
      if (made.encoding != ARRAY && made.encoding != BLOB && made.encoding != CHARACTER &&
          made.value > 64)
        it->bad = true;
    }
    to->operands[to->count++] = made;
  }
}

static number read_operand(reader *it, const operand *as) {
  number made = {.value = as->value, .at = it->at};
  if (as->literal)
    return made;
  switch (as->encoding) {
  case FIXED:
    made.width = (unsigned)as->value;
    made.value = read_fixed(it, made.width);
    break;
  case VARIABLE:
    made.width = (unsigned)as->value;
    made.variable = true;
    made.value = made.width > 0 ? read_variable(it, made.width) : 0;
    break;
  case CHARACTER:
    made.value = read_fixed(it, 6);
    break;
  default:
    it->bad = true;
    break;
  }
  return made;
}

/* The first number is the code. */
static void add_number(record *to, uint64_t index, number made) {
  if (index == 0)
    to->code = made.value;
  else if (index <= RECORD_MAX)
    to->operands[index - 1] = made;
  to->count = index;
}

static void read_abbreviated(reader *it, const abbreviation *as, record *to) {
  uint64_t index = 0;
  for (unsigned i = 0; i < as->count && !it->bad; i++) {
    const operand *at = &as->operands[i];
    if (!at->literal && at->encoding == ARRAY && i + 2 == as->count) {
      const uint64_t count = read_variable(it, 6);
      for (uint64_t j = 0; j < count && !it->bad; j++)
        add_number(to, index++, read_operand(it, &as->operands[i + 1]));
      return;
    }
    if (!at->literal && at->encoding == BLOB) {
      const uint64_t count = read_variable(it, 6);
      align(it);
      skip_bits(it, count > it->bits ? it->bits : 8 * count);
      align(it);
      return;
    }
    add_number(to, index++, read_operand(it, at));
  }
}

static void read_plain(reader *it, record *to) {
  static const operand plain = {.encoding = VARIABLE, .value = 6};
  add_number(to, 0, read_operand(it, &plain));
  const uint64_t count = read_variable(it, 6);
  for (uint64_t i = 0; i < count && !it->bad; i++)
    add_number(to, i + 1, read_operand(it, &plain));
}

/* ---- Address spaces ---- */

static void map_number(reader *it, const number *where, unsigned shift) {
  const uint64_t old = where->value >> shift;
  const uint32_t space = it->map(old);
  if (space == BITCODE_NO_SPACE) {
    it->unknown = old;
    it->has_unknown = true;
  } else if (space != old) {
    write_number(it, where,
                 (uint64_t)space << shift | (where->value & (((uint64_t)1 << shift) - 1)));
  }
}

static void map_record(reader *it, uint64_t block, const record *of) {
  if (it->bad)
    return;
  if (block == MODULE_BLOCK && of->code == MODULE_GLOBAL_VARIABLE &&
      of->count > GLOBAL_VARIABLE_FLAGS)
    map_number(it, &of->operands[GLOBAL_VARIABLE_FLAGS], GLOBAL_VARIABLE_SPACE_SHIFT);
  else if (block == TYPE_BLOCK && of->code == TYPE_POINTER && of->count > 1)
    map_number(it, &of->operands[1], 0);
  else if (block == TYPE_BLOCK && of->code == TYPE_OPAQUE_POINTER && of->count > 0)
    map_number(it, &of->operands[0], 0);
}

/* ---- Blocks ---- */

typedef struct block {
  uint64_t id;
  unsigned width; /* of the numbers that say what comes next */
  unsigned abbreviation_count;
} block;

static block read_block_head(reader *it, uint64_t *words) {
  block made = {.id = read_variable(it, 8)};
  made.width = (unsigned)read_variable(it, 4);
  align(it);
  *words = read_fixed(it, 32);
  return made;
}

/* Reads a block, and those in it that matter; they nest once. */
static void read_block(reader *it, block in, abbreviation *abbreviations, bool nested) {
  while (!it->bad) {
    const uint64_t next = read_fixed(it, in.width);
    record made = {.code = 0};
    if (next == END_BLOCK) {
      align(it);
      return;
    }
    if (next == ENTER_BLOCK) {
      uint64_t words;
      const block inner = read_block_head(it, &words);
      if (!nested && inner.id == TYPE_BLOCK)
        read_block(it, inner, abbreviations + ABBREVIATIONS_MAX, true);
      else
        skip_bits(it, 32 * words);
    } else if (next == DEFINE_ABBREVIATION) {
      if (in.abbreviation_count == ABBREVIATIONS_MAX)
        it->bad = true;
      else
        read_abbreviation(it, &abbreviations[in.abbreviation_count++]);
    } else if (next == PLAIN_RECORD) {
      read_plain(it, &made);
      map_record(it, in.id, &made);
    } else if (next - FIRST_ABBREVIATION < in.abbreviation_count) {
      read_abbreviated(it, &abbreviations[next - FIRST_ABBREVIATION], &made);
      map_record(it, in.id, &made);
    } else {
      it->bad = true;
    }
  }
}

specpi_compiler_result bitcode_map_spaces(unsigned char *bytes, size_t size,
                                          bitcode_space_map map) {
  static const unsigned char magic[] = {'B', 'C', 0xC0, 0xDE};
  reader it = {.bytes = bytes, .bits = 8 * (uint64_t)size, .map = map};
  abbreviation abbreviations[2 * ABBREVIATIONS_MAX];
  it.bad = size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0;
  it.at = 8 * sizeof magic;
  bool found = false;
  while (!it.bad && it.at < it.bits) {
    uint64_t words;
    it.bad = read_fixed(&it, 2) != ENTER_BLOCK;
    const block made = read_block_head(&it, &words);
    if (made.id == MODULE_BLOCK)
      read_block(&it, made, abbreviations, false);
    else
      skip_bits(&it, 32 * words);
    found = found || made.id == MODULE_BLOCK;
  }
  COMPILER_REQUIRE(!it.bad && found, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM's bitcode is not as expected, at bit %llu", (unsigned long long)it.at);
  COMPILER_REQUIRE(!it.has_unknown, SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the module has pointers of address space %llu, which NVPTX has not",
                   (unsigned long long)it.unknown);
  return SPECPI_COMPILER_SUCCESS;
}

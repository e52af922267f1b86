/* Random defaults: their text in the module, and their bytes. */
#include "case.h"
#include "memory.h"

#include <math.h>
#include <string.h>

static void start(const type *of, uint32_t extra, default_value *ret) {
  ret->size = of->stored + extra;
  ret->bytes = memory_new(ret->size);
  ret->defined = memory_new(ret->size);
}

static void put(default_value *to, uint32_t offset, uint64_t bits, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    to->bytes[offset + i] = (unsigned char)(bits >> (8 * i));
  memset(to->defined + offset, 1, size);
}

static void put_zeros(default_value *to, uint32_t at, const type *of) {
  uint32_t offset;
  if (of->kind == TYPE_SCALAR)
    put(to, at, 0, scalars[of->scalar].size);
  else
    for (uint32_t i = 0; i < of->count; i++) {
      const type *part = type_part(of, i, &offset);
      put_zeros(to, at + offset, part);
    }
}

void default_make_zero(const type *of, default_value *ret) {
  start(of, 0, ret);
  put_zeros(ret, 0, of);
  ret->type = type_ir(of);
  ret->text = of->kind == TYPE_SCALAR ? "0" : "zeroinitializer";
}

void default_make_elements(generator *from, const type *of, default_value *ret) {
  const uint32_t number = 1 + random_below(from, ELEMENTS_MAX);
  start(of, 0, ret);
  put(ret, 0, number, scalars[of->scalar].size);
  ret->type = type_ir(of);
  ret->text = memory_format("%u", number);
}

/* ---- In LLVM's assembly ---- */

/* Returns the bits of the double that LLVM's assembly has for a float, with a NaN's payload. */
static uint64_t widen(uint32_t bits) {
  const uint64_t sign = (uint64_t)(bits >> 31) << 63;
  if ((bits >> 23 & 255) == 255)
    return sign | UINT64_C(0x7FF) << 52 | (uint64_t)(bits & 0x7FFFFF) << 29;
  float narrow;
  memcpy(&narrow, &bits, sizeof narrow);
  const double wide = (double)narrow;
  uint64_t result;
  memcpy(&result, &wide, sizeof result);
  return result;
}

static void print_number(FILE *to, scalar of, uint64_t bits) {
  switch (of) {
  case SCALAR_HALF:
    fprintf(to, "0xH%04llX", (unsigned long long)bits);
    return;
  case SCALAR_FLOAT:
    fprintf(to, "0x%016llX", (unsigned long long)widen((uint32_t)bits));
    return;
  case SCALAR_DOUBLE:
    fprintf(to, "0x%016llX", (unsigned long long)bits);
    return;
  case SCALAR_BOOL:
    fprintf(to, "%s", bits ? "true" : "false");
    return;
  default:
    fprintf(to, "%llu", (unsigned long long)bits);
  }
}

static void print_bytes(FILE *to, uint64_t bits, uint32_t size) {
  fprintf(to, "c\"");
  for (uint32_t i = 0; i < size; i++)
    fprintf(to, "\\%02X", (unsigned)(bits >> (8 * i) & 255));
  fprintf(to, "\"");
}

/* Writes a default of the constant's own type. */
static void write_same(generator *from, FILE *to, const type *of, uint32_t at, default_value *ret) {
  if (random_chance(from, 4)) {
    fprintf(to, "undef");
    return;
  }
  if (of->kind == TYPE_SCALAR) {
    const uint64_t bits = case_bits(from, of->scalar);
    put(ret, at, bits, scalars[of->scalar].size);
    print_number(to, of->scalar, bits);
    return;
  }
  if (random_chance(from, 8)) {
    fprintf(to, "zeroinitializer");
    put_zeros(ret, at, of);
    return;
  }
  static const char *const brackets[][2] = {
      [TYPE_VECTOR] = {"<", ">"}, [TYPE_ARRAY] = {"[", "]"}, [TYPE_STRUCT] = {"{ ", " }"}};
  const bool packed = of->kind == TYPE_STRUCT && of->packed;
  fprintf(to, "%s%s", packed ? "<" : "", brackets[of->kind][0]);
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    fprintf(to, "%s%s ", i ? ", " : "", type_ir(part));
    write_same(from, to, part, at + offset, ret);
  }
  fprintf(to, "%s%s", brackets[of->kind][1], packed ? ">" : "");
}

/* Writes one item of a flat default: a type, a blank, a constant. */
static void write_leaf(generator *from, FILE *type_to, FILE *to, const leaf *leaf,
                       default_value *ret) {
  const uint32_t size = scalars[leaf->scalar].size;
  const uint64_t bits = case_bits(from, leaf->scalar);
  const uint32_t form = random_below(from, 100);
  const char *name = leaf->scalar == SCALAR_BOOL ? "i8" : scalars[leaf->scalar].ir;
  if (form < 15)
    name = scalars[leaf->scalar].integer;
  else if (form < 30)
    name = memory_format("[%u x i8]", size);
  fprintf(type_to, "%s", name);
  fprintf(to, "%s ", name);
  if (form >= 96) {
    fprintf(to, "undef");
    return;
  }
  put(ret, leaf->offset, bits, size);
  if (form < 15 || leaf->scalar == SCALAR_BOOL)
    form >= 15 && form < 30 ? print_bytes(to, bits, 1) : print_number(to, SCALAR_I64, bits);
  else if (form < 30)
    print_bytes(to, bits, size);
  else
    print_number(to, leaf->scalar, bits);
}

static void write_gap(generator *from, FILE *type_to, FILE *to, uint32_t at, uint32_t size,
                      default_value *ret) {
  const bool zero = random_chance(from, 50);
  fprintf(type_to, "[%u x i8]", size);
  fprintf(to, "[%u x i8] %s", size, zero ? "zeroinitializer" : "undef");
  if (zero)
    memset(ret->defined + at, 1, size);
}

/* Writes a default of another type: all leaves and all gaps in one packed structure. */
static void write_flat(generator *from, FILE *type_to, FILE *to, const type *of, uint32_t extra,
                       default_value *ret) {
  leaf_list leaves;
  type_leaves(of, &leaves);
  uint32_t at = 0;
  fprintf(type_to, "<{ ");
  fprintf(to, "<{ ");
  for (uint32_t i = 0; i <= leaves.count; i++) {
    const uint32_t next = i < leaves.count ? leaves.items[i].offset : of->stored + extra;
    if (i > 0 && (i < leaves.count || next > at)) {
      fprintf(type_to, ", ");
      fprintf(to, ", ");
    }
    if (next > at) {
      write_gap(from, type_to, to, at, next - at, ret);
      if (i < leaves.count) {
        fprintf(type_to, ", ");
        fprintf(to, ", ");
      }
    }
    if (i == leaves.count)
      break;
    write_leaf(from, type_to, to, &leaves.items[i], ret);
    at = next + scalars[leaves.items[i].scalar].size;
  }
  fprintf(type_to, " }>");
  fprintf(to, " }>");
}

void default_make_ir(generator *from, const type *of, default_value *ret) {
  text value;
  text_open(&value);
  if (random_chance(from, 60) && !(of->kind == TYPE_SCALAR && of->scalar == SCALAR_BOOL)) {
    start(of, 0, ret);
    write_same(from, value.file, of, 0, ret);
    ret->type = type_ir(of);
    ret->text = text_close(&value);
    return;
  }
  if (of->kind == TYPE_SCALAR) {
    /* Some compilers write a boolean default as one bit instead of a byte. */
    const bool bit = of->scalar == SCALAR_BOOL && random_chance(from, 30);
    const uint64_t bits = case_bits(from, of->scalar);
    start(of, 0, ret);
    put(ret, 0, bits, scalars[of->scalar].size);
    print_number(value.file, bit ? SCALAR_BOOL : SCALAR_I64, bits);
    ret->type = bit ? "i1" : scalars[of->scalar].integer;
    ret->text = text_close(&value);
    return;
  }
  const uint32_t extra = random_chance(from, 10) ? 4 : 0;
  text name;
  text_open(&name);
  start(of, extra, ret);
  write_flat(from, name.file, value.file, of, extra, ret);
  ret->type = text_close(&name);
  const char *literal = text_close(&value);
  ret->text = literal;
}

/* ---- In OpenCL C ---- */

static double half_value(uint32_t bits) {
  const int exponent = (int)(bits >> 10 & 31);
  const double mantissa = (double)(bits & 1023);
  const double value =
      exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024.0, exponent - 25);
  return bits >> 15 ? -value : value;
}

/* Makes NaNs quiet and without a payload, as OpenCL C can write only NAN. */
static uint64_t quiet(scalar of, uint64_t bits) {
  switch (of) {
  case SCALAR_HALF:
    return (bits & 0x7FFF) > 0x7C00 ? 0x7E00 : bits;
  case SCALAR_FLOAT:
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000 : bits;
  case SCALAR_DOUBLE:
    return (bits & INT64_MAX) > UINT64_C(0x7FF0000000000000) ? UINT64_C(0x7FF8000000000000) : bits;
  default:
    return bits;
  }
}

static void print_real_c(FILE *to, scalar of, uint64_t bits) {
  double value;
  bool infinite;
  if (of == SCALAR_HALF) {
    value = half_value((uint32_t)bits);
    infinite = (bits & 0x7C00) == 0x7C00;
  } else if (of == SCALAR_FLOAT) {
    const uint64_t wide = widen((uint32_t)bits);
    memcpy(&value, &wide, sizeof value);
    infinite = (bits & 0x7F800000) == 0x7F800000;
  } else {
    memcpy(&value, &bits, sizeof value);
    infinite = (bits >> 52 & 0x7FF) == 0x7FF;
  }
  const bool nan = infinite && (bits & (of == SCALAR_HALF    ? 0x3FF
                                        : of == SCALAR_FLOAT ? 0x7FFFFF
                                                             : UINT64_C(0xFFFFFFFFFFFFF))) != 0;
  const char *suffix = of == SCALAR_DOUBLE ? "" : "f";
  fprintf(to, "(%s)", scalars[of].c);
  if (nan)
    fprintf(to, "__builtin_nan%s(\"\")", suffix);
  else if (infinite)
    fprintf(to, "%s__builtin_inf%s()", bits >> (8 * scalars[of].size - 1) ? "-" : "", suffix);
  else
    fprintf(to, "%a%s", value, suffix);
}

static void write_c(generator *from, FILE *to, const type *of, uint32_t at, default_value *ret) {
  if (of->kind == TYPE_SCALAR) {
    const uint64_t bits = quiet(of->scalar, case_bits(from, of->scalar));
    put(ret, at, bits, scalars[of->scalar].size);
    if (of->scalar >= SCALAR_HALF)
      print_real_c(to, of->scalar, bits);
    else
      fprintf(to, "(%s)0x%llxUL", scalars[of->scalar].c, (unsigned long long)bits);
    return;
  }
  if (of->kind != TYPE_VECTOR && random_chance(from, 8)) {
    fprintf(to, "{}");
    put_zeros(ret, at, of);
    return;
  }
  if (of->kind == TYPE_VECTOR)
    fprintf(to, "(%s)(", type_c(of, ""));
  else
    fprintf(to, "{");
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    if (i > 0)
      fprintf(to, ", ");
    write_c(from, to, part, at + offset, ret);
  }
  fprintf(to, of->kind == TYPE_VECTOR ? ")" : "}");
}

void default_make_c(generator *from, const type *of, default_value *ret) {
  text value;
  text_open(&value);
  start(of, 0, ret);
  write_c(from, value.file, of, 0, ret);
  ret->text = text_close(&value);
  ret->type = NULL;
}

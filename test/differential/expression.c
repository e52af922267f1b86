#include "writer.h"

#include "../property/memory.h"

#include <inttypes.h>

const number_facts numbers[NUMBER_COUNT] = {
#define NUMBER(NAME, name, u, s, bits, has_sign, floating)                                         \
  {name, NUMBER_##u, NUMBER_##s, bits, has_sign, floating},
    NUMBERS(NUMBER)
#undef NUMBER
};

static const uint32_t widths[] = {1, 2, 3, 4, 8, 16};

const char *form_name(form form) {
  return form.width == 1 ? numbers[form.of].name
                         : memory_format("%s%u", numbers[form.of].name, form.width);
}

form form_random(writer *writer, bool scalar) {
  const uint32_t kind = random_below(&writer->from, NUMBER_COUNT);
  const bool wide = !scalar && random_chance(&writer->from, 35);
  const uint32_t width =
      widths[random_below(&writer->from, random_chance(&writer->from, 25) ? 6 : 4)];
  return (form){(number)kind, wide ? width : 1};
}

part part_begin(writer *writer) {
  const uint32_t number = writer->of->parts < PARTS_MAX ? writer->of->parts++ : PARTS_MAX - 1;
  const part ret = {writer->to, writer->of->without[number] != 0};
  if (ret.without)
    writer->to = writer->nowhere;
  return ret;
}

void part_end(writer *writer, part at) {
  writer->to = at.before;
}

/* ---- Leaves ---- */

static void write_literal(writer *writer, form of) {
  static const uint64_t special[] = {0,          1,          2,          7,         0x7f,
                                     0x80,       0xff,       0x7fff,     0x8000,    0xffff,
                                     0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
  const uint64_t bits = random_bits(&writer->from);
  const uint64_t value = random_chance(&writer->from, 50)
                             ? special[bits % (sizeof special / sizeof special[0])]
                             : bits;
  const char *name = form_name(of);
  if (numbers[of.of].floating)
    fprintf(writer->to, "((%s)%d.%d%s)", name, (int)(bits >> 8 & 0xfff) - 2048,
            (int)(bits & 3) * 25, of.of == NUMBER_FLOAT ? "f" : "");
  else
    fprintf(writer->to, "((%s)(%s)0x%" PRIx64 "ul)", name, numbers[of.of].name, value);
}

/* Writes a number of the input, whose bits are random; floating-point numbers are made small. */
static void write_input(writer *writer, form of) {
  const uint32_t at = random_below(&writer->from, INPUTS);
  if (of.width > 1)
    fprintf(writer->to, "((%s)(", form_name(of));
  for (uint32_t i = 0; i < of.width; i++) {
    fprintf(writer->to, "%s", i == 0 ? "" : ", ");
    if (numbers[of.of].floating)
      fprintf(writer->to, "((%s)(short)in[(%u + id * 7) & %d] * (%s)0.125)", numbers[of.of].name,
              at + i * 31, INPUTS - 1, numbers[of.of].name);
    else
      fprintf(writer->to, "((%s)in[(%u + id * 5) & %d])", numbers[of.of].name, at + i * 31,
              INPUTS - 1);
  }
  if (of.width > 1)
    fputs("))", writer->to);
}

/* Writes a variable of the form, if there is one. */
static bool write_variable(writer *writer, form of) {
  const uint32_t first = random_below(&writer->from, VARIABLES_MAX);
  for (uint32_t i = 0; i < VARIABLES_MAX; i++) {
    const uint32_t at = (first + i) % VARIABLES_MAX;
    if (at >= writer->count || writer->variables[at].of != of.of ||
        writer->variables[at].width != of.width)
      continue;
    fprintf(writer->to, "v%u", at);
    return true;
  }
  return false;
}

static void write_leaf(writer *writer, form of) {
  const uint32_t choice = random_below(&writer->from, 10);
  if (choice < 6 && write_variable(writer, of))
    return;
  if (writer->in_function || choice == 9) {
    write_literal(writer, of);
  } else if (choice == 8 && of.of == NUMBER_U32 && of.width == 1) {
    static const char *const ids[] = {"id",
                                      "local_id",
                                      "get_group_id(0)",
                                      "get_global_size(0)",
                                      "get_local_size(0)",
                                      "get_sub_group_local_id()",
                                      "get_sub_group_id()",
                                      "get_num_sub_groups()",
                                      "get_max_sub_group_size()"};
    fprintf(writer->to, "((uint)%s)", ids[random_below(&writer->from, 9)]);
  } else if (choice == 7 && of.of == NUMBER_I32 && of.width == 1) {
    fprintf(writer->to, "constant%u()", random_below(&writer->from, CONSTANTS));
  } else if (choice == 6 && writer->depth > 0 && of.of == NUMBER_U32 && of.width == 1 &&
             writer->open[writer->depth - 1] != 0) {
    fprintf(writer->to, "l%u", writer->open[writer->depth - 1]);
  } else {
    write_input(writer, of);
  }
}

/* ---- Operators ---- */

/*
 * Writes a pattern, in which $ is an operand, % an operand with a sign, @ the form's name, # the
 * name of the form without a sign, and ! the name of its number type. Other characters are literal.
 */
static void write_pattern(writer *writer, const char *pattern, form of, uint32_t depth) {
  const form mask = {numbers[of.of].with_sign, of.width};
  const form bare = {numbers[of.of].without_sign, of.width};
  for (const char *c = pattern; *c != '\0'; c++)
    if (*c == '$')
      expression_write(writer, of, depth);
    else if (*c == '%')
      expression_write(writer, mask, depth);
    else if (*c == '@')
      fputs(form_name(of), writer->to);
    else if (*c == '#')
      fputs(form_name(bare), writer->to);
    else if (*c == '!')
      fputs(numbers[of.of].name, writer->to);
    else
      fputc(*c, writer->to);
}

static const char *const integer_patterns[] = {
    /* Without mad_sat: on Intel's runtime its sum wraps if its product does not saturate. */
    "x_add($, $)",
    "x_sub($, $)",
    "x_mul($, $)",
    "x_div($, $)",
    "x_mod($, $)",
    "x_shl($, $)",
    "x_shr($, $)",
    "x_less($, $)",
    "x_equal($, $)",
    "x_select($, $, %)",
    "(@)($ & $)",
    "(@)($ | $)",
    "(@)($ ^ $)",
    "(@)(~$)",
    "min($, $)",
    "max($, $)",
    "clamp($, (@)(!)3, (@)(!)100)",
    "mul_hi($, $)",
    "mad_hi($, $, $)",
    "add_sat($, $)",
    "sub_sat($, $)",
    "hadd($, $)",
    "rhadd($, $)",
    "rotate($, $)",
    "clz($)",
    "ctz($)",
    "popcount($)",
    "as_@(abs($))",
    "as_@(abs_diff($, $))",
    "bitselect($, $, $)",
};
static const char *const floating_patterns[] = {
    "x_add($, $)",
    "x_sub($, $)",
    "x_mul($, $)",
    "x_select($, $, %)",
    "fma($, $, $)",
    "fabs($)",
    "(-$)",
    "floor($)",
    "ceil($)",
    "trunc($)",
    "rint($)",
    "round($)",
    "copysign($, x_one_nan($))",
    "x_finite($)",
    "x_one_nan($)",
    "fmod($, $)",
    "nextafter($, $)",
    "x_finite($)",
    "x_add($, $)",
    "x_mul($, $)",
};
#define PICK(writer, list) ((list)[random_below(&(writer)->from, sizeof(list) / sizeof(list)[0])])

/* Writes a conversion from another form of the same width. */
static void write_conversion(writer *writer, form of, uint32_t depth) {
  static const char *const roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  const form from = {(number)random_below(&writer->from, NUMBER_COUNT), of.width};
  const bool saturates =
      !numbers[of.of].floating && (numbers[from.of].floating || random_chance(&writer->from, 40));
  const char *rounding =
      numbers[of.of].floating || numbers[from.of].floating ? PICK(writer, roundings) : "";
  fprintf(writer->to, "convert_%s%s%s(%s", form_name(of), saturates ? "_sat" : "", rounding,
          numbers[from.of].floating ? numbers[of.of].floating ? "x_one_nan(" : "x_finite(" : "");
  expression_write(writer, from, depth);
  fputs(numbers[from.of].floating ? "))" : ")", writer->to);
}

/* Writes a reinterpretation of another form's bits. */
static void write_bits(writer *writer, form of, uint32_t depth) {
  form from = of;
  do
    from.of = (number)random_below(&writer->from, NUMBER_COUNT);
  while (numbers[from.of].bits != numbers[of.of].bits);
  fprintf(writer->to, "as_%s(%s", form_name(of), numbers[from.of].floating ? "x_one_nan(" : "(");
  expression_write(writer, from, depth);
  fputs("))", writer->to);
}

/* Writes a vector: of parts, or of elements of other vectors. */
static void write_vector(writer *writer, form of, uint32_t depth) {
  const uint32_t choice = random_below(&writer->from, 4);
  if (choice == 0 && of.width > 3) {
    const form half = {of.of, of.width / 2};
    fprintf(writer->to, "((%s)(", form_name(of));
    expression_write(writer, half, depth);
    fputs(", ", writer->to);
    expression_write(writer, half, depth);
    fputs("))", writer->to);
  } else if (choice == 1 && of.width != 3) {
    const form indices = {numbers[of.of].without_sign, of.width};
    fputs("shuffle2(", writer->to);
    expression_write(writer, of, depth);
    fputs(", ", writer->to);
    expression_write(writer, of, depth);
    fputs(", ", writer->to);
    expression_write(writer, indices, depth > 0 ? depth - 1 : 0);
    fputs(")", writer->to);
  } else if (choice == 2 && of.width <= 4) {
    const form from = {of.of, 4};
    static const char letters[] = "xyzw";
    fputs("(", writer->to);
    expression_write(writer, from, depth);
    fputs(").", writer->to);
    for (uint32_t i = 0; i < of.width; i++)
      fputc(letters[random_below(&writer->from, 4)], writer->to);
  } else {
    const form part = {of.of, 1};
    fprintf(writer->to, "((%s)(", form_name(of));
    expression_write(writer, part, depth);
    fputs("))", writer->to);
  }
}

/* Writes an element of a vector, or a function whose result is one number. */
static void write_number(writer *writer, form of, uint32_t depth) {
  const form wide = {of.of, widths[1 + random_below(&writer->from, 5)]};
  const uint32_t choice = random_below(&writer->from, 4);
  if (choice == 0 && of.of == NUMBER_I32) {
    fprintf(writer->to, "%s(", random_chance(&writer->from, 50) ? "any" : "all");
    expression_write(writer, (form){NUMBER_I32, wide.width}, depth);
    fputs(")", writer->to);
  } else if (choice == 1 && of.of == NUMBER_U16) {
    static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    fprintf(writer->to, "x_to_half%s(", PICK(writer, roundings));
    expression_write(writer, (form){NUMBER_FLOAT, 1}, depth);
    fputs(")", writer->to);
  } else if (choice == 1 && of.of == NUMBER_FLOAT) {
    fputs("x_from_half(", writer->to);
    expression_write(writer, (form){NUMBER_U16, 1}, depth);
    fputs(")", writer->to);
  } else if (choice == 1 && of.of == NUMBER_DOUBLE) {
    write_pattern(writer, random_chance(&writer->from, 50) ? "($ / $)" : "sqrt(fabs($))", of,
                  depth);
  } else if (choice == 2) {
    fprintf(writer->to, "(%s)(", form_name(of));
    condition_write(writer, depth);
    write_pattern(writer, " ? $ : $)", of, depth);
  } else {
    fputs("(", writer->to);
    expression_write(writer, wide, depth);
    fprintf(writer->to, ").s%x", random_below(&writer->from, wide.width));
  }
}

static bool write_call(writer *writer, form of, uint32_t depth) {
  for (uint32_t i = 0; i < writer->functions_known; i++) {
    const function *called = &writer->functions[i];
    if (called->result.of != of.of || called->result.width != of.width)
      continue;
    fprintf(writer->to, "f%u_%u(", writer->of->index, i);
    for (uint32_t j = 0; j < called->count; j++) {
      fputs(j == 0 ? "" : ", ", writer->to);
      expression_write(writer, called->parameters[j], depth);
    }
    fputs(")", writer->to);
    return true;
  }
  return false;
}

static void write_operator(writer *writer, form of, uint32_t depth) {
  const uint32_t choice = random_below(&writer->from, 100);
  if (choice < 10 && write_call(writer, of, depth))
    return;
  if (choice < 22)
    write_conversion(writer, of, depth);
  else if (choice < 30)
    write_bits(writer, of, depth);
  else if (choice < 42 && of.width > 1)
    write_vector(writer, of, depth);
  else if (choice < 42)
    write_number(writer, of, depth);
  else if (numbers[of.of].floating)
    write_pattern(writer, PICK(writer, floating_patterns), of, depth);
  else
    write_pattern(writer, PICK(writer, integer_patterns), of, depth);
}

void expression_write(writer *writer, form of, uint32_t depth) {
  const part at = part_begin(writer);
  if (at.without)
    fprintf(at.before, "((%s)1)", form_name(of));
  if (depth == 0 || random_chance(&writer->from, 15))
    write_leaf(writer, of);
  else
    write_operator(writer, of, depth - 1);
  part_end(writer, at);
}

void condition_write(writer *writer, uint32_t depth) {
  static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
  const form of = form_random(writer, true);
  fputs("(", writer->to);
  expression_write(writer, of, depth);
  fprintf(writer->to, " %s ", PICK(writer, comparisons));
  expression_write(writer, of, depth);
  fputs(")", writer->to);
}

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

const char *form_name(form it) {
  return it.width == 1 ? numbers[it.of].name : memory_format("%s%u", numbers[it.of].name, it.width);
}

form form_random(writer *it, bool scalar) {
  const uint32_t kind = random_below(&it->from, NUMBER_COUNT);
  const bool wide = !scalar && random_chance(&it->from, 35);
  const uint32_t width = widths[random_below(&it->from, random_chance(&it->from, 25) ? 6 : 4)];
  return (form){(number)kind, wide ? width : 1};
}

part part_begin(writer *it) {
  const uint32_t number = it->of->parts < PARTS_MAX ? it->of->parts++ : PARTS_MAX - 1;
  const part ret = {it->to, it->of->without[number] != 0};
  if (ret.without)
    it->to = it->nowhere;
  return ret;
}

void part_end(writer *it, part at) {
  it->to = at.before;
}

/* ---- Leaves ---- */

static void write_literal(writer *it, form of) {
  static const uint64_t special[] = {0,          1,          2,          7,         0x7f,
                                     0x80,       0xff,       0x7fff,     0x8000,    0xffff,
                                     0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
  const uint64_t bits = random_bits(&it->from);
  const uint64_t value =
      random_chance(&it->from, 50) ? special[bits % (sizeof special / sizeof special[0])] : bits;
  const char *name = form_name(of);
  if (numbers[of.of].floating)
    fprintf(it->to, "((%s)%d.%d%s)", name, (int)(bits >> 8 & 0xfff) - 2048, (int)(bits & 3) * 25,
            of.of == NUMBER_FLOAT ? "f" : "");
  else
    fprintf(it->to, "((%s)(%s)0x%" PRIx64 "ul)", name, numbers[of.of].name, value);
}

/* A number of the input, which has all bits at random; a small one where it is floating. */
static void write_input(writer *it, form of) {
  const uint32_t at = random_below(&it->from, INPUTS);
  if (of.width > 1)
    fprintf(it->to, "((%s)(", form_name(of));
  for (uint32_t i = 0; i < of.width; i++) {
    fprintf(it->to, "%s", i == 0 ? "" : ", ");
    if (numbers[of.of].floating)
      fprintf(it->to, "((%s)(short)in[(%u + id * 7) & %d] * (%s)0.125)", numbers[of.of].name,
              at + i * 31, INPUTS - 1, numbers[of.of].name);
    else
      fprintf(it->to, "((%s)in[(%u + id * 5) & %d])", numbers[of.of].name, at + i * 31, INPUTS - 1);
  }
  if (of.width > 1)
    fputs("))", it->to);
}

/* A variable of the form, if there is one. */
static bool write_variable(writer *it, form of) {
  const uint32_t first = random_below(&it->from, VARIABLES_MAX);
  for (uint32_t i = 0; i < VARIABLES_MAX; i++) {
    const uint32_t at = (first + i) % VARIABLES_MAX;
    if (at >= it->count || it->variables[at].of != of.of || it->variables[at].width != of.width)
      continue;
    fprintf(it->to, "v%u", at);
    return true;
  }
  return false;
}

static void write_leaf(writer *it, form of) {
  const uint32_t choice = random_below(&it->from, 10);
  if (choice < 6 && write_variable(it, of))
    return;
  if (it->in_function || choice == 9) {
    write_literal(it, of);
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
    fprintf(it->to, "((uint)%s)", ids[random_below(&it->from, 9)]);
  } else if (choice == 7 && of.of == NUMBER_I32 && of.width == 1) {
    fprintf(it->to, "constant%u()", random_below(&it->from, CONSTANTS));
  } else if (choice == 6 && it->depth > 0 && of.of == NUMBER_U32 && of.width == 1 &&
             it->open[it->depth - 1] != 0) {
    fprintf(it->to, "l%u", it->open[it->depth - 1]);
  } else {
    write_input(it, of);
  }
}

/* ---- Operators ---- */

/* Writes a pattern: x, y, z are expressions of the form, other letters are themselves. */
static void write_pattern(writer *it, const char *pattern, form of, uint32_t depth) {
  const form mask = {numbers[of.of].with_sign, of.width};
  const form bare = {numbers[of.of].without_sign, of.width};
  for (const char *c = pattern; *c != '\0'; c++)
    if (*c == '$')
      expression_write(it, of, depth);
    else if (*c == '%')
      expression_write(it, mask, depth);
    else if (*c == '@')
      fputs(form_name(of), it->to);
    else if (*c == '#')
      fputs(form_name(bare), it->to);
    else if (*c == '!')
      fputs(numbers[of.of].name, it->to);
    else
      fputc(*c, it->to);
}

/* $ is an operand, % one with a sign, @ the form, # the one without a sign, ! that of its numbers.
 */
static const char *const integer_patterns[] = {
    /* Not mad_sat, whose sum wraps on Intel's runtime where its product does not. */
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
#define PICK(it, list) ((list)[random_below(&(it)->from, sizeof(list) / sizeof(list)[0])])

/* From another form of as many numbers. */
static void write_conversion(writer *it, form of, uint32_t depth) {
  static const char *const roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  const form from = {(number)random_below(&it->from, NUMBER_COUNT), of.width};
  const bool saturates =
      !numbers[of.of].floating && (numbers[from.of].floating || random_chance(&it->from, 40));
  const char *rounding =
      numbers[of.of].floating || numbers[from.of].floating ? PICK(it, roundings) : "";
  fprintf(it->to, "convert_%s%s%s(%s", form_name(of), saturates ? "_sat" : "", rounding,
          numbers[from.of].floating ? numbers[of.of].floating ? "x_one_nan(" : "x_finite(" : "");
  expression_write(it, from, depth);
  fputs(numbers[from.of].floating ? "))" : ")", it->to);
}

/* The bits of another form. */
static void write_bits(writer *it, form of, uint32_t depth) {
  form from = of;
  do
    from.of = (number)random_below(&it->from, NUMBER_COUNT);
  while (numbers[from.of].bits != numbers[of.of].bits);
  fprintf(it->to, "as_%s(%s", form_name(of), numbers[from.of].floating ? "x_one_nan(" : "(");
  expression_write(it, from, depth);
  fputs("))", it->to);
}

/* A vector of parts, or of the numbers of another one. */
static void write_vector(writer *it, form of, uint32_t depth) {
  const uint32_t choice = random_below(&it->from, 4);
  if (choice == 0 && of.width > 3) {
    const form half = {of.of, of.width / 2};
    fprintf(it->to, "((%s)(", form_name(of));
    expression_write(it, half, depth);
    fputs(", ", it->to);
    expression_write(it, half, depth);
    fputs("))", it->to);
  } else if (choice == 1 && of.width != 3) {
    const form indices = {numbers[of.of].without_sign, of.width};
    fputs("shuffle2(", it->to);
    expression_write(it, of, depth);
    fputs(", ", it->to);
    expression_write(it, of, depth);
    fputs(", ", it->to);
    expression_write(it, indices, depth > 0 ? depth - 1 : 0);
    fputs(")", it->to);
  } else if (choice == 2 && of.width <= 4) {
    const form from = {of.of, 4};
    static const char letters[] = "xyzw";
    fputs("(", it->to);
    expression_write(it, from, depth);
    fputs(").", it->to);
    for (uint32_t i = 0; i < of.width; i++)
      fputc(letters[random_below(&it->from, 4)], it->to);
  } else {
    const form part = {of.of, 1};
    fprintf(it->to, "((%s)(", form_name(of));
    expression_write(it, part, depth);
    fputs("))", it->to);
  }
}

/* One number of a vector, or something that is one number. */
static void write_number(writer *it, form of, uint32_t depth) {
  const form wide = {of.of, widths[1 + random_below(&it->from, 5)]};
  const uint32_t choice = random_below(&it->from, 4);
  if (choice == 0 && of.of == NUMBER_I32) {
    fprintf(it->to, "%s(", random_chance(&it->from, 50) ? "any" : "all");
    expression_write(it, (form){NUMBER_I32, wide.width}, depth);
    fputs(")", it->to);
  } else if (choice == 1 && of.of == NUMBER_U16) {
    static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    fprintf(it->to, "x_to_half%s(", PICK(it, roundings));
    expression_write(it, (form){NUMBER_FLOAT, 1}, depth);
    fputs(")", it->to);
  } else if (choice == 1 && of.of == NUMBER_FLOAT) {
    fputs("x_from_half(", it->to);
    expression_write(it, (form){NUMBER_U16, 1}, depth);
    fputs(")", it->to);
  } else if (choice == 1 && of.of == NUMBER_DOUBLE) {
    write_pattern(it, random_chance(&it->from, 50) ? "($ / $)" : "sqrt(fabs($))", of, depth);
  } else if (choice == 2) {
    fprintf(it->to, "(%s)(", form_name(of));
    condition_write(it, depth);
    write_pattern(it, " ? $ : $)", of, depth);
  } else {
    fputs("(", it->to);
    expression_write(it, wide, depth);
    fprintf(it->to, ").s%x", random_below(&it->from, wide.width));
  }
}

static bool write_call(writer *it, form of, uint32_t depth) {
  for (uint32_t i = 0; i < it->functions_known; i++) {
    const function *called = &it->functions[i];
    if (called->result.of != of.of || called->result.width != of.width)
      continue;
    fprintf(it->to, "f%u_%u(", it->of->index, i);
    for (uint32_t j = 0; j < called->count; j++) {
      fputs(j == 0 ? "" : ", ", it->to);
      expression_write(it, called->parameters[j], depth);
    }
    fputs(")", it->to);
    return true;
  }
  return false;
}

static void write_operator(writer *it, form of, uint32_t depth) {
  const uint32_t choice = random_below(&it->from, 100);
  if (choice < 10 && write_call(it, of, depth))
    return;
  if (choice < 22)
    write_conversion(it, of, depth);
  else if (choice < 30)
    write_bits(it, of, depth);
  else if (choice < 42 && of.width > 1)
    write_vector(it, of, depth);
  else if (choice < 42)
    write_number(it, of, depth);
  else if (numbers[of.of].floating)
    write_pattern(it, PICK(it, floating_patterns), of, depth);
  else
    write_pattern(it, PICK(it, integer_patterns), of, depth);
}

void expression_write(writer *it, form of, uint32_t depth) {
  const part at = part_begin(it);
  if (at.without)
    fprintf(at.before, "((%s)1)", form_name(of));
  if (depth == 0 || random_chance(&it->from, 15))
    write_leaf(it, of);
  else
    write_operator(it, of, depth - 1);
  part_end(it, at);
}

void condition_write(writer *it, uint32_t depth) {
  static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
  const form of = form_random(it, true);
  fputs("(", it->to);
  expression_write(it, of, depth);
  fprintf(it->to, " %s ", PICK(it, comparisons));
  expression_write(it, of, depth);
  fputs(")", it->to);
}

#include "kernel.h"

#include "../property/memory.h"
#include "writer.h"

enum { STATEMENTS = 7, DEPTH = 3 };

#define PICK(writer, list) ((list)[random_below(&(writer)->from, sizeof(list) / sizeof(list)[0])])

static void write_indent(writer *writer) {
  fprintf(writer->to, "%*s", (int)(2 * writer->depth + 2), "");
}

static uint32_t pick_variable(writer *writer) {
  return random_below(&writer->from, writer->count);
}

/* Returns one of the four scalar variables of 32 or 64 bits that every kernel has. */
static uint32_t pick_simple(writer *writer) {
  return random_below(&writer->from, 4);
}

/* ---- Statements that are allowed anywhere ---- */

static void write_assignment(writer *writer) {
  const uint32_t to = pick_variable(writer);
  fprintf(writer->to, "v%u = ", to);
  expression_write(writer, writer->variables[to], DEPTH);
  fputs(";\n", writer->to);
}

/* Writes an element of a vector, or reads or writes one of an array at a computed index. */
static void write_element(writer *writer) {
  const uint32_t to = pick_variable(writer);
  const form of = writer->variables[to];
  const form index = {NUMBER_U32, 1};
  if (of.width > 1 && random_chance(&writer->from, 50)) {
    fprintf(writer->to, "v%u.s%x = ", to, random_below(&writer->from, of.width));
    expression_write(writer, (form){of.of, 1}, DEPTH - 1);
  } else if (random_chance(&writer->from, 50)) {
    fputs("numbers[", writer->to);
    expression_write(writer, index, 1);
    fprintf(writer->to, " & %d] = ", ARRAY - 1);
    expression_write(writer, (form){NUMBER_U32, 1}, DEPTH - 1);
  } else {
    const uint32_t simple = pick_simple(writer);
    fprintf(writer->to, "v%u = (%s)numbers[", simple, form_name(writer->variables[simple]));
    expression_write(writer, index, 1);
    fprintf(writer->to, " & %d]", ARRAY - 1);
  }
  fputs(";\n", writer->to);
}

/* Writes an access through a pointer. A computed condition chooses private or local memory. */
static void write_pointer(writer *writer) {
  fputs("{ uint *at = ", writer->to);
  condition_write(writer, 1);
  fputs(" ? &numbers[", writer->to);
  expression_write(writer, (form){NUMBER_U32, 1}, 1);
  fprintf(writer->to, " & %d] : (uint *)&own[local_id]; *at = x_add(*at, ", ARRAY - 1);
  expression_write(writer, (form){NUMBER_U32, 1}, DEPTH - 1);
  fputs("); }\n", writer->to);
}

/*
 * Writes an atomic operation. Each counter has one operation, so that its result does not depend on
 * the order. The old values of counter 0 only go into a sum of all of them.
 */
static void write_atomic(writer *writer) {
  static const struct {
    const char *begin, *end;
    number of;
  } operations[] = {
      {"atomic_add(&counters[14], atomic_inc(&counters[0]))", NULL, NUMBER_U32},
      {"atomic_add(&counters[1], ", ")", NUMBER_U32},
      {"atomic_sub(&counters[1], ", ")", NUMBER_U32},
      {"atomic_or(&counters[2], ", ")", NUMBER_U32},
      {"atomic_and(&counters[3], ", ")", NUMBER_U32},
      {"atomic_xor(&counters[4], ", ")", NUMBER_U32},
      {"atomic_min(&counters[5], ", ")", NUMBER_U32},
      {"atomic_max(&counters[6], ", ")", NUMBER_U32},
      {"atomic_min((volatile global int *)&counters[7], ", ")", NUMBER_I32},
      {"atomic_max((volatile global int *)&counters[8], ", ")", NUMBER_I32},
      {"x_exchange_add(&counters[9], ", ")", NUMBER_U32},
      {"atom_add((volatile global ulong *)&counters[10], ", ")", NUMBER_U64},
      {"atom_max((volatile global ulong *)&counters[12], ", ")", NUMBER_U64},
      {"atomic_add(&shared[0], ", ")", NUMBER_U32},
      {"atomic_xor(&shared[1], ", ")", NUMBER_U32},
      {"atomic_max(&shared[2], ", ")", NUMBER_U32},
      {"atomic_fetch_add_explicit((volatile local atomic_uint *)&shared[3], ",
       ", memory_order_acq_rel, memory_scope_work_group)", NUMBER_U32},
      {"atomic_fetch_or_explicit((volatile global atomic_uint *)&counters[2], ",
       ", memory_order_seq_cst, memory_scope_device)", NUMBER_U32},
  };
  const uint32_t which = random_below(&writer->from, sizeof operations / sizeof operations[0]);
  fputs(operations[which].begin, writer->to);
  if (operations[which].end != NULL) {
    expression_write(writer, (form){operations[which].of, 1}, DEPTH - 1);
    fputs(operations[which].end, writer->to);
  }
  fputs(";\n", writer->to);
}

/* ---- Statements that all items of a group must reach together ---- */

static void write_exchange(writer *writer) {
  const uint32_t to = pick_simple(writer);
  const form of = writer->variables[to];
  fputs("barrier(CLK_LOCAL_MEM_FENCE); slots[local_id] = (ulong)(", writer->to);
  expression_write(writer, of, DEPTH);
  fprintf(writer->to, "); barrier(CLK_LOCAL_MEM_FENCE); v%u = (%s)slots[(", to, form_name(of));
  expression_write(writer, (form){NUMBER_U32, 1}, 1);
  fputs(") % (uint)get_local_size(0)];\n", writer->to);
}

static void write_group(writer *writer) {
  static const char *const calls[] = {
      "reduce_add",         "reduce_min",         "reduce_max",
      "scan_inclusive_add", "scan_exclusive_add", "scan_inclusive_min",
      "scan_inclusive_max", "scan_exclusive_max", "scan_exclusive_min"};
  const uint32_t to = pick_simple(writer);
  const form of = writer->variables[to];
  const char *group = random_chance(&writer->from, 65) ? "sub_group" : "work_group";
  const uint32_t choice = random_below(&writer->from, 4);
  fprintf(writer->to, "v%u = ", to);
  if (choice == 0) {
    fprintf(writer->to, "%s_%s(", group, random_chance(&writer->from, 50) ? "any" : "all");
    condition_write(writer, DEPTH - 1);
    fputs(")", writer->to);
  } else {
    fprintf(writer->to, "%s_%s(", group, choice == 1 ? "broadcast" : PICK(writer, calls));
    expression_write(writer, of, DEPTH - 1);
    fprintf(writer->to, choice == 1 ? ", %u)" : ")", random_below(&writer->from, 8));
  }
  fputs(";\n", writer->to);
}

static void write_shuffle(writer *writer) {
  static const form forms[] = {{NUMBER_I32, 1}, {NUMBER_U32, 1},   {NUMBER_I64, 1},
                               {NUMBER_U64, 1}, {NUMBER_FLOAT, 1}, {NUMBER_DOUBLE, 1},
                               {NUMBER_I32, 2}, {NUMBER_U32, 4},   {NUMBER_FLOAT, 2}};
  const form of = PICK(writer, forms);
  const uint32_t choice = random_below(&writer->from, 4);
  const uint32_t size = writer->of->sub_group_size;
  fprintf(writer->to, "{ const %s from = ", form_name(of));
  expression_write(writer, of, DEPTH - 1);
  fputs("; const uint lane = (", writer->to);
  expression_write(writer, (form){NUMBER_U32, 1}, 1);
  fprintf(writer->to, ") & %u; const %s got = ", size - 1, form_name(of));
  if (choice == 0)
    fputs("intel_sub_group_shuffle(from, lane)", writer->to);
  else if (choice == 1)
    fprintf(writer->to, "intel_sub_group_shuffle_xor(from, %u)", random_below(&writer->from, size));
  else
    fprintf(writer->to, "intel_sub_group_shuffle_%s(from, from, %u)", choice == 2 ? "up" : "down",
            random_below(&writer->from, size));
  fprintf(writer->to, "; sum += x_bits(got%s) * 31; }\n", of.width > 1 ? ".s1" : "");
}

/* ---- Compound statements ---- */

static void write_block(writer *writer, uint32_t count, bool uniform) {
  const bool before = writer->uniform;
  writer->uniform = before && uniform;
  fputs("{\n", writer->to);
  writer->depth++;
  statements_write(writer, count);
  writer->depth--;
  write_indent(writer);
  fputs("}", writer->to);
  writer->uniform = before;
}

static void write_if(writer *writer) {
  fputs("if ", writer->to);
  condition_write(writer, DEPTH - 1);
  fputs(" ", writer->to);
  write_block(writer, 2, false);
  if (random_chance(&writer->from, 60)) {
    fputs(" else ", writer->to);
    write_block(writer, 2, false);
  }
  fputs("\n", writer->to);
}

/* Writes a loop whose number of rounds is the same for all items, or computed by each item. */
static void write_for(writer *writer) {
  const uint32_t name = ++writer->loops;
  const bool uniform = random_chance(&writer->from, 50);
  fprintf(writer->to, "for (uint l%u = 0; l%u < ", name, name);
  if (uniform) {
    fprintf(writer->to, "%u", 1 + random_below(&writer->from, 6));
  } else {
    fputs("((", writer->to);
    expression_write(writer, (form){NUMBER_U32, 1}, 1);
    fputs(") & 7)", writer->to);
  }
  fprintf(writer->to, "; l%u++) ", name);
  writer->open[writer->depth] = name;
  write_block(writer, 2, uniform);
  writer->open[writer->depth] = 0;
  fputs("\n", writer->to);
}

/* Writes a loop with a conditional break or continue. */
static void write_while(writer *writer) {
  const uint32_t name = ++writer->loops;
  fprintf(writer->to, "{ uint l%u = 0; while (l%u++ < 6) {\n", name, name);
  writer->depth++;
  write_indent(writer);
  fputs("if ", writer->to);
  condition_write(writer, 1);
  fprintf(writer->to, " %s;\n", random_chance(&writer->from, 50) ? "break" : "continue");
  writer->depth--;
  write_indent(writer);
  writer->open[writer->depth] = name;
  write_block(writer, 2, false);
  writer->open[writer->depth] = 0;
  fputs(" } }\n", writer->to);
}

static void write_switch(writer *writer) {
  fputs("switch ((", writer->to);
  expression_write(writer, (form){NUMBER_U32, 1}, 2);
  fputs(") & 3) {\n", writer->to);
  for (uint32_t i = 0; i < 3; i++) {
    write_indent(writer);
    fprintf(writer->to, "case %u: ", i);
    write_block(writer, 1, false);
    fputs(random_chance(&writer->from, 70) ? " break;\n" : "\n", writer->to);
  }
  write_indent(writer);
  fputs("default: ", writer->to);
  write_block(writer, 1, false);
  fputs("}\n", writer->to);
}

static void write_statement(writer *out) {
  static void (*const anywhere[])(writer *) = {write_assignment, write_assignment, write_assignment,
                                               write_assignment, write_element,    write_element,
                                               write_pointer,    write_atomic,     write_if,
                                               write_for,        write_while,      write_switch};
  static void (*const together[])(writer *) = {write_exchange, write_group, write_group,
                                               write_shuffle};
  const uint32_t simple = out->depth < 3 ? 12 : 8;
  if (out->uniform && random_chance(&out->from, 30))
    PICK(out, together)(out);
  else
    anywhere[random_below(&out->from, simple)](out);
}

void statements_write(writer *writer, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const part at = part_begin(writer);
    write_indent(writer);
    write_statement(writer);
    part_end(writer, at);
  }
}

/* ---- The kernel ---- */

/* Writes functions that use only their parameters, and may call the functions before them. */
static void write_functions(writer *writer) {
  writer->in_function = true;
  for (uint32_t i = 0; i < FUNCTIONS_MAX; i++) {
    function made = {.result = form_random(writer, false),
                     .count = 1 + random_below(&writer->from, PARAMETERS_MAX)};
    fprintf(writer->to, "HELPER %s f%u_%u(", form_name(made.result), writer->of->index, i);
    for (uint32_t j = 0; j < made.count; j++) {
      made.parameters[j] = writer->variables[j] = form_random(writer, false);
      fprintf(writer->to, "%s%s v%u", j == 0 ? "" : ", ", form_name(made.parameters[j]), j);
    }
    writer->count = made.count;
    fputs(") { return ", writer->to);
    expression_write(writer, made.result, DEPTH);
    fputs("; }\n", writer->to);
    writer->functions[writer->functions_known++] = made;
  }
  writer->in_function = false;
}

/* Chooses as many variables as the output has columns for. The first four are scalars of 32 and
 * 64 bits. */
static void choose_variables(writer *writer) {
  static const number first[] = {NUMBER_U32, NUMBER_I32, NUMBER_U64, NUMBER_I64};
  uint32_t columns = 6; /* reserved for the sum and for numbers of the arrays */
  writer->count = 0;
  while (writer->count < VARIABLES_MAX) {
    const form made =
        writer->count < 4 ? (form){first[writer->count], 1} : form_random(writer, false);
    if (columns + made.width > COLUMNS)
      break;
    columns += made.width;
    writer->variables[writer->count++] = made;
  }
}

static void write_beginning(writer *writer) {
  const kernel *of = writer->of;
  fprintf(
      writer->to,
      "kernel __attribute__((intel_reqd_sub_group_size(%u)))\n"
      "void kernel%u(global ulong *out, volatile global uint *counters, global const ulong *in) {\n"
      "  local ulong slots[%u];\n  local uint own[%u];\n  local uint shared[4];\n"
      "  const uint id = (uint)get_global_id(0);\n  const uint local_id = (uint)get_local_id(0);\n"
      "  ulong sum = 0;\n  uint numbers[%d];\n"
      "  for (uint i = 0; i < %d; i++) numbers[i] = (uint)in[(id + i) & %d];\n"
      "  own[local_id] = id;\n  if (local_id < 4) shared[local_id] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n",
      of->sub_group_size, of->index, of->group_size, of->group_size, ARRAY, ARRAY, INPUTS - 1);
  for (uint32_t i = 0; i < writer->count; i++) {
    fprintf(writer->to, "  %s v%u = ", form_name(writer->variables[i]), i);
    const uint32_t known = writer->count;
    writer->count = i;
    expression_write(writer, writer->variables[i], 1);
    writer->count = known;
    fputs(";\n", writer->to);
  }
}

static void write_end(writer *writer) {
  uint32_t column = 0;
  fprintf(writer->to, "  global ulong *to = out + (size_t)id * %d;\n", COLUMNS);
  for (uint32_t i = 0; i < writer->count; i++)
    for (uint32_t j = 0; j < writer->variables[i].width; j++, column++)
      if (writer->variables[i].width == 1)
        fprintf(writer->to, "  to[%u] = x_bits(v%u);\n", column, i);
      else
        fprintf(writer->to, "  to[%u] = x_bits(v%u.s%x);\n", column, i, j);
  fprintf(writer->to, "  to[%u] = sum;\n  to[%u] = own[local_id];\n", column, column + 1);
  fprintf(writer->to,
          "  ulong hash = 0;\n  for (uint i = 0; i < %d; i++) hash = hash * 31 + numbers[i];\n"
          "  to[%u] = hash;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  to[%u] = shared[local_id & 3];\n}\n",
          ARRAY, column + 2, column + 3);
}

const char *kernel_write(kernel *of) {
  text made;
  text_open(&made);
  FILE *nowhere = fopen("/dev/null", "w");
  if (nowhere == NULL)
    property_die("/dev/null cannot be opened");
  writer writer = {.of = of,
                   .from = random_start(of->seed, of->index),
                   .to = made.file,
                   .nowhere = nowhere,
                   .uniform = true};
  of->parts = 0;
  write_functions(&writer);
  choose_variables(&writer);
  write_beginning(&writer);
  statements_write(&writer, STATEMENTS);
  write_end(&writer);
  fclose(nowhere);
  return text_close(&made);
}

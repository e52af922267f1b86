#include "kernel.h"

#include "../property/memory.h"
#include "writer.h"

enum { STATEMENTS = 7, DEPTH = 3 };

#define PICK(it, list) ((list)[random_below(&(it)->from, sizeof(list) / sizeof(list)[0])])

static void write_indent(writer *it) {
  fprintf(it->to, "%*s", (int)(2 * it->depth + 2), "");
}

static uint32_t pick_variable(writer *it) {
  return random_below(&it->from, it->count);
}

/* A variable of 32 or 64 bits that is no vector, which every kernel has. */
static uint32_t pick_simple(writer *it) {
  return random_below(&it->from, 4);
}

/* ---- Statements that can be anywhere ---- */

static void write_assignment(writer *it) {
  const uint32_t to = pick_variable(it);
  fprintf(it->to, "v%u = ", to);
  expression_write(it, it->variables[to], DEPTH);
  fputs(";\n", it->to);
}

/* One number of a vector, or of an array, at an index that nobody knows before. */
static void write_element(writer *it) {
  const uint32_t to = pick_variable(it);
  const form of = it->variables[to];
  const form index = {NUMBER_U32, 1};
  if (of.width > 1 && random_chance(&it->from, 50)) {
    fprintf(it->to, "v%u.s%x = ", to, random_below(&it->from, of.width));
    expression_write(it, (form){of.of, 1}, DEPTH - 1);
  } else if (random_chance(&it->from, 50)) {
    fputs("numbers[", it->to);
    expression_write(it, index, 1);
    fprintf(it->to, " & %d] = ", ARRAY - 1);
    expression_write(it, (form){NUMBER_U32, 1}, DEPTH - 1);
  } else {
    const uint32_t simple = pick_simple(it);
    fprintf(it->to, "v%u = (%s)numbers[", simple, form_name(it->variables[simple]));
    expression_write(it, index, 1);
    fprintf(it->to, " & %d]", ARRAY - 1);
  }
  fputs(";\n", it->to);
}

/* A pointer to one memory or another, by what the item computes. */
static void write_pointer(writer *it) {
  fputs("{ uint *at = ", it->to);
  condition_write(it, 1);
  fputs(" ? &numbers[", it->to);
  expression_write(it, (form){NUMBER_U32, 1}, 1);
  fprintf(it->to, " & %d] : (uint *)&own[local_id]; *at = x_add(*at, ", ARRAY - 1);
  expression_write(it, (form){NUMBER_U32, 1}, DEPTH - 1);
  fputs("); }\n", it->to);
}

/*
 * Each counter has one operation, whose results do not depend on the order, and the ticket of
 * counter 0 is used in a sum of all of them.
 */
static void write_atomic(writer *it) {
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
  const uint32_t which = random_below(&it->from, sizeof operations / sizeof operations[0]);
  fputs(operations[which].begin, it->to);
  if (operations[which].end != NULL) {
    expression_write(it, (form){operations[which].of, 1}, DEPTH - 1);
    fputs(operations[which].end, it->to);
  }
  fputs(";\n", it->to);
}

/* ---- Statements for all items of a group together ---- */

static void write_exchange(writer *it) {
  const uint32_t to = pick_simple(it);
  const form of = it->variables[to];
  fputs("barrier(CLK_LOCAL_MEM_FENCE); slots[local_id] = (ulong)(", it->to);
  expression_write(it, of, DEPTH);
  fprintf(it->to, "); barrier(CLK_LOCAL_MEM_FENCE); v%u = (%s)slots[(", to, form_name(of));
  expression_write(it, (form){NUMBER_U32, 1}, 1);
  fputs(") % (uint)get_local_size(0)];\n", it->to);
}

static void write_group(writer *it) {
  static const char *const calls[] = {
      "reduce_add",         "reduce_min",         "reduce_max",
      "scan_inclusive_add", "scan_exclusive_add", "scan_inclusive_min",
      "scan_inclusive_max", "scan_exclusive_max", "scan_exclusive_min"};
  const uint32_t to = pick_simple(it);
  const form of = it->variables[to];
  const char *group = random_chance(&it->from, 65) ? "sub_group" : "work_group";
  const uint32_t choice = random_below(&it->from, 4);
  fprintf(it->to, "v%u = ", to);
  if (choice == 0) {
    fprintf(it->to, "%s_%s(", group, random_chance(&it->from, 50) ? "any" : "all");
    condition_write(it, DEPTH - 1);
    fputs(")", it->to);
  } else {
    fprintf(it->to, "%s_%s(", group, choice == 1 ? "broadcast" : PICK(it, calls));
    expression_write(it, of, DEPTH - 1);
    fprintf(it->to, choice == 1 ? ", %u)" : ")", random_below(&it->from, 8));
  }
  fputs(";\n", it->to);
}

static void write_shuffle(writer *it) {
  static const form forms[] = {{NUMBER_I32, 1}, {NUMBER_U32, 1},   {NUMBER_I64, 1},
                               {NUMBER_U64, 1}, {NUMBER_FLOAT, 1}, {NUMBER_DOUBLE, 1},
                               {NUMBER_I32, 2}, {NUMBER_U32, 4},   {NUMBER_FLOAT, 2}};
  const form of = PICK(it, forms);
  const uint32_t choice = random_below(&it->from, 4);
  const uint32_t size = it->of->sub_group_size;
  fprintf(it->to, "{ const %s from = ", form_name(of));
  expression_write(it, of, DEPTH - 1);
  fputs("; const uint lane = (", it->to);
  expression_write(it, (form){NUMBER_U32, 1}, 1);
  fprintf(it->to, ") & %u; const %s got = ", size - 1, form_name(of));
  if (choice == 0)
    fputs("intel_sub_group_shuffle(from, lane)", it->to);
  else if (choice == 1)
    fprintf(it->to, "intel_sub_group_shuffle_xor(from, %u)", random_below(&it->from, size));
  else
    fprintf(it->to, "intel_sub_group_shuffle_%s(from, from, %u)", choice == 2 ? "up" : "down",
            random_below(&it->from, size));
  fprintf(it->to, "; sum += x_bits(got%s) * 31; }\n", of.width > 1 ? ".s1" : "");
}

/* ---- Statements of statements ---- */

static void write_block(writer *it, uint32_t count, bool uniform) {
  const bool before = it->uniform;
  it->uniform = before && uniform;
  fputs("{\n", it->to);
  it->depth++;
  statements_write(it, count);
  it->depth--;
  write_indent(it);
  fputs("}", it->to);
  it->uniform = before;
}

static void write_if(writer *it) {
  fputs("if ", it->to);
  condition_write(it, DEPTH - 1);
  fputs(" ", it->to);
  write_block(it, 2, false);
  if (random_chance(&it->from, 60)) {
    fputs(" else ", it->to);
    write_block(it, 2, false);
  }
  fputs("\n", it->to);
}

/* Of as many rounds as a number says, which is the same for all, or the item's own. */
static void write_for(writer *it) {
  const uint32_t name = ++it->loops;
  const bool uniform = random_chance(&it->from, 50);
  fprintf(it->to, "for (uint l%u = 0; l%u < ", name, name);
  if (uniform) {
    fprintf(it->to, "%u", 1 + random_below(&it->from, 6));
  } else {
    fputs("((", it->to);
    expression_write(it, (form){NUMBER_U32, 1}, 1);
    fputs(") & 7)", it->to);
  }
  fprintf(it->to, "; l%u++) ", name);
  it->open[it->depth] = name;
  write_block(it, 2, uniform);
  it->open[it->depth] = 0;
  fputs("\n", it->to);
}

/* It ends in the middle of a round, or goes on with the next one. */
static void write_while(writer *it) {
  const uint32_t name = ++it->loops;
  fprintf(it->to, "{ uint l%u = 0; while (l%u++ < 6) {\n", name, name);
  it->depth++;
  write_indent(it);
  fputs("if ", it->to);
  condition_write(it, 1);
  fprintf(it->to, " %s;\n", random_chance(&it->from, 50) ? "break" : "continue");
  it->depth--;
  write_indent(it);
  it->open[it->depth] = name;
  write_block(it, 2, false);
  it->open[it->depth] = 0;
  fputs(" } }\n", it->to);
}

static void write_switch(writer *it) {
  fputs("switch ((", it->to);
  expression_write(it, (form){NUMBER_U32, 1}, 2);
  fputs(") & 3) {\n", it->to);
  for (uint32_t i = 0; i < 3; i++) {
    write_indent(it);
    fprintf(it->to, "case %u: ", i);
    write_block(it, 1, false);
    fputs(random_chance(&it->from, 70) ? " break;\n" : "\n", it->to);
  }
  write_indent(it);
  fputs("default: ", it->to);
  write_block(it, 1, false);
  fputs("}\n", it->to);
}

static void write_statement(writer *it) {
  static void (*const anywhere[])(writer *) = {write_assignment, write_assignment, write_assignment,
                                               write_assignment, write_element,    write_element,
                                               write_pointer,    write_atomic,     write_if,
                                               write_for,        write_while,      write_switch};
  static void (*const together[])(writer *) = {write_exchange, write_group, write_group,
                                               write_shuffle};
  const uint32_t simple = it->depth < 3 ? 12 : 8;
  if (it->uniform && random_chance(&it->from, 30))
    PICK(it, together)(it);
  else
    anywhere[random_below(&it->from, simple)](it);
}

void statements_write(writer *it, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const part at = part_begin(it);
    write_indent(it);
    write_statement(it);
    part_end(it, at);
  }
}

/* ---- The kernel ---- */

/* Functions of their parameters, which call those before them. */
static void write_functions(writer *it) {
  it->in_function = true;
  for (uint32_t i = 0; i < FUNCTIONS_MAX; i++) {
    function made = {.result = form_random(it, false),
                     .count = 1 + random_below(&it->from, PARAMETERS_MAX)};
    fprintf(it->to, "HELPER %s f%u_%u(", form_name(made.result), it->of->index, i);
    for (uint32_t j = 0; j < made.count; j++) {
      made.parameters[j] = it->variables[j] = form_random(it, false);
      fprintf(it->to, "%s%s v%u", j == 0 ? "" : ", ", form_name(made.parameters[j]), j);
    }
    it->count = made.count;
    fputs(") { return ", it->to);
    expression_write(it, made.result, DEPTH);
    fputs("; }\n", it->to);
    it->functions[it->functions_known++] = made;
  }
  it->in_function = false;
}

/* The first four have 32 and 64 bits; as many as there are columns for. */
static void choose_variables(writer *it) {
  static const number first[] = {NUMBER_U32, NUMBER_I32, NUMBER_U64, NUMBER_I64};
  uint32_t columns = 6; /* the sum, and four numbers of the arrays, are there, too */
  it->count = 0;
  while (it->count < VARIABLES_MAX) {
    const form made = it->count < 4 ? (form){first[it->count], 1} : form_random(it, false);
    if (columns + made.width > COLUMNS)
      break;
    columns += made.width;
    it->variables[it->count++] = made;
  }
}

static void write_beginning(writer *it) {
  const kernel *of = it->of;
  fprintf(
      it->to,
      "kernel __attribute__((intel_reqd_sub_group_size(%u)))\n"
      "void kernel%u(global ulong *out, volatile global uint *counters, global const ulong *in) {\n"
      "  local ulong slots[%u];\n  local uint own[%u];\n  local uint shared[4];\n"
      "  const uint id = (uint)get_global_id(0);\n  const uint local_id = (uint)get_local_id(0);\n"
      "  ulong sum = 0;\n  uint numbers[%d];\n"
      "  for (uint i = 0; i < %d; i++) numbers[i] = (uint)in[(id + i) & %d];\n"
      "  own[local_id] = id;\n  if (local_id < 4) shared[local_id] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n",
      of->sub_group_size, of->index, of->group_size, of->group_size, ARRAY, ARRAY, INPUTS - 1);
  for (uint32_t i = 0; i < it->count; i++) {
    fprintf(it->to, "  %s v%u = ", form_name(it->variables[i]), i);
    const uint32_t known = it->count;
    it->count = i;
    expression_write(it, it->variables[i], 1);
    it->count = known;
    fputs(";\n", it->to);
  }
}

static void write_end(writer *it) {
  uint32_t column = 0;
  fprintf(it->to, "  global ulong *to = out + (size_t)id * %d;\n", COLUMNS);
  for (uint32_t i = 0; i < it->count; i++)
    for (uint32_t j = 0; j < it->variables[i].width; j++, column++)
      if (it->variables[i].width == 1)
        fprintf(it->to, "  to[%u] = x_bits(v%u);\n", column, i);
      else
        fprintf(it->to, "  to[%u] = x_bits(v%u.s%x);\n", column, i, j);
  fprintf(it->to, "  to[%u] = sum;\n  to[%u] = own[local_id];\n", column, column + 1);
  fprintf(it->to,
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
  writer it = {.of = of,
               .from = random_start(of->seed, of->index),
               .to = made.file,
               .nowhere = nowhere,
               .uniform = true};
  of->parts = 0;
  write_functions(&it);
  choose_variables(&it);
  write_beginning(&it);
  statements_write(&it, STATEMENTS);
  write_end(&it);
  fclose(nowhere);
  return text_close(&made);
}

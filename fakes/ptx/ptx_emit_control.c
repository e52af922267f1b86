/* Emits branches, calls and barriers. */
#include "ptx_parse.h"

#include <string.h>

static bool emit_branch(ptx_parser *parser, ptx_chain *chain) {
  const ptx_operand *label = ptx_take(parser, chain);
  if (!label)
    return false;
  if (!label->name)
    return ptx_fail(parser, "a label is wanted");
  if (!PTX_GROW(parser->pending, parser->pending_count, parser->pending_room))
    return ptx_fail_memory(parser);
  parser->pending[parser->pending_count++] =
      (ptx_pending){.name = label->name,
                    .length = label->length,
                    .line = parser->line,
                    .insn = (uint32_t)parser->module->code_count - 1};
  return true;
}

static bool emit_indexed(ptx_parser *parser, ptx_insn *insn, ptx_chain *chain) {
  if (insn->mode != PTX_M_SHUFFLE_IDX)
    return ptx_fail(parser, "'brx' needs .idx");
  if (!ptx_emit_source(parser, chain, PTX_B32))
    return false;
  const ptx_operand *table = ptx_take(parser, chain);
  if (!table)
    return false;
  if (table->kind != PTX_OPERAND_SYMBOL || table->symbol->kind != PTX_SYMBOL_TABLE)
    return ptx_fail(parser, "'brx.idx' wants the name of .branchtargets before it");
  insn->target = table->symbol->index;
  return true;
}

/* Converts an operand to an actual parameter or result. size is the formal's, 0 if unknown. */
static bool actual(ptx_parser *parser, const ptx_operand *operand, uint32_t size, bool result,
                   ptx_actual *ret) {
  *ret = (ptx_actual){.size = size};
  if (operand->kind == PTX_OPERAND_SYMBOL && operand->symbol->kind == PTX_SYMBOL_FRAME) {
    const ptx_symbol *symbol = operand->symbol;
    if (symbol->space != PTX_SPACE_PARAM)
      return ptx_fail(parser, "'%s' is passed to a function, and is no .param", symbol->name);
    if (size && size != symbol->size)
      return ptx_fail(parser, "'%s' has %llu bytes, and its parameter %u", symbol->name,
                      (unsigned long long)symbol->size, size);
    ret->memory = true;
    ret->operand = symbol->offset;
    ret->size = (uint32_t)symbol->size;
    return true;
  }
  if (operand->kind == PTX_OPERAND_SLOT && !ret->size)
    ret->size = ptx_type_infos[operand->type].bits / 8u;
  if (operand->kind == PTX_OPERAND_SLOT && operand->type == PTX_PRED)
    return ptx_fail(parser, "a predicate is passed to a function");
  if (ret->size != 1 && ret->size != 2 && ret->size != 4 && ret->size != 8)
    return ptx_fail(parser, "a register or value is passed for %u bytes", ret->size);
  unsigned bits;
  const ptx_type type = ptx_bits_type(ret->size * 8);
  return result ? ptx_target_wide(parser, operand, type, &ret->operand, &bits)
                : ptx_source_wide(parser, operand, type, &ret->operand);
}

static bool actuals(ptx_parser *parser, const ptx_operand *list, const ptx_formals *formals,
                    bool result, ptx_actual **ret, uint32_t *count) {
  *count = list ? list->count : 0;
  if (formals && formals->count != *count)
    return ptx_fail(parser, "%u %s of a function that has %u", *count,
                    result ? "results" : "parameters", (unsigned)formals->count);
  *ret = *count ? ptx_arena_take(parser->module->arena, *count * sizeof(**ret)) : NULL;
  if (*count && !*ret)
    return ptx_fail_memory(parser);
  for (uint32_t i = 0; i < *count; i++)
    if (!actual(parser, ptx_child(parser, list, i), formals ? formals->items[i].size : 0, result,
                &(*ret)[i]))
      return false;
  return true;
}

/* Reads the callee: a function's name, or a register with its address. */
static bool emit_callee(ptx_parser *parser, const ptx_operand *operand, ptx_call *call) {
  if (operand->kind == PTX_OPERAND_SYMBOL && operand->symbol->kind == PTX_SYMBOL_GLOBAL &&
      operand->symbol->global->function) {
    call->callee = operand->symbol->global;
    if (call->callee->function->is_entry)
      return ptx_fail(parser, "'%s' is an entry, and is called", call->callee->name);
    return ptx_refer(parser, call->callee);
  }
  if (operand->kind != PTX_OPERAND_SLOT && operand->name)
    return ptx_fail(parser, "unknown function '%.*s'", PTX_UNKNOWN_NAME(operand));
  parser->function->calls_indirectly = true;
  return ptx_source(parser, operand, PTX_B64, &call->operand);
}

/* Emits call (results), callee, (arguments), prototype. Only the callee is required. */
static bool emit_call(ptx_parser *parser, ptx_insn *insn, ptx_chain *chain) {
  ptx_module *module = parser->module;
  ptx_call call = {0};
  const ptx_operand *results = NULL, *arguments = NULL;
  if (chain->next && chain->next->kind == PTX_OPERAND_LIST)
    results = ptx_take(parser, chain);
  const ptx_operand *callee = ptx_take(parser, chain);
  if (!callee || !emit_callee(parser, callee, &call))
    return false;
  if (chain->next && chain->next->kind == PTX_OPERAND_LIST)
    arguments = ptx_take(parser, chain);
  if (chain->next) {
    const ptx_operand *prototype = ptx_take(parser, chain);
    if (prototype->kind != PTX_OPERAND_SYMBOL || (prototype->symbol->kind != PTX_SYMBOL_PROTOTYPE &&
                                                  prototype->symbol->kind != PTX_SYMBOL_GLOBAL))
      return ptx_fail(parser, "a call's last operand is the name of a .callprototype");
  }
  const ptx_function *function = call.callee ? call.callee->function : NULL;
  if (!actuals(parser, results, function ? &function->results : NULL, true, &call.results,
               &call.result_count) ||
      !actuals(parser, arguments, function ? &function->parameters : NULL, false, &call.arguments,
               &call.argument_count))
    return false;
  if (!PTX_GROW(module->calls, module->call_count, module->call_room))
    return ptx_fail_memory(parser);
  insn->target = (uint32_t)module->call_count;
  module->calls[module->call_count++] = call;
  return true;
}

/* Emits the words of a barrier: barrier, number of threads, predicate, destination. */
static bool emit_barrier(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                         ptx_chain *chain) {
  const bool cluster = insn->detail == PTX_M_UNIT_CLUSTER;
  const bool warp = insn->detail == PTX_M_UNIT_WARP;
  const bool reduce = insn->mode == PTX_M_ACTION_RED;
  if (cluster ? insn->mode != PTX_M_ACTION_ARRIVE && insn->mode != PTX_M_ACTION_WAIT
              : insn->mode == PTX_M_ACTION_WAIT || (warp && insn->mode != PTX_M_ACTION_SYNC))
    return ptx_fail(parser, "unknown kind of barrier");
  if (cluster)
    return true;
  if (reduce != (insn->combine != 0) || reduce != (words->type_count == 1) ||
      (reduce && (words->types[0] == PTX_U32) != (insn->combine == PTX_M_COMBINE_POPC)) ||
      insn->combine == PTX_M_COMBINE_XOR)
    return ptx_fail(parser, "unknown kind of barrier");
  uint32_t target = PTX_SLOT_SINK;
  if (reduce) {
    const ptx_operand *operand = ptx_take(parser, chain);
    if (!operand || !ptx_target(parser, operand, words->types[0], &target))
      return false;
  }
  if (!ptx_emit_source(parser, chain, PTX_B32))
    return false;
  const bool counted = chain->next && (!reduce || chain->next->next != PTX_NO_OPERAND);
  if (insn->mode == PTX_M_ACTION_ARRIVE && !counted)
    return ptx_fail(parser, "'bar.arrive' needs the number of threads");
  insn->flags |= counted ? PTX_FLAG_COUNT : 0;
  if (words->op == PTX_OP_BAR || words->fields[PTX_CLASS_ALIGNED])
    insn->flags |= PTX_FLAG_ALIGNED;
  if (!(counted ? ptx_emit_source(parser, chain, PTX_B32) : ptx_emit_number(parser, 0)) ||
      !(reduce ? ptx_emit_source(parser, chain, PTX_PRED) : ptx_emit_number(parser, 0)))
    return false;
  return ptx_emit_word(parser, target);
}

bool ptx_emit_control(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                      ptx_chain *chain) {
  switch (letter) {
  case 'b':
    return emit_branch(parser, chain);
  case 'x':
    return emit_indexed(parser, insn, chain);
  case 'c':
    return emit_call(parser, insn, chain);
  default: /* k */
    return emit_barrier(parser, words, insn, chain);
  }
}

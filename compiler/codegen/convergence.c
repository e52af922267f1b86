#include "convergence.h"

#include "../attributes.h"
#include "../blocks.h"
#include "../calls.h"
#include "../mangled.h"
#include "../value_set.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

/* Returns the function's name within its mangled one; *length is 0 if it is not mangled. */
static const char *read_name(LLVMValueRef function, size_t *length) {
  size_t all;
  *length = 0;
  return mangled_name(LLVMGetValueName2(function, &all), length);
}

/* Returns whether a function's name is in the list; entries that end with _ are prefixes. */
static bool has_name_of(LLVMValueRef function, const char *const *names, size_t count) {
  size_t length;
  const char *name = read_name(function, &length);
  for (size_t i = 0; i < count; i++) {
    const size_t own = strlen(names[i]);
    const bool is_stem = names[i][own - 1] == '_';
    if ((is_stem ? length > own : length == own) && memcmp(name, names[i], own) == 0)
      return true;
  }
  return false;
}
#define HAS_NAME_OF(function, names) has_name_of(function, names, sizeof(names) / sizeof(names)[0])

/* Functions that wait for the whole sub-group. Each has a non-uniform twin, which waits only for
 * the active work-items. */
static const char *const of_all[] = {"sub_group_reduce_", "sub_group_scan_", "sub_group_any",
                                     "sub_group_all", "sub_group_broadcast"};
/* Functions whose result differs among a sub-group's work-items, and those that return the same
 * to all of them. */
static const char *const ids[] = {"get_local_id", "get_global_id", "get_sub_group_local_id",
                                  "get_local_linear_id", "get_global_linear_id"};
static const char *const shared[] = {"sub_group_reduce_",   "sub_group_any",       "sub_group_all",
                                     "sub_group_broadcast", "work_group_reduce_",  "work_group_any",
                                     "work_group_all",      "work_group_broadcast"};

/* Declares a function's twin: "sub_group_<x>" becomes "sub_group_non_uniform_<x>". Returns NULL
 * when memory is exhausted. */
static LLVMValueRef declare_twin(LLVMModuleRef module, LLVMValueRef function) {
  static const char added[] = "non_uniform_";
  const size_t stem = strlen("sub_group_");
  size_t length;
  const char *name = read_name(function, &length);
  const size_t size = strlen(name) + sizeof added + 24;
  char *twin = malloc(size);
  if (twin == NULL)
    return NULL;
  snprintf(twin, size, "_Z%zu%.*s%s%s", length + sizeof added - 1, (int)stem, name, added,
           name + stem);
  LLVMValueRef found = LLVMGetNamedFunction(module, twin);
  if (found == NULL)
    found = LLVMAddFunction(module, twin, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(found, LLVMGetFunctionCallConv(function));
  free(twin);
  return found;
}

/* ---- Values that differ among the work-items of a sub-group ---- */

/* Returns the private variable that a pointer points into, or NULL. */
static LLVMValueRef find_variable(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) != NULL || LLVMIsABitCastInst(pointer) != NULL)
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer);
}

static bool is_shared(LLVMValueRef function) {
  return function != NULL && HAS_NAME_OF(function, shared);
}

static bool has_differing_operand(const value_set *differing, LLVMValueRef at) {
  const int count = LLVMGetNumOperands(at);
  for (int i = 0; i < count; i++)
    if (value_set_has(differing, LLVMGetOperand(at, (unsigned)i)))
      return true;
  return false;
}

/*
 * Returns the value that differs among work-items because of an instruction, or NULL: the
 * instruction itself, the variable that it writes, or the function that it returns from (calls
 * have the function as an operand, so they differ, too).
 */
static LLVMValueRef find_differing(const value_set *differing, LLVMValueRef at) {
  if (LLVMIsAReturnInst(at) != NULL)
    return has_differing_operand(differing, at)
               ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))
               : NULL;
  if (LLVMIsAStoreInst(at) != NULL)
    return value_set_has(differing, LLVMGetOperand(at, 0)) ? find_variable(LLVMGetOperand(at, 1))
                                                           : NULL;
  LLVMValueRef called = called_function(at);
  if (called != NULL && HAS_NAME_OF(called, ids))
    return at;
  return !is_shared(called) && has_differing_operand(differing, at) ? at : NULL;
}

/* Adds a function's differing values to a set; false when memory is exhausted. */
static bool find_all_differing(LLVMValueRef function, value_set *ret, bool *is_any) {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        LLVMValueRef value = find_differing(ret, at);
        bool added = false;
        if (value != NULL && !value_set_add(ret, value, &added))
          return false;
        is_new = is_new || added;
      }
    *is_any = *is_any || is_new;
  }
  return true;
}

/* ---- Divergent control flow ---- */

/* A block with its post-dominators: the blocks on every path from it to the function's end. */
typedef struct way_block {
  LLVMBasicBlockRef block;
  uint64_t *passed; /* the post-dominators, a bit for each block of the table */
  bool is_apart;    /* only some of a sub-group's work-items may run it */
} way_block;

typedef struct way_table {
  value_set *differing;
  way_block *blocks; /* sorted */
  size_t count;
  size_t words; /* of a set */
  uint64_t *sets;
} way_table;

static size_t find_block(const way_table *table, LLVMBasicBlockRef block) {
  const way_block *found = blocks_find(table->blocks, table->count, sizeof *table->blocks, block);
  return (size_t)(found - table->blocks);
}

static bool has_bit(const uint64_t *set, size_t bit) {
  return set[bit / 64] >> bit % 64 & 1;
}

static unsigned count_ways(LLVMValueRef end) {
  return end != NULL ? LLVMGetNumSuccessors(end) : 0;
}

/* Reduces a block's set to the intersection of its successors' sets, plus the block itself. Returns
 * whether that changed the set. */
static bool narrow_passed(const way_table *table, size_t own) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(table->blocks[own].block);
  const unsigned count = count_ways(end);
  bool is_changed = false;
  for (size_t word = 0; word < table->words; word++) {
    uint64_t all = count != 0 ? UINT64_MAX : 0;
    for (unsigned i = 0; i < count; i++)
      all &= table->blocks[find_block(table, LLVMGetSuccessor(end, i))].passed[word];
    if (word == own / 64)
      all |= UINT64_C(1) << own % 64;
    is_changed = is_changed || all != table->blocks[own].passed[word];
    table->blocks[own].passed[word] = all;
  }
  return is_changed;
}

/* Makes the table of a function's blocks; false when memory is exhausted. */
static bool make_table(LLVMValueRef function, way_table *table) {
  table->count = LLVMCountBasicBlocks(function);
  table->words = (table->count + 63) / 64;
  table->blocks = calloc(table->count, sizeof *table->blocks);
  table->sets = malloc(table->count * table->words * sizeof *table->sets);
  if (table->blocks == NULL || table->sets == NULL)
    return false;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (size_t i = 0; i < table->count; i++, block = LLVMGetNextBasicBlock(block))
    table->blocks[i].block = block;
  blocks_sort(table->blocks, table->count, sizeof *table->blocks);
  memset(table->sets, 0xff, table->count * table->words * sizeof *table->sets);
  for (size_t i = 0; i < table->count; i++)
    table->blocks[i].passed = table->sets + i * table->words;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = table->count; i-- > 0;)
      is_changed = narrow_passed(table, i) || is_changed;
  }
  return true;
}

/* Adds a block's phis to the differing values; false when memory is exhausted. */
static bool add_joined(way_table *table, LLVMBasicBlockRef block, bool *is_new) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && LLVMIsAPHINode(at) != NULL;
       at = LLVMGetNextInstruction(at)) {
    bool added = false;
    if (!value_set_add(table->differing, at, &added))
      return false;
    *is_new = *is_new || added;
  }
  return true;
}

/*
 * choice is a block that ends with a branch on a differing condition. Marks all blocks from there
 * to its post-dominators as apart, and adds their phis to the differing values. queue has space for
 * all blocks. Returns false when memory is exhausted.
 */
static bool mark_between(way_table *table, size_t choice, size_t *queue, bool *is_new) {
  bool *seen = calloc(table->count, sizeof *seen);
  size_t count = 0;
  bool done = seen != NULL;
  queue[count++] = choice;
  for (size_t i = 0; done && i < count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(table->blocks[queue[i]].block);
    const unsigned ways = count_ways(end);
    for (unsigned way = 0; done && way < ways; way++) {
      const size_t next = find_block(table, LLVMGetSuccessor(end, way));
      const bool is_join = next != choice && has_bit(table->blocks[choice].passed, next);
      done = add_joined(table, table->blocks[next].block, is_new);
      table->blocks[next].is_apart = table->blocks[next].is_apart || !is_join;
      if (!is_join && next != choice && !seen[next]) {
        seen[next] = true;
        queue[count++] = next;
      }
    }
  }
  free(seen);
  return done;
}

static bool is_differing_choice(const way_table *table, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  return count_ways(end) > 1 && value_set_has(table->differing, LLVMGetOperand(end, 0));
}

/* Marks the blocks that only some work-items of a sub-group may run; false when memory is
 * exhausted. */
static bool mark_apart(LLVMValueRef function, way_table *table, bool *is_any) {
  size_t *queue = malloc(table->count * sizeof *queue);
  bool done = queue != NULL;
  for (bool is_new = true; done && is_new;) {
    is_new = false;
    done = find_all_differing(function, table->differing, is_any);
    for (size_t i = 0; done && i < table->count; i++)
      if (is_differing_choice(table, table->blocks[i].block))
        done = mark_between(table, i, queue, &is_new);
    *is_any = *is_any || is_new;
  }
  free(queue);
  return done;
}

/* ---- Calls ---- */

static bool waits_for_all(LLVMValueRef instruction) {
  LLVMValueRef called = called_function(instruction);
  return called != NULL && LLVMIsDeclaration(called) && HAS_NAME_OF(called, of_all);
}

/* Makes a block's calls that wait for the whole sub-group call the twins; false when memory is
 * exhausted. */
static bool call_twins(LLVMModuleRef module, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    if (!waits_for_all(at))
      continue;
    LLVMValueRef twin = declare_twin(module, called_function(at));
    if (twin == NULL)
      return false;
    LLVMSetOperand(at, (unsigned)LLVMGetNumOperands(at) - 1, twin);
  }
  return true;
}

typedef struct module_ways {
  LLVMModuleRef module;
  value_set differing; /* values that differ among the work-items of a sub-group */
  value_set apart;     /* functions that only some of the work-items may run */
} module_ways;

/* Records which of the module's functions a block calls apart, or with differing arguments; false
 * when memory is exhausted. */
static bool follow_calls(module_ways *ways, const way_block *from, bool is_apart, bool *is_any) {
  bool done = true;
  for (LLVMValueRef at = LLVMGetFirstInstruction(from->block); done && at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef called = called_function(at);
    if (called == NULL || LLVMIsDeclaration(called))
      continue;
    bool added = false;
    done = !is_apart || value_set_add(&ways->apart, called, &added);
    *is_any = *is_any || added;
    const unsigned count = LLVMGetNumArgOperands(at);
    for (unsigned i = 0; done && i < count; i++) {
      added = false;
      if (value_set_has(&ways->differing, LLVMGetOperand(at, i)))
        done = value_set_add(&ways->differing, LLVMGetParam(called, i), &added);
      *is_any = *is_any || added;
    }
  }
  return done;
}

/* Collects the facts about a function or, if all are known, makes its calls use the twins where
 * only some work-items run. Returns false when memory is exhausted. */
static bool settle_function(module_ways *ways, LLVMValueRef function, bool is_known, bool *is_any) {
  way_table table = {.differing = &ways->differing};
  bool done = make_table(function, &table) && mark_apart(function, &table, is_any);
  for (size_t i = 0; done && i < table.count; i++) {
    const bool is_apart = table.blocks[i].is_apart || value_set_has(&ways->apart, function);
    if (!is_known)
      done = follow_calls(ways, &table.blocks[i], is_apart, is_any);
    else if (is_apart)
      done = call_twins(ways->module, table.blocks[i].block);
  }
  free(table.blocks);
  free(table.sets);
  return done;
}

/* Calls settle_function for all functions of a module. */
static bool settle_functions(module_ways *ways, bool is_known, bool *is_any) {
  bool done = true;
  for (LLVMValueRef function = LLVMGetFirstFunction(ways->module); done && function != NULL;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      done = settle_function(ways, function, is_known, is_any);
  return done;
}

static bool settle_calls(LLVMModuleRef module) {
  module_ways ways = {.module = module};
  bool done = true;
  for (bool is_any = true; done && is_any;) {
    is_any = false;
    done = settle_functions(&ways, false, &is_any);
  }
  bool is_any = false;
  done = done && settle_functions(&ways, true, &is_any);
  value_set_free(&ways.differing);
  value_set_free(&ways.apart);
  return done;
}

/* Returns whether a module declares functions that wait for the whole sub-group. */
static bool has_function_of_all(LLVMModuleRef module) {
  LLVMValueRef value = LLVMGetFirstFunction(module);
  while (value != NULL && !(LLVMIsDeclaration(value) && HAS_NAME_OF(value, of_all)))
    value = LLVMGetNextFunction(value);
  return value != NULL;
}

/* Gives a function the name without "bitwise_", and its calls the function that has it already. */
static bool rename_bitwise(LLVMModuleRef module, LLVMValueRef function) {
  static const char left[] = "bitwise_";
  size_t length;
  const char *name = read_name(function, &length);
  const char *group = length > 0 ? strstr(name, "_group_") : NULL;
  const char *at = group != NULL ? strstr(group, left) : NULL;
  if (at == NULL || at > name + length || (group != name + 3 && group != name + 4))
    return true;
  const size_t size = strlen(name) + 24;
  char *plain = malloc(size);
  if (plain == NULL)
    return false;
  snprintf(plain, size, "_Z%zu%.*s%s", length - strlen(left), (int)(at - name), name,
           at + strlen(left));
  LLVMValueRef found = LLVMGetNamedFunction(module, plain);
  if (found == NULL)
    LLVMSetValueName2(function, plain, strlen(plain));
  else
    LLVMReplaceAllUsesWith(function, found);
  free(plain);
  return true;
}

specpi_compiler_result convergence_settle(LLVMModuleRef module) {
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value))
    if (LLVMIsDeclaration(value) && !rename_bitwise(module, value))
      return compiler_error_memory();
  if (has_function_of_all(module) && !settle_calls(module))
    return compiler_error_memory();
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value))
    if (LLVMGetIntrinsicID(value) == 0)
      attributes_add(value, "convergent");
  return SPECPI_COMPILER_SUCCESS;
}

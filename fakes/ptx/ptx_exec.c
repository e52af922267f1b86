/* The interpreter's loop; moves, branches and calls. */
#include "ptx_exec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool ptx_stop(ptx_thread *thread, const ptx_insn *insn, ptx_status status, const char *format,
              ...) {
  ptx_running *run = thread->block->run;
  char sentence[256];
  va_list list;
  va_start(list, format);
  vsnprintf(sentence, sizeof(sentence), format, list);
  va_end(list);
  const uint32_t *block = thread->block->ctaid;
  ptx_say(run->log, "%s (entry '%.80s', line %u, block %u,%u,%u, thread %u,%u,%u)", sentence,
          run->launch->entry->name, insn ? insn->line : 0, block[0], block[1], block[2],
          thread->tid[0], thread->tid[1], thread->tid[2]);
  run->status = status;
  return false;
}

static uint64_t nanoseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns special registers of the launch and the block. A cluster has one block. */
static uint64_t block_special(const ptx_thread *thread, uint32_t special) {
  const ptx_block *block = thread->block;
  const ptx_running *run = block->run;
  const ptx_launch *launch = run->launch;
  const uint32_t *grid = launch->grid, *cta = block->ctaid;
  const uint64_t number = cta[0] + (uint64_t)grid[0] * (cta[1] + (uint64_t)grid[1] * cta[2]);
  const uint32_t processors = launch->multiprocessors ? launch->multiprocessors : 1;
  switch (special) {
  case PTX_SPECIAL_NSMID:
    return processors;
  case PTX_SPECIAL_SMID:
    return number % processors;
  case PTX_SPECIAL_GRIDID:
    return launch->grid_id;
  case PTX_SPECIAL_TOTAL_SMEM_SIZE:
  case PTX_SPECIAL_AGGR_SMEM_SIZE:
    return launch->entry->shared_bytes + launch->dynamic_shared;
  case PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
    return launch->dynamic_shared;
  case PTX_SPECIAL_ENVREG + 1:
    return launch->workspace >> 32;
  case PTX_SPECIAL_ENVREG + 2:
    return launch->workspace & UINT32_MAX;
  case PTX_SPECIAL_CLUSTER_NCTAID_X:
  case PTX_SPECIAL_CLUSTER_NCTAID_Y:
  case PTX_SPECIAL_CLUSTER_NCTAID_Z:
  case PTX_SPECIAL_CLUSTER_NCTARANK:
    return 1;
  default:
    return 0;
  }
}

uint64_t ptx_special_value(const ptx_thread *thread, uint32_t special) {
  const ptx_running *run = thread->block->run;
  const uint32_t lane = thread->lane;
  switch (special) {
  case PTX_SPECIAL_TID_X:
  case PTX_SPECIAL_TID_Y:
  case PTX_SPECIAL_TID_Z:
    return thread->tid[special - PTX_SPECIAL_TID_X];
  case PTX_SPECIAL_NTID_X:
  case PTX_SPECIAL_NTID_Y:
  case PTX_SPECIAL_NTID_Z:
    return run->launch->block[special - PTX_SPECIAL_NTID_X];
  case PTX_SPECIAL_CTAID_X:
  case PTX_SPECIAL_CTAID_Y:
  case PTX_SPECIAL_CTAID_Z:
    return thread->block->ctaid[special - PTX_SPECIAL_CTAID_X];
  case PTX_SPECIAL_CLUSTERID_X:
  case PTX_SPECIAL_CLUSTERID_Y:
  case PTX_SPECIAL_CLUSTERID_Z:
    return thread->block->ctaid[special - PTX_SPECIAL_CLUSTERID_X];
  case PTX_SPECIAL_NCTAID_X:
  case PTX_SPECIAL_NCTAID_Y:
  case PTX_SPECIAL_NCTAID_Z:
    return run->launch->grid[special - PTX_SPECIAL_NCTAID_X];
  case PTX_SPECIAL_NCLUSTERID_X:
  case PTX_SPECIAL_NCLUSTERID_Y:
  case PTX_SPECIAL_NCLUSTERID_Z:
    return run->launch->grid[special - PTX_SPECIAL_NCLUSTERID_X];
  case PTX_SPECIAL_LANEID:
    return lane;
  case PTX_SPECIAL_WARPID:
    return thread->index / PTX_WARP;
  case PTX_SPECIAL_NWARPID:
    return (run->threads + PTX_WARP - 1) / PTX_WARP;
  case PTX_SPECIAL_LANEMASK_EQ:
    return UINT32_C(1) << lane;
  case PTX_SPECIAL_LANEMASK_LE:
    return UINT32_MAX >> (31 - lane);
  case PTX_SPECIAL_LANEMASK_LT:
    return (UINT32_C(1) << lane) - 1;
  case PTX_SPECIAL_LANEMASK_GE:
    return UINT32_MAX << lane;
  case PTX_SPECIAL_LANEMASK_GT:
    return UINT32_MAX << lane & ~(UINT32_C(1) << lane);
  case PTX_SPECIAL_CLOCK:
    return run->steps & UINT32_MAX;
  case PTX_SPECIAL_CLOCK_HI:
    return run->steps >> 32;
  case PTX_SPECIAL_CLOCK64:
    return run->steps;
  case PTX_SPECIAL_GLOBALTIMER:
    return nanoseconds();
  case PTX_SPECIAL_GLOBALTIMER_LO:
    return nanoseconds() & UINT32_MAX;
  case PTX_SPECIAL_GLOBALTIMER_HI:
    return nanoseconds() >> 32;
  default:
    return block_special(thread, special);
  }
}

bool ptx_exec_MOVE(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  switch (insn->op) {
  case PTX_OP_MOV:
    *ptx_slot(thread, o[0]) =
        insn->type == PTX_PRED ? ptx_predicate(thread, o[1]) : ptx_get(thread, o[1]);
    return true;
  case PTX_OP_SPECIAL:
    *ptx_slot(thread, o[0]) = ptx_cut(ptx_special_value(thread, insn->target), insn->shift);
    return true;
  case PTX_OP_PACK: {
    const unsigned bits = (64u - insn->shift) / insn->count;
    uint64_t value = 0;
    for (unsigned i = 0; i < insn->count; i++)
      value |= ptx_cut(ptx_get(thread, o[1 + i]), 64 - bits) << i * bits;
    *ptx_slot(thread, o[0]) = value;
    return true;
  }
  default: { /* PTX_OP_UNPACK; a destination may be the source */
    const unsigned bits = (64u - insn->shift) / insn->count;
    const uint64_t value = ptx_get(thread, o[0]);
    for (unsigned i = 0; i < insn->count; i++)
      *ptx_slot(thread, o[1 + i]) = ptx_cut(value >> i * bits, 64 - bits);
    return true;
  }
  }
}

static void enter(ptx_thread *thread, const ptx_function *function) {
  thread->function = function;
  thread->code = function->module->code;
  thread->operands = function->module->operands;
  thread->bank[0] = thread->stack + thread->slots;
  thread->bank[1] = function->module->constants;
}

void ptx_read_actual(const ptx_thread *thread, const ptx_actual *actual, void *bytes) {
  if (actual->memory) {
    memcpy(bytes, thread->memory + thread->local + actual->operand, actual->size);
    return;
  }
  const uint64_t value = ptx_get(thread, actual->operand);
  memcpy(bytes, &value, actual->size < 8 ? actual->size : 8);
}

void ptx_write_actual(ptx_thread *thread, const ptx_actual *actual, const void *bytes) {
  if (actual->memory) {
    memcpy(thread->memory + thread->local + actual->operand, bytes, actual->size);
    return;
  }
  uint64_t value = 0;
  memcpy(&value, bytes, actual->size < 8 ? actual->size : 8);
  *ptx_slot(thread, actual->operand) = value;
}

static bool stack_overflow(ptx_thread *thread, const ptx_insn *insn) {
  return ptx_stop(thread, insn, PTX_LAUNCH_STACK, "the stack of %llu bytes is full",
                  (unsigned long long)thread->block->run->local_bytes);
}

/* Pushes a frame for the callee's registers and local memory on the thread's stack. */
static bool push(ptx_thread *thread, const ptx_insn *insn, const ptx_function *callee,
                 uint32_t *local) {
  const uint64_t align = callee->frame_align;
  const uint64_t begin = (thread->local_top + align - 1) / align * align;
  if (thread->depth >= PTX_DEPTH_LIMIT ||
      begin + callee->frame_bytes > thread->block->run->local_bytes)
    return stack_overflow(thread, insn);
  const size_t needed = (size_t)thread->slots + thread->function->slots + callee->slots;
  if (needed > thread->stack_room) {
    uint64_t *stack = realloc(thread->stack, 2 * needed * sizeof(*stack));
    if (!stack)
      return stack_overflow(thread, insn);
    memset(stack + thread->stack_room, 0, (2 * needed - thread->stack_room) * sizeof(*stack));
    thread->stack = stack;
    thread->stack_room = 2 * needed;
    thread->bank[0] = stack + thread->slots;
  }
  if (!PTX_GROW(thread->frames, thread->depth, thread->frame_room))
    return stack_overflow(thread, insn);
  *local = (uint32_t)begin;
  return true;
}

static const ptx_function *indirect(const ptx_thread *thread, const ptx_call *call) {
  const ptx_program *program = thread->block->run->program;
  const uint64_t address = ptx_get(thread, call->operand);
  const uint64_t index = (address - PTX_WINDOW_CODE) / 16;
  if (address % 16 || index < 1 || index > program->function_count)
    return NULL;
  const ptx_function *function = program->functions[index - 1]->global->definition->function;
  bool fits = !function->is_entry && function->defined &&
              function->parameters.count == call->argument_count &&
              function->results.count == call->result_count;
  for (uint32_t i = 0; fits && i < call->argument_count; i++)
    fits = function->parameters.items[i].size == call->arguments[i].size;
  for (uint32_t i = 0; fits && i < call->result_count; i++)
    fits = function->results.items[i].size == call->results[i].size;
  return fits ? function : NULL;
}

static void pass_arguments(ptx_thread *thread, const ptx_function *callee, const ptx_call *call,
                           uint32_t local) {
  uint64_t *registers = thread->stack + thread->slots + thread->function->slots;
  for (uint32_t i = 0; i < call->argument_count; i++) {
    const ptx_formal *formal = &callee->parameters.items[i];
    const ptx_actual *actual = &call->arguments[i];
    uint64_t value = 0;
    if (!formal->slot)
      ptx_read_actual(thread, actual, thread->memory + local + formal->offset);
    else {
      ptx_read_actual(thread, actual, &value);
      registers[formal->slot] = value;
    }
  }
}

static bool call_function(ptx_thread *thread, const ptx_insn *insn) {
  const ptx_call *call = &thread->function->module->calls[insn->target];
  const ptx_function *callee =
      call->callee ? call->callee->definition->function : indirect(thread, call);
  if (!callee)
    return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION,
                    "an indirect call to 0x%llx, which is no function with these parameters",
                    (unsigned long long)ptx_get(thread, call->operand));
  if (!callee->defined)
    return ptx_call_builtin(thread, insn, call, callee->builtin);
  uint32_t local = 0;
  if (!push(thread, insn, callee, &local))
    return false;
  pass_arguments(thread, callee, call, local);
  thread->frames[thread->depth++] =
      (ptx_frame){thread->function, thread->pc, thread->slots, thread->local, call};
  thread->slots += thread->function->slots;
  thread->local = local;
  thread->local_top = local + callee->frame_bytes;
  thread->pc = callee->begin;
  enter(thread, callee);
  thread->bank[0][PTX_SLOT_FRAME] = local;
  return true;
}

static bool return_from(ptx_thread *thread) {
  if (thread->depth == 0) {
    ptx_end_thread(thread);
    return false;
  }
  const ptx_function *callee = thread->function;
  const uint64_t *registers = thread->bank[0];
  const unsigned char *memory = thread->memory + thread->local;
  const ptx_frame frame = thread->frames[--thread->depth];
  thread->slots = frame.slots;
  thread->local = frame.local;
  thread->local_top = (uint32_t)(memory - thread->memory);
  thread->pc = frame.pc;
  enter(thread, frame.function);
  for (uint32_t i = 0; i < frame.call->result_count; i++) {
    const ptx_formal *formal = &callee->results.items[i];
    ptx_write_actual(thread, &frame.call->results[i],
                     formal->slot ? (const void *)&registers[formal->slot]
                                  : (const void *)(memory + formal->offset));
  }
  return true;
}

bool ptx_exec_CONTROL(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  switch (insn->op) {
  case PTX_OP_BRA:
    thread->pc = insn->target;
    return true;
  case PTX_OP_BRX: {
    const ptx_table *table = &thread->function->module->tables[insn->target];
    const uint64_t index = ptx_get(thread, o[0]);
    if (index >= table->count)
      return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION, "brx.idx to target %llu of %u",
                      (unsigned long long)index, (unsigned)table->count);
    thread->pc = table->targets[index];
    return true;
  }
  case PTX_OP_CALL:
    return call_function(thread, insn);
  case PTX_OP_RET:
    return return_from(thread);
  case PTX_OP_EXIT:
    ptx_end_thread(thread);
    return false;
  case PTX_OP_TRAP:
    return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION, "trap");
  default: /* nanosleep, brkpt, pmevent and griddepcontrol do nothing */
    return true;
  }
}

static inline bool execute(ptx_thread *thread, const ptx_insn *insn) {
  switch (insn->family) {
#define FAMILY(NAME)                                                                               \
  case PTX_FAMILY_##NAME:                                                                          \
    return ptx_exec_##NAME(thread, insn);
    PTX_FAMILIES(FAMILY)
#undef FAMILY
  default:
    return false;
  }
}

void ptx_run_thread(ptx_thread *thread, uint64_t slice) {
  uint64_t left = slice;
  while (left > 0) {
    left--;
    const ptx_insn *insn = &thread->code[thread->pc++];
    if (insn->guard != PTX_NO_GUARD && !ptx_predicate(thread, insn->guard))
      continue;
    if (!execute(thread, insn))
      break;
  }
  thread->block->run->steps += slice - left;
}

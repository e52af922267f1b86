/* Addresses, loads and stores, cp.async and mbarrier. */
#include "ptx_exec.h"

#include <string.h>

static unsigned char *illegal(ptx_thread *thread, const ptx_insn *insn, uint64_t address,
                              uint64_t size, bool write) {
  ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_ADDRESS, "an illegal %s of %llu bytes at 0x%llx",
           write ? "store" : "load", (unsigned long long)size, (unsigned long long)address);
  return NULL;
}

static unsigned char *global_memory(ptx_thread *thread, const ptx_insn *insn, uint64_t address,
                                    uint64_t size, bool write) {
  ptx_running *run = thread->block->run;
  const ptx_hooks *hooks = run->hooks;
  for (uint32_t i = 0; i < run->range_count; i++) {
    const ptx_range *range = &run->ranges[i];
    if (address >= range->begin && address < range->end && size <= range->end - address) {
      if (write && !range->writable)
        return illegal(thread, insn, address, size, write);
      return (unsigned char *)range->host + (address - range->begin);
    }
  }
  ptx_range found = {0};
  if (!hooks || !hooks->memory || address >= PTX_WINDOWS ||
      !hooks->memory(hooks->user, address, &found) || address < found.begin ||
      address >= found.end || size > found.end - address || (write && !found.writable))
    return illegal(thread, insn, address, size, write);
  run->ranges[run->range_next] = found;
  run->range_next = (run->range_next + 1) % PTX_RANGES;
  run->range_count += run->range_count < PTX_RANGES;
  return (unsigned char *)found.host + (address - found.begin);
}

static unsigned char *window(ptx_thread *thread, const ptx_insn *insn, uint64_t address,
                             uint64_t size, bool write) {
  const ptx_running *run = thread->block->run;
  const uint64_t offset = address & ~PTX_WINDOW_MASK;
  unsigned char *memory = NULL;
  uint64_t room = 0;
  switch (address & PTX_WINDOW_MASK) {
  case PTX_WINDOW_SHARED:
    memory = thread->block->shared;
    room = run->shared_bytes;
    break;
  case PTX_WINDOW_LOCAL:
    memory = thread->memory;
    room = run->local_bytes;
    break;
  case PTX_WINDOW_PARAM:
    memory = run->parameters;
    room = write ? 0 : run->launch->entry->parameter_bytes;
    break;
  default:
    break;
  }
  if (offset > room || size > room - offset)
    return illegal(thread, insn, address, size, write);
  return memory + offset;
}

unsigned char *ptx_bytes(ptx_thread *thread, const ptx_insn *insn, uint64_t address, uint64_t size,
                         bool write) {
  return address >= PTX_WINDOWS ? window(thread, insn, address, size, write)
                                : global_memory(thread, insn, address, size, write);
}

unsigned char *ptx_memory(ptx_thread *thread, const ptx_insn *insn, ptx_space space,
                          uint64_t address, uint32_t size, uint32_t align, bool write) {
  if (address & (align - 1)) {
    ptx_stop(thread, insn, PTX_LAUNCH_MISALIGNED_ADDRESS, "a misaligned %s of %u bytes at 0x%llx",
             write ? "store" : "load", size, (unsigned long long)address);
    return NULL;
  }
  switch (space) {
  case PTX_SPACE_SHARED:
  case PTX_SPACE_LOCAL: {
    const bool shared = space == PTX_SPACE_SHARED;
    const uint64_t room =
        shared ? thread->block->run->shared_bytes : thread->block->run->local_bytes;
    if (address > room || size > room - address)
      return illegal(thread, insn, address, size, write);
    return (shared ? thread->block->shared : thread->memory) + address;
  }
  case PTX_SPACE_GLOBAL:
  case PTX_SPACE_CONST:
    return global_memory(thread, insn, address, size, write);
  default:
    return ptx_bytes(thread, insn, address, size, write);
  }
}

/* Returns the address from two operands, base and offset. */
static uint64_t address_of(const ptx_thread *thread, const uint32_t *o) {
  return ptx_get(thread, o[0]) + (uint64_t)(int64_t)(int32_t)o[1];
}

static uint64_t load_bytes(const unsigned char *from, uint32_t size) {
  uint64_t value = 0;
  switch (size) {
  case 1:
    return *from;
  case 2:
    memcpy(&value, from, 2);
    return value;
  case 4:
    memcpy(&value, from, 4);
    return value;
  default:
    memcpy(&value, from, 8);
    return value;
  }
}

static bool load_memory(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint32_t size = (64u - insn->shift) / 8, all = size * insn->count;
  const unsigned char *from = ptx_memory(thread, insn, (ptx_space)insn->space,
                                         address_of(thread, o + insn->count), all, all, false);
  if (!from)
    return false;
  for (uint32_t i = 0; i < insn->count; i++) {
    uint64_t value = load_bytes(from + i * size, size);
    if (insn->flags & PTX_FLAG_SIGNED)
      value = ptx_cut((uint64_t)ptx_extend(value, insn->shift), insn->dshift);
    *ptx_slot(thread, o[i]) = value;
  }
  return true;
}

static bool store_memory(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint32_t size = (64u - insn->shift) / 8, all = size * insn->count;
  unsigned char *to =
      ptx_memory(thread, insn, (ptx_space)insn->space, address_of(thread, o), all, all, true);
  if (!to)
    return false;
  for (uint32_t i = 0; i < insn->count; i++) {
    const uint64_t value = ptx_get(thread, o[2 + i]);
    switch (size) {
    case 1:
      to[i] = (unsigned char)value;
      break;
    case 2:
      memcpy(to + i * 2, &value, 2);
      break;
    case 4:
      memcpy(to + i * 4, &value, 4);
      break;
    default:
      memcpy(to + i * 8, &value, 8);
      break;
    }
  }
  return true;
}

static uint64_t window_of(uint8_t space) {
  return space == PTX_SPACE_SHARED  ? PTX_WINDOW_SHARED
         : space == PTX_SPACE_LOCAL ? PTX_WINDOW_LOCAL
                                    : 0;
}

static void convert_address(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t address = ptx_get(thread, o[1]), base = window_of(insn->space);
  *ptx_slot(thread, o[0]) =
      ptx_cut(insn->flags & PTX_FLAG_TO ? address - base : address + base, insn->shift);
}

/* Returns whether a generic address is in the instruction's state space. */
static bool is_in_space(const ptx_thread *thread, const ptx_insn *insn, uint64_t address) {
  const uint64_t place = address & PTX_WINDOW_MASK;
  switch (insn->space) {
  case PTX_SPACE_SHARED:
    return place == PTX_WINDOW_SHARED;
  case PTX_SPACE_LOCAL:
    return place == PTX_WINDOW_LOCAL;
  case PTX_SPACE_PARAM:
    return place == PTX_WINDOW_PARAM;
  case PTX_SPACE_CONST: {
    const ptx_program *program = thread->block->run->program;
    for (size_t i = 0; i < program->variable_count; i++)
      if (program->variables[i].kind == PTX_VARIABLE_CONSTANT &&
          address - program->variable_globals[i]->address < program->variables[i].size)
        return true;
    return false;
  }
  default:
    return address < PTX_WINDOWS;
  }
}

static bool allocate_stack(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t size = ptx_get(thread, o[1]);
  uint64_t align = ptx_get(thread, o[2]);
  align = align < 8 ? 8 : align;
  const uint64_t begin = (thread->local_top + align - 1) / align * align;
  const uint64_t room = thread->block->run->local_bytes;
  if (begin > room || size > room - begin)
    return ptx_stop(thread, insn, PTX_LAUNCH_STACK, "no %llu bytes on the stack of %llu",
                    (unsigned long long)size, (unsigned long long)room);
  thread->local_top = (uint32_t)(begin + size);
  *ptx_slot(thread, o[0]) = begin;
  return true;
}

static bool restore_stack(ptx_thread *thread, const ptx_insn *insn, uint64_t top) {
  if (top < thread->local || top > thread->block->run->local_bytes)
    return ptx_stop(thread, insn, PTX_LAUNCH_STACK, "stackrestore of 0x%llx",
                    (unsigned long long)top);
  thread->local_top = (uint32_t)top;
  return true;
}

/* Operands: two addresses, bytes to write, bytes to read. Writes 0 after the bytes read. */
static bool copy_memory(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  if (insn->mode != PTX_M_ASYNC_ASYNC)
    return true;
  const uint64_t size = ptx_get(thread, o[4]);
  uint64_t have = ptx_get(thread, o[5]);
  have = have < size ? have : size;
  if (size != 4 && size != 8 && size != 16)
    return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION, "cp.async of %llu bytes",
                    (unsigned long long)size);
  unsigned char *to = ptx_memory(thread, insn, PTX_SPACE_SHARED, address_of(thread, o),
                                 (uint32_t)size, (uint32_t)size, true);
  if (!to)
    return false;
  memset(to, 0, size);
  if (have == 0)
    return true;
  const unsigned char *from = ptx_memory(thread, insn, PTX_SPACE_GLOBAL, address_of(thread, o + 2),
                                         (uint32_t)have, (uint32_t)size, false);
  if (from)
    memcpy(to, from, have);
  return from != NULL;
}

/* An mbarrier's bits: the number of pending arrivals, of expected arrivals, and the phase. */
enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1 };

static uint64_t arrive(uint64_t state, uint64_t count, bool drop) {
  uint64_t pending = state & COUNT_MASK, expected = state >> COUNT_BITS & COUNT_MASK;
  uint64_t phase = state >> 2 * COUNT_BITS;
  pending -= count;
  expected -= drop ? count : 0;
  if (pending == 0) {
    pending = expected;
    phase++;
  }
  return phase << 2 * COUNT_BITS | expected << COUNT_BITS | pending;
}

static bool use_mbarrier(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  if (insn->mode == PTX_M_MBARRIER_PENDING_COUNT) {
    *ptx_slot(thread, o[0]) = ptx_get(thread, o[1]) & COUNT_MASK;
    return true;
  }
  unsigned char *place =
      ptx_memory(thread, insn, (ptx_space)insn->space, address_of(thread, o + 1), 8, 8, true);
  if (!place)
    return false;
  uint64_t state = load_bytes(place, 8);
  const uint64_t operand = ptx_get(thread, o[3]), phase = state >> 2 * COUNT_BITS;
  const bool drop = insn->mode == PTX_M_MBARRIER_ARRIVE_DROP;
  switch (insn->mode) {
  case PTX_M_MBARRIER_INIT:
    state = (operand & COUNT_MASK) << COUNT_BITS | (operand & COUNT_MASK);
    break;
  case PTX_M_MBARRIER_INVAL:
    state = 0;
    break;
  case PTX_M_MBARRIER_ARRIVE:
  case PTX_M_MBARRIER_ARRIVE_DROP:
    if (operand < 1 || operand > (state & COUNT_MASK))
      return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION,
                      "%llu arrivals at an mbarrier that waits for %llu",
                      (unsigned long long)operand, (unsigned long long)(state & COUNT_MASK));
    *ptx_slot(thread, o[0]) = state;
    state = arrive(state, operand, drop);
    break;
  default:
    *ptx_slot(thread, o[0]) = insn->flags & PTX_FLAG_PARITY ? (phase & 1) != (operand & 1)
                                                            : phase != operand >> 2 * COUNT_BITS;
    return true;
  }
  memcpy(place, &state, sizeof(state));
  return true;
}

bool ptx_exec_MEMORY(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  switch (insn->op) {
  case PTX_OP_LD:
  case PTX_OP_LDU:
    return load_memory(thread, insn, o);
  case PTX_OP_ST:
    return store_memory(thread, insn, o);
  case PTX_OP_CVTA:
    convert_address(thread, insn, o);
    return true;
  case PTX_OP_ISSPACEP:
    *ptx_slot(thread, o[0]) = is_in_space(thread, insn, ptx_get(thread, o[1]));
    return true;
  case PTX_OP_ALLOCA:
    return allocate_stack(thread, insn, o);
  case PTX_OP_STACKSAVE:
    *ptx_slot(thread, o[0]) = thread->local_top;
    return true;
  case PTX_OP_STACKRESTORE:
    return restore_stack(thread, insn, ptx_get(thread, o[0]));
  case PTX_OP_CP:
    return copy_memory(thread, insn, o);
  case PTX_OP_MBARRIER:
    return use_mbarrier(thread, insn, o);
  default: /* hints, and fences, which a single host thread does not need */
    return true;
  }
}

/* Instructions that the lanes of a warp execute together. */
#include "ptx_exec.h"

#include <string.h>

/* Returns the index of an instruction's operand with the mask of its lanes. */
static uint32_t mask_word(const ptx_insn *insn) {
  switch (insn->op) {
  case PTX_OP_SHFL:
    return 5;
  case PTX_OP_MATCH:
    return 3;
  case PTX_OP_BAR:
  case PTX_OP_BARRIER:
    return 0;
  default:
    return 2;
  }
}

bool ptx_exec_WARP(ptx_thread *thread, const ptx_insn *insn) {
  thread->waiting = insn;
  if (insn->op == PTX_OP_ACTIVEMASK) {
    thread->state = PTX_STATE_AT_MASK;
    return false;
  }
  const uint32_t mask = (uint32_t)ptx_get(thread, ptx_operands(thread, insn)[mask_word(insn)]);
  if (!(mask >> thread->lane & 1))
    return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION,
                    "lane %u is not in its own mask 0x%08x", thread->lane, mask);
  thread->mask = mask;
  thread->state = PTX_STATE_AT_WARP;
  return false;
}

/* Returns the lanes of a mask that have not ended. */
static uint32_t alive(const ptx_warp *warp, uint32_t mask) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if ((mask >> i & 1) && warp->lanes[i] && warp->lanes[i]->state != PTX_STATE_DONE)
      lanes |= UINT32_C(1) << i;
  return lanes;
}

static void shuffle(const ptx_warp *warp, uint32_t lanes, uint32_t lane) {
  ptx_thread *thread = warp->lanes[lane];
  const ptx_insn *insn = thread->waiting;
  const uint32_t *o = ptx_operands(thread, insn);
  const uint32_t by = (uint32_t)ptx_get(thread, o[3]) & 31;
  const uint32_t c = (uint32_t)ptx_get(thread, o[4]);
  const uint32_t clamp = c & 31, segment = c >> 8 & 31;
  const uint32_t least = lane & segment, most = least | (clamp & ~segment);
  uint32_t from;
  bool inside;
  switch (insn->mode) {
  case PTX_M_SHUFFLE_UP:
    from = lane - by;
    inside = (int32_t)from >= (int32_t)most;
    break;
  case PTX_M_SHUFFLE_DOWN:
    from = lane + by;
    inside = from <= most;
    break;
  case PTX_M_SHUFFLE_BFLY:
    from = lane ^ by;
    inside = from <= most;
    break;
  default: /* PTX_M_SHUFFLE_IDX */
    from = least | (by & ~segment);
    inside = from <= most;
    break;
  }
  if (!inside)
    from = lane;
  /* The value from a lane outside the mask is undefined; here it is the thread's own. */
  const ptx_thread *source = lanes >> from & 1 ? warp->lanes[from] : thread;
  thread->shuffled = ptx_get(source, ptx_operands(source, source->waiting)[2]);
  thread->inside = inside;
}

static uint32_t votes(const ptx_warp *warp, uint32_t lanes, uint32_t word) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if (lanes >> i & 1) {
      const ptx_thread *thread = warp->lanes[i];
      const bool vote = ptx_predicate(thread, ptx_operands(thread, thread->waiting)[word]);
      result |= (uint32_t)vote << i;
    }
  return result;
}

static uint64_t vote(const ptx_insn *insn, uint32_t lanes, uint32_t voted) {
  switch (insn->mode) {
  case PTX_M_VOTE_ALL:
    return voted == lanes;
  case PTX_M_VOTE_ANY:
    return voted != 0;
  case PTX_M_VOTE_UNI:
    return voted == lanes || voted == 0;
  default:
    return voted;
  }
}

/* Reads the operand with this index from each lane. */
static void gather(const ptx_warp *warp, uint32_t lanes, uint32_t word, uint64_t *values) {
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if (lanes >> i & 1) {
      const ptx_thread *thread = warp->lanes[i];
      values[i] = ptx_get(thread, ptx_operands(thread, thread->waiting)[word]);
    }
}

static uint32_t equal_lanes(const uint64_t *values, uint32_t lanes, uint64_t value) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if ((lanes >> i & 1) && values[i] == value)
      result |= UINT32_C(1) << i;
  return result;
}

static uint64_t reduce(const ptx_insn *insn, const uint64_t *values, uint32_t lanes) {
  const bool is_signed = (insn->flags & PTX_FLAG_SIGNED) != 0;
  bool first = true;
  uint64_t result = 0;
  for (uint32_t i = 0; i < PTX_WARP; i++) {
    if (!(lanes >> i & 1))
      continue;
    const uint64_t value = values[i];
    const bool less = is_signed ? ptx_extend(value, 32) < ptx_extend(result, 32) : value < result;
    switch (first ? 0 : insn->mode) {
    case 0:
      result = value;
      break;
    case PTX_M_ATOMIC_ADD:
      result += value;
      break;
    case PTX_M_ATOMIC_AND:
      result &= value;
      break;
    case PTX_M_ATOMIC_OR:
      result |= value;
      break;
    case PTX_M_ATOMIC_XOR:
      result ^= value;
      break;
    case PTX_M_ATOMIC_MIN:
      result = less ? value : result;
      break;
    default:
      result = less ? result : value;
      break;
    }
    first = false;
  }
  return result & UINT32_MAX;
}

static void put_word(const ptx_warp *warp, uint32_t lane, uint32_t word, uint64_t value) {
  const ptx_thread *thread = warp->lanes[lane];
  *ptx_slot(thread, ptx_operands(thread, thread->waiting)[word]) = value;
}

/* Executes an instruction for its lanes. Reads all values before it writes the first result. */
static void together(const ptx_warp *warp, uint32_t lanes, const ptx_insn *insn) {
  uint64_t values[PTX_WARP] = {0};
  uint32_t voted = 0;
  if (insn->op == PTX_OP_MATCH || insn->op == PTX_OP_REDUX)
    gather(warp, lanes, insn->op == PTX_OP_MATCH ? 2 : 1, values);
  if (insn->op == PTX_OP_VOTE || insn->op == PTX_OP_BALLOT)
    voted = votes(warp, lanes, 1);
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if ((lanes >> i & 1) && insn->op == PTX_OP_SHFL)
      shuffle(warp, lanes, i);
  const uint32_t leader = (uint32_t)__builtin_ctz(lanes);
  for (uint32_t i = 0; i < PTX_WARP; i++) {
    if (!(lanes >> i & 1))
      continue;
    const uint32_t same = equal_lanes(values, lanes, values[i]);
    switch (insn->op) {
    case PTX_OP_SHFL:
      put_word(warp, i, 0, warp->lanes[i]->shuffled);
      put_word(warp, i, 1, warp->lanes[i]->inside);
      break;
    case PTX_OP_VOTE:
    case PTX_OP_BALLOT:
      put_word(warp, i, 0, vote(insn, lanes, voted));
      break;
    case PTX_OP_MATCH:
      put_word(warp, i, 0, insn->mode == PTX_M_VOTE_ANY || same == lanes ? same : 0);
      put_word(warp, i, 1, same == lanes);
      break;
    case PTX_OP_REDUX:
      put_word(warp, i, 0, reduce(insn, values, lanes));
      break;
    case PTX_OP_ELECT:
      put_word(warp, i, 0, leader);
      put_word(warp, i, 1, i == leader);
      break;
    default: /* bar.warp.sync */
      break;
    }
  }
}

static bool waits_with(const ptx_thread *thread, const ptx_thread *other) {
  return thread && thread->state == PTX_STATE_AT_WARP && thread->mask == other->mask &&
         thread->waiting->op == other->waiting->op && thread->waiting->mode == other->waiting->mode;
}

bool ptx_meet(ptx_warp *warp) {
  bool some = false;
  for (uint32_t i = 0; i < PTX_WARP; i++) {
    const ptx_thread *thread = warp->lanes[i];
    if (!thread || thread->state != PTX_STATE_AT_WARP)
      continue;
    const uint32_t lanes = alive(warp, thread->mask);
    bool all = true;
    for (uint32_t j = 0; j < PTX_WARP && all; j++)
      all = !(lanes >> j & 1) || waits_with(warp->lanes[j], thread);
    if (!all)
      continue;
    together(warp, lanes, thread->waiting);
    for (uint32_t j = 0; j < PTX_WARP; j++)
      if (lanes >> j & 1)
        warp->lanes[j]->state = PTX_STATE_RUNS;
    some = true;
  }
  return some;
}

/* Returns a thread's instruction in one of its frames; frame 0 is the outermost. */
static uint32_t place_in(const ptx_thread *thread, size_t frame) {
  return frame < thread->depth ? thread->frames[frame].pc : thread->pc;
}

int ptx_compare_places(const ptx_thread *one, const ptx_thread *other) {
  for (size_t i = 0; i <= one->depth && i <= other->depth; i++) {
    const uint32_t a = place_in(one, i), b = place_in(other, i);
    if (a != b)
      return a < b ? -1 : 1;
  }
  return (one->depth > other->depth) - (one->depth < other->depth);
}

static bool waits_for_mask(const ptx_thread *thread) {
  return thread && thread->state == PTX_STATE_AT_MASK;
}

bool ptx_is_coming(const ptx_warp *warp) {
  bool waits = false;
  bool runs = false;
  for (uint32_t i = 0; i < PTX_WARP; i++) {
    waits |= waits_for_mask(warp->lanes[i]);
    runs |= warp->lanes[i] && warp->lanes[i]->state == PTX_STATE_RUNS;
  }
  return waits && runs;
}

bool ptx_meet_mask(ptx_warp *warp) {
  const ptx_thread *first = NULL;
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if (waits_for_mask(warp->lanes[i]) && (!first || ptx_compare_places(warp->lanes[i], first) < 0))
      first = warp->lanes[i];
  for (uint32_t i = 0; i < PTX_WARP && first; i++)
    if (waits_for_mask(warp->lanes[i]) && ptx_compare_places(warp->lanes[i], first) == 0)
      lanes |= UINT32_C(1) << i;
  for (uint32_t i = 0; i < PTX_WARP; i++)
    if (lanes >> i & 1) {
      put_word(warp, i, 0, lanes);
      warp->lanes[i]->state = PTX_STATE_RUNS;
    }
  return lanes != 0;
}

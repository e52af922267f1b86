/* bar, barrier, barrier.cluster. */
#include "ptx_exec.h"

#include <string.h>

static bool waits_at(const ptx_thread *thread, uint32_t number) {
  return thread != NULL && thread->state == PTX_STATE_AT_BARRIER && thread->barrier == number;
}

/* Ends the launch if lanes of a warp wait at different aligned barriers, which is undefined. */
static bool check_alignment(ptx_warp *warp, uint32_t number) {
  const ptx_thread *first = NULL;
  for (uint32_t i = 0; i < PTX_WARP; i++) {
    ptx_thread *lane = warp->lanes[i];
    if (!waits_at(lane, number) || !(lane->waiting->flags & PTX_FLAG_ALIGNED))
      continue;
    if (first != NULL && ptx_compare_places(first, lane) != 0)
      return ptx_stop(lane, lane->waiting, PTX_LAUNCH_ILLEGAL_INSTRUCTION,
                      "an aligned barrier that lanes of a warp come to from several places");
    first = lane;
  }
  return true;
}

static void release_barrier(ptx_block *block, uint32_t number) {
  ptx_barrier *barrier = &block->barriers[number];
  for (uint32_t i = 0; i < (block->run->threads + PTX_WARP - 1) / PTX_WARP; i++)
    if (!check_alignment(&block->warps[i], number))
      return;
  for (uint32_t i = 0; i < block->run->threads; i++) {
    ptx_thread *thread = &block->threads[i];
    if (!waits_at(thread, number))
      continue;
    const ptx_insn *insn = thread->waiting;
    thread->state = PTX_STATE_RUNS;
    if (insn->mode != PTX_M_ACTION_RED)
      continue;
    *ptx_slot(thread, ptx_operands(thread, insn)[3]) =
        insn->combine == PTX_M_COMBINE_POPC  ? barrier->popc
        : insn->combine == PTX_M_COMBINE_AND ? barrier->popc == barrier->voters
                                             : barrier->popc != 0;
  }
  *barrier = (ptx_barrier){0};
}

static void check_barrier(ptx_block *block, uint32_t number) {
  const ptx_barrier *barrier = &block->barriers[number];
  const uint32_t expected = barrier->expected ? barrier->expected : block->alive;
  if (barrier->arrived && barrier->arrived >= expected)
    release_barrier(block, number);
}

static void check_cluster(ptx_block *block) {
  if (!block->cluster_arrived || block->cluster_arrived < block->alive)
    return;
  block->cluster_arrived = 0;
  block->cluster_phase++;
  for (uint32_t i = 0; i < block->run->threads; i++) {
    ptx_thread *thread = &block->threads[i];
    if (thread->state == PTX_STATE_AT_BARRIER && thread->barrier == PTX_BARRIER_CLUSTER)
      thread->state = PTX_STATE_RUNS;
  }
}

void ptx_check_barriers(ptx_block *block) {
  for (uint32_t i = 0; i < PTX_BARRIERS; i++)
    check_barrier(block, i);
  check_cluster(block);
}

void ptx_end_thread(ptx_thread *thread) {
  thread->state = PTX_STATE_DONE;
  thread->block->alive--;
  ptx_check_barriers(thread->block);
}

/* Executes barrier.cluster for the block, because a cluster has one block. */
static bool cluster(ptx_thread *thread, const ptx_insn *insn) {
  ptx_block *block = thread->block;
  if (insn->mode == PTX_M_ACTION_ARRIVE) {
    thread->cluster_phase = block->cluster_phase;
    block->cluster_arrived++;
    check_cluster(block);
    return true;
  }
  if (thread->cluster_phase != block->cluster_phase)
    return true;
  thread->state = PTX_STATE_AT_BARRIER;
  thread->barrier = PTX_BARRIER_CLUSTER;
  thread->waiting = insn;
  return false;
}

/*
 * Returns how many threads an arrival counts for. A barrier that names its number of threads counts
 * whole warps, so missing lanes of the last warp arrive together with its last lane.
 */
static uint32_t weight(const ptx_thread *thread, bool counted) {
  const uint32_t threads = thread->block->run->threads;
  const bool last = thread->index + 1 == threads;
  return counted && last ? PTX_WARP - thread->lane : 1;
}

bool ptx_exec_BARRIER(ptx_thread *thread, const ptx_insn *insn) {
  if (insn->detail == PTX_M_UNIT_CLUSTER)
    return cluster(thread, insn);
  if (insn->detail == PTX_M_UNIT_WARP)
    return ptx_exec_WARP(thread, insn);
  const uint32_t *o = ptx_operands(thread, insn);
  const uint64_t number = ptx_get(thread, o[0]), count = ptx_get(thread, o[1]);
  const bool counted = (insn->flags & PTX_FLAG_COUNT) != 0;
  if (number >= PTX_BARRIERS || (counted && (count == 0 || count % PTX_WARP != 0)))
    return ptx_stop(thread, insn, PTX_LAUNCH_ILLEGAL_INSTRUCTION,
                    "barrier %llu of %llu threads: there are 16, of a multiple of 32",
                    (unsigned long long)number, (unsigned long long)count);
  ptx_barrier *barrier = &thread->block->barriers[number];
  if (counted)
    barrier->expected = (uint32_t)count;
  barrier->arrived += weight(thread, counted);
  if (insn->mode == PTX_M_ACTION_RED) {
    barrier->popc += ptx_predicate(thread, o[2]);
    barrier->voters++;
  }
  if (insn->mode != PTX_M_ACTION_ARRIVE) {
    thread->state = PTX_STATE_AT_BARRIER;
    thread->barrier = (uint32_t)number;
    thread->waiting = insn;
  }
  check_barrier(thread->block, (uint32_t)number);
  return thread->state == PTX_STATE_RUNS;
}

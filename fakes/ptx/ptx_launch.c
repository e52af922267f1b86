/* Launches: checks, the blocks' memory, and the schedule of threads. */
#include "ptx_exec.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 20000, ASK_EVERY = 1000000, ROUNDS = 64, STACK_BYTES = 16 << 10, LEFT_OVER = 0xA5 };

static const uint32_t grid_limits[3] = {INT32_MAX, 65535, 65535};
static const uint32_t block_limits[3] = {1024, 1024, 64};

static ptx_status refuse_launch(ptx_log *log, ptx_status status, const char *what,
                                const ptx_entry *entry) {
  ptx_say(log, "%s of the entry '%s'", what, entry->name);
  return status;
}

static uint64_t product(const uint32_t extents[3]) {
  return (uint64_t)extents[0] * extents[1] * extents[2];
}

static ptx_status check_extents(const ptx_launch *launch, ptx_log *log) {
  const ptx_entry *entry = launch->entry;
  for (int i = 0; i < 3; i++) {
    if (launch->grid[i] == 0 || launch->grid[i] > grid_limits[i])
      return refuse_launch(log, PTX_INVALID_LAUNCH,
                           "an extent of the grid is 0 or too large in a launch", entry);
    if (launch->block[i] == 0 || launch->block[i] > block_limits[i])
      return refuse_launch(log, PTX_INVALID_LAUNCH,
                           "an extent of the block is 0 or too large in a launch", entry);
  }
  if (product(launch->block) > PTX_BLOCK_LIMIT)
    return refuse_launch(log, PTX_OUT_OF_RESOURCES, "more than 1024 threads of a block in a launch",
                         entry);
  const uint64_t required = product(entry->reqntid), most = product(entry->maxntid);
  if (required && memcmp(entry->reqntid, launch->block, sizeof(launch->block)) != 0 &&
      product(launch->block) > required)
    return refuse_launch(log, PTX_INVALID_LAUNCH, "a larger block than .reqntid in a launch",
                         entry);
  if (most && product(launch->block) > most)
    return refuse_launch(log, PTX_INVALID_LAUNCH, "a larger block than .maxntid in a launch",
                         entry);
  if (product(entry->cluster) > 1)
    return refuse_launch(log, PTX_INVALID_LAUNCH, "a cluster of several blocks in a launch", entry);
  return PTX_OK;
}

static ptx_status check_launch(const ptx_launch *launch, ptx_log *log) {
  const ptx_entry *entry = launch->entry;
  const ptx_status status = check_extents(launch, log);
  if (status != PTX_OK)
    return status;
  if (entry->parameter_bytes && !launch->parameters)
    return refuse_launch(log, PTX_INVALID_LAUNCH, "no parameters in a launch", entry);
  if ((uint64_t)entry->shared_bytes + launch->dynamic_shared > PTX_SHARED_LIMIT)
    return refuse_launch(log, PTX_OUT_OF_RESOURCES,
                         "more than 227 KiB of shared memory in a launch", entry);
  return PTX_OK;
}

/* Returns whether the entry or a function it calls may need local memory. */
static bool wants_stack(const ptx_function *function) {
  if (function->frame_bytes || function->reference_count || function->calls_indirectly)
    return true;
  for (uint32_t i = function->begin; i < function->end; i++)
    if (function->module->code[i].op == PTX_OP_ALLOCA)
      return true;
  return false;
}

static void free_block(ptx_block *block) {
  for (uint32_t i = 0; block->threads && i < block->run->threads; i++) {
    free(block->threads[i].stack);
    free(block->threads[i].frames);
  }
  if (block->threads)
    free(block->threads[0].memory);
  free(block->threads);
  free(block->warps);
  free(block->shared);
}

static bool make_block(ptx_running *run, ptx_block *block) {
  const uint32_t warps = (run->threads + PTX_WARP - 1) / PTX_WARP;
  *block = (ptx_block){.run = run};
  block->threads = calloc(run->threads, sizeof(ptx_thread));
  block->warps = calloc(warps, sizeof(ptx_warp));
  block->shared = calloc(1, run->shared_bytes + 1);
  if (!block->threads || !block->warps || !block->shared)
    return false;
  unsigned char *memory = calloc(run->threads, run->local_bytes + 1);
  if (!memory)
    return false;
  block->threads[0].memory = memory;
  for (uint32_t i = 0; i < run->threads; i++) {
    ptx_thread *thread = &block->threads[i];
    const uint32_t *size = run->launch->block;
    thread->block = block;
    thread->warp = &block->warps[i / PTX_WARP];
    thread->warp->lanes[i % PTX_WARP] = thread;
    thread->index = i;
    thread->lane = i % PTX_WARP;
    thread->tid[0] = i % size[0];
    thread->tid[1] = i / size[0] % size[1];
    thread->tid[2] = i / size[0] / size[1];
    thread->memory = memory + i * run->local_bytes;
    thread->stack_room = run->function->slots;
    thread->stack = calloc(thread->stack_room, sizeof(*thread->stack));
    if (!thread->stack)
      return false;
  }
  return true;
}

/* Initializes a block, whose threads and memory an earlier block may have used. */
static void begin_block(ptx_block *block, uint64_t number) {
  const ptx_running *run = block->run;
  const ptx_function *function = run->function;
  const uint32_t *grid = run->launch->grid;
  block->ctaid[0] = (uint32_t)(number % grid[0]);
  block->ctaid[1] = (uint32_t)(number / grid[0] % grid[1]);
  block->ctaid[2] = (uint32_t)(number / grid[0] / grid[1]);
  block->alive = run->threads;
  block->done = false;
  block->cluster_arrived = 0;
  /* Fills shared memory with garbage, as on a GPU, so that reads of unwritten memory show. */
  memset(block->shared, LEFT_OVER, run->shared_bytes);
  memset(block->threads[0].memory, LEFT_OVER, run->threads * run->local_bytes);
  memset(block->barriers, 0, sizeof(block->barriers));
  for (uint32_t i = 0; i < run->threads; i++) {
    ptx_thread *thread = &block->threads[i];
    memset(thread->stack, LEFT_OVER, function->slots * sizeof(*thread->stack));
    memset(thread->stack, 0, PTX_SLOT_FIRST * sizeof(*thread->stack));
    thread->function = function;
    thread->code = function->module->code;
    thread->operands = function->module->operands;
    thread->bank[0] = thread->stack;
    thread->bank[1] = function->module->constants;
    thread->pc = function->begin;
    thread->slots = 0;
    thread->local = 0;
    thread->local_top = function->frame_bytes;
    thread->depth = 0;
    thread->carry = false;
    thread->state = PTX_STATE_RUNS;
  }
}

/* Called after each slice. Returns whether the launch ends. */
static bool ends(ptx_running *run, ptx_thread *thread) {
  const ptx_hooks *hooks = run->hooks;
  if (run->status != PTX_OK)
    return true;
  if (run->launch->step_limit && run->steps > run->launch->step_limit)
    return !ptx_stop(thread, NULL, PTX_LAUNCH_TIMEOUT, "more than %llu steps",
                     (unsigned long long)run->launch->step_limit);
  if (hooks && hooks->cancelled && run->steps - run->asked >= ASK_EVERY) {
    run->asked = run->steps;
    if (hooks->cancelled(hooks->user))
      return !ptx_stop(thread, NULL, PTX_LAUNCH_TIMEOUT, "cancelled after %llu steps",
                       (unsigned long long)run->steps);
  }
  return false;
}

static uint64_t slice_of(const ptx_running *run) {
  const uint64_t limit = run->launch->step_limit;
  const uint64_t left = limit > run->steps ? limit - run->steps + 1 : 1;
  return limit && left < SLICE ? left : SLICE;
}

/* Runs a slice of each lane that can run. Returns false if none can. */
static bool run_lanes(ptx_running *run, const ptx_warp *warp) {
  bool some = false;
  for (uint32_t i = 0; i < PTX_WARP && run->status == PTX_OK; i++) {
    ptx_thread *thread = warp->lanes[i];
    if (!thread || thread->state != PTX_STATE_RUNS)
      continue;
    some = true;
    ptx_run_thread(thread, slice_of(run));
    if (ends(run, thread))
      break;
  }
  return some;
}

/*
 * Runs a warp as long as its lanes can run, but at most ROUNDS rounds, because they may wait for a
 * write of another warp. Returns false if nothing happened.
 */
static bool run_warp(ptx_running *run, ptx_warp *warp) {
  bool some = false;
  for (int round = 0; round < ROUNDS && run->status == PTX_OK; round++) {
    const bool ran = run_lanes(run, warp);
    /*
     * Lanes at an activemask wait while other lanes can run, because these may arrive there, too.
     * For example, the last lane at a barrier continues before the lanes that it releases. The wait
     * ends with the last round, because the other lanes may wait for a write of a waiting lane.
     */
    const bool coming = round + 1 < ROUNDS && ptx_is_coming(warp);
    some |= ran;
    if (ptx_meet(warp) || coming || ptx_meet_mask(warp))
      some = true;
    else if (ran)
      break;
    else
      return some;
  }
  return some;
}

/* Runs each warp once. Returns false if all threads wait and none can ever continue. */
static bool run_block(ptx_running *run, ptx_block *block) {
  const uint32_t warps = (run->threads + PTX_WARP - 1) / PTX_WARP;
  bool some = false;
  for (uint32_t i = 0; i < warps && run->status == PTX_OK; i++)
    some |= run_warp(run, &block->warps[i]);
  block->done = block->alive == 0;
  return some || block->done;
}

static void deadlock(ptx_block *block) {
  for (uint32_t i = 0; i < block->run->threads; i++) {
    ptx_thread *thread = &block->threads[i];
    if (thread->state == PTX_STATE_DONE)
      continue;
    ptx_stop(thread, thread->waiting, PTX_LAUNCH_DEADLOCK,
             "%u threads wait for others that never come", block->alive);
    return;
  }
}

/* Runs the blocks one after another, in the same memory. */
static void run_in_turn(ptx_running *run, ptx_block *block, uint64_t blocks) {
  for (uint64_t i = 0; i < blocks && run->status == PTX_OK; i++) {
    begin_block(block, i);
    while (run->status == PTX_OK && !block->done)
      if (!run_block(run, block))
        deadlock(block);
  }
}

/* Runs all blocks in turns, until all have ended. */
static void run_together(ptx_running *run, ptx_block *blocks, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    begin_block(&blocks[i], i);
  for (uint64_t left = count; left > 0 && run->status == PTX_OK;) {
    bool some = false;
    left = 0;
    for (uint64_t i = 0; i < count && run->status == PTX_OK; i++) {
      if (blocks[i].done)
        continue;
      some |= run_block(run, &blocks[i]);
      left += !blocks[i].done;
    }
    for (uint64_t i = 0; i < count && !some && left && run->status == PTX_OK; i++)
      if (!blocks[i].done)
        deadlock(&blocks[i]);
  }
}

static ptx_status run_blocks(ptx_running *run) {
  const uint64_t blocks = product(run->launch->grid);
  const uint64_t together = run->launch->cooperative ? blocks : 1;
  ptx_block *all = calloc(together, sizeof(*all));
  bool made = all != NULL;
  uint64_t count = 0;
  for (; made && count < together; count++)
    made = make_block(run, &all[count]);
  if (!made) {
    ptx_say(run->log, "no memory for the blocks of the entry '%s'", run->launch->entry->name);
    run->status = PTX_OUT_OF_MEMORY;
  } else if (run->launch->cooperative)
    run_together(run, all, blocks);
  else
    run_in_turn(run, all, blocks);
  for (uint64_t i = 0; i < count; i++)
    free_block(&all[i]);
  free(all);
  return run->status;
}

static ptx_status launch_entry(const ptx_program *program, const ptx_launch *launch,
                               const ptx_hooks *hooks, ptx_log *log) {
  const ptx_entry *entry = launch->entry;
  const ptx_function *function = entry->function;
  ptx_running run = {.program = program,
                     .launch = launch,
                     .hooks = hooks,
                     .function = function,
                     .threads = (uint32_t)product(launch->block),
                     .log = log,
                     .status = PTX_OK};
  const uint64_t stack = launch->stack_bytes ? launch->stack_bytes : STACK_BYTES;
  if (wants_stack(function))
    run.local_bytes = (function->frame_bytes + stack + 127) & ~UINT64_C(127);
  run.shared_bytes = launch->dynamic_shared ? program->dynamic_offset + launch->dynamic_shared
                                            : entry->shared_bytes;
  if (run.local_bytes > UINT32_MAX)
    return refuse_launch(log, PTX_OUT_OF_RESOURCES, "a stack beyond 4 GiB in a launch", entry);
  run.parameters = malloc((size_t)entry->parameter_bytes + 1);
  if (!run.parameters)
    return refuse_launch(log, PTX_OUT_OF_MEMORY, "no memory for the parameters", entry);
  if (entry->parameter_bytes)
    memcpy(run.parameters, launch->parameters, entry->parameter_bytes);
  const ptx_status status = run_blocks(&run);
  free(run.parameters);
  return status;
}

ptx_status ptx_run(const ptx_program *program, const ptx_launch *launch, const ptx_hooks *hooks,
                   ptx_log *log) {
  ptx_say(log, "%s", "");
  const ptx_status status = check_launch(launch, log);
  return status == PTX_OK ? launch_entry(program, launch, hooks, log) : status;
}

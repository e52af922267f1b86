/*
 * A running launch. All its threads are interpreted in turns on one host thread: each runs until it
 * ends, waits, or has used up its slice of steps.
 */
#ifndef SPECPI_TEST_PTX_EXEC_H
#define SPECPI_TEST_PTX_EXEC_H

#include "ptx_code.h"

/* Windows of generic addresses. An address in a state space is the offset in its window. */
#define PTX_WINDOW_SHARED (PTX_WINDOWS + UINT64_C(0x1000000000000000))
#define PTX_WINDOW_LOCAL (PTX_WINDOWS + UINT64_C(0x2000000000000000))
#define PTX_WINDOW_PARAM (PTX_WINDOWS + UINT64_C(0x3000000000000000))
#define PTX_WINDOW_CODE (PTX_WINDOWS + UINT64_C(0x4000000000000000))
#define PTX_WINDOW_MASK UINT64_C(0xf000000000000000)

enum {
  PTX_BARRIERS = 16,
  PTX_BARRIER_CLUSTER = 16, /* number of barrier.cluster, after the block's barriers */
  PTX_RANGES = 8,
  PTX_DEPTH_LIMIT = 1024, /* of nested calls */
};

typedef enum ptx_state {
  PTX_STATE_RUNS,
  PTX_STATE_AT_BARRIER, /* waits at a barrier */
  PTX_STATE_AT_WARP,    /* waits at an instruction that all lanes of mask execute together */
  PTX_STATE_AT_MASK,    /* waits at activemask until no other lane of the warp can run */
  PTX_STATE_DONE
} ptx_state;

typedef struct ptx_frame {
  const ptx_function *function; /* the caller's */
  uint32_t pc;                  /* the instruction after the call */
  uint32_t slots;               /* index of its first register in the thread's stack */
  uint32_t local;               /* offset of its frame in local memory */
  const ptx_call *call;
} ptx_frame;

typedef struct ptx_thread {
  /* bank[0] has the frame's registers, bank[1] constants. An operand's highest bit selects one. */
  uint64_t *bank[2];
  const ptx_insn *code;
  const uint32_t *operands;
  const ptx_function *function;
  uint32_t pc;
  uint32_t slots;     /* index of the frame's first register in the stack */
  uint32_t local;     /* offset of the frame in local memory */
  uint32_t local_top; /* end of the frame and of alloca's memory */
  uint64_t *stack;
  size_t stack_room;
  ptx_frame *frames;
  size_t depth, frame_room;
  unsigned char *memory; /* local memory */
  struct ptx_block *block;
  struct ptx_warp *warp;
  uint32_t lane, tid[3], index; /* index: in the block */
  ptx_state state;
  uint32_t barrier;
  uint32_t mask;           /* for PTX_STATE_AT_WARP */
  const ptx_insn *waiting; /* the instruction at which the thread waits */
  uint64_t cluster_phase;
  uint64_t shuffled; /* a shuffle's result, until all lanes have read their sources */
  bool inside;
  bool carry;
} ptx_thread;

typedef struct ptx_warp {
  ptx_thread *lanes[PTX_WARP]; /* NULL for missing lanes */
} ptx_warp;

typedef struct ptx_barrier {
  uint32_t arrived;  /* number of threads, including ones that do not wait (bar.arrive) */
  uint32_t expected; /* number of threads; 0 for all that have not ended */
  uint32_t popc;     /* number of true predicates of a reduction */
  uint32_t voters;
} ptx_barrier;

typedef struct ptx_block {
  struct ptx_running *run;
  uint32_t ctaid[3];
  ptx_thread *threads;
  ptx_warp *warps;
  uint32_t alive; /* number of threads that have not ended */
  unsigned char *shared;
  ptx_barrier barriers[PTX_BARRIERS];
  uint32_t cluster_arrived;
  uint64_t cluster_phase;
  bool done;
} ptx_block;

typedef struct ptx_running {
  const ptx_program *program;
  const ptx_launch *launch;
  const ptx_hooks *hooks;
  const ptx_function *function;
  unsigned char *parameters;
  uint32_t threads;      /* per block */
  uint32_t shared_bytes; /* per block: static, then dynamic from the program's dynamic_offset on */
  uint64_t local_bytes;  /* per thread */
  uint64_t steps;
  uint64_t asked; /* number of steps at the last call of the hook cancelled */
  ptx_range ranges[PTX_RANGES];
  uint32_t range_count, range_next;
  ptx_status status; /* PTX_OK until something fails */
  ptx_log *log;
} ptx_running;

/* ptx_get returns an operand's value, ptx_slot the register that it names. */
static inline uint64_t ptx_get(const ptx_thread *thread, uint32_t operand) {
  return thread->bank[operand >> 31][operand & PTX_SLOT_MASK];
}

static inline uint64_t *ptx_slot(const ptx_thread *thread, uint32_t operand) {
  return &thread->bank[0][operand & PTX_SLOT_MASK];
}

static inline bool ptx_predicate(const ptx_thread *thread, uint32_t operand) {
  return (ptx_get(thread, operand) != 0) != ((operand & PTX_NEGATED) != 0);
}

static inline const uint32_t *ptx_operands(const ptx_thread *thread, const ptx_insn *insn) {
  return thread->operands + insn->operands;
}

/* Return the lowest 64 - shift bits, as an unsigned or as a signed number. */
static inline uint64_t ptx_cut(uint64_t value, unsigned shift) {
  return value << shift >> shift;
}

static inline int64_t ptx_extend(uint64_t value, unsigned shift) {
  return (int64_t)(value << shift) >> shift;
}

/*
 * Functions that execute the instructions of a family. They return false if the thread must not go
 * on with the next instruction, because it waits or has ended, or the launch has failed.
 */
#define PTX_EXEC(NAME) bool ptx_exec_##NAME(ptx_thread *thread, const ptx_insn *insn);
PTX_FAMILIES(PTX_EXEC)
#undef PTX_EXEC

/* Ends the launch with a message, to which it adds entry, line, block and thread. Returns false. */
__attribute__((format(printf, 4, 5))) bool ptx_stop(ptx_thread *thread, const ptx_insn *insn,
                                                    ptx_status status, const char *format, ...);

/*
 * Returns the memory of size bytes, a power of two, at an address in the space. If it is out of
 * bounds or the address is no multiple of align, ends the launch and returns NULL.
 */
unsigned char *ptx_memory(ptx_thread *thread, const ptx_insn *insn, ptx_space space,
                          uint64_t address, uint32_t size, uint32_t align, bool write);

/* The same for any alignment and size. */
unsigned char *ptx_bytes(ptx_thread *thread, const ptx_insn *insn, uint64_t address, uint64_t size,
                         bool write);

/* Executes vprintf or __assertfail, whose actual parameters are in the frame. */
bool ptx_call_builtin(ptx_thread *thread, const ptx_insn *insn, const ptx_call *call,
                      ptx_builtin builtin);

/* Reads an actual parameter's bytes. */
void ptx_read_actual(const ptx_thread *thread, const ptx_actual *actual, void *bytes);
void ptx_write_actual(ptx_thread *thread, const ptx_actual *actual, const void *bytes);

/* Runs a thread until it ends or waits, for at most slice steps. */
void ptx_run_thread(ptx_thread *thread, uint64_t slice);

/* Ends a thread. Barriers for all threads no longer wait for it. */
void ptx_end_thread(ptx_thread *thread);
void ptx_check_barriers(ptx_block *block);

/*
 * Compares two threads' positions in the program, in the outermost call in which they differ. At an
 * activemask the lanes with the earlier position go first. So lanes that have left a loop wait for
 * lanes that are still in it, and they reconverge as on a GPU.
 */
int ptx_compare_places(const ptx_thread *one, const ptx_thread *other);
/* Executes instructions at which all lanes of their mask have arrived. Returns whether any did. */
bool ptx_meet(ptx_warp *warp);
/* Executes activemask for the waiting lanes with the earliest position. Returns whether any did. */
bool ptx_meet_mask(ptx_warp *warp);
/* Returns whether lanes wait at an activemask while other lanes can run. */
bool ptx_is_coming(const ptx_warp *warp);

uint64_t ptx_special_value(const ptx_thread *thread, uint32_t special);

#endif

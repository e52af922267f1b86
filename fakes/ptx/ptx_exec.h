/*
 * A launch while it runs. Threads are interpreted one at a time: one runs until it ends, waits, or
 * has taken its slice of steps; so that none of them, and no barrier, waits for a host thread.
 */
#ifndef SPECPI_TEST_PTX_EXEC_H
#define SPECPI_TEST_PTX_EXEC_H

#include "ptx_code.h"

/* Windows of generic addresses; an address in a space is the offset in its window. */
#define PTX_WINDOW_SHARED (PTX_WINDOWS + UINT64_C(0x1000000000000000))
#define PTX_WINDOW_LOCAL (PTX_WINDOWS + UINT64_C(0x2000000000000000))
#define PTX_WINDOW_PARAM (PTX_WINDOWS + UINT64_C(0x3000000000000000))
#define PTX_WINDOW_CODE (PTX_WINDOWS + UINT64_C(0x4000000000000000))
#define PTX_WINDOW_MASK UINT64_C(0xf000000000000000)

enum {
  PTX_BARRIERS = 16,
  PTX_BARRIER_CLUSTER = 16, /* one more, of barrier.cluster */
  PTX_RANGES = 8,
  PTX_DEPTH_LIMIT = 1024, /* calls in each other */
};

typedef enum ptx_state {
  PTX_STATE_RUNS,
  PTX_STATE_AT_BARRIER, /* barrier */
  PTX_STATE_AT_WARP,    /* an instruction that all lanes of mask take together */
  PTX_STATE_AT_MASK,    /* activemask: until the others of the warp have come as far as they do */
  PTX_STATE_DONE
} ptx_state;

typedef struct ptx_frame {
  const ptx_function *function; /* the caller's */
  uint32_t pc;                  /* where it goes on */
  uint32_t slots;               /* where its registers begin in the thread's stack */
  uint32_t local;               /* its frame's local memory */
  const ptx_call *call;
} ptx_frame;

typedef struct ptx_thread {
  /* [0]: registers of the frame; [1]: constants. An operand's highest bit chooses. */
  uint64_t *bank[2];
  const ptx_insn *code;
  const uint32_t *operands;
  const ptx_function *function;
  uint32_t pc;
  uint32_t slots;     /* where the frame's registers begin in the stack */
  uint32_t local;     /* the frame's local memory */
  uint32_t local_top; /* after the frame, and what alloca took */
  uint64_t *stack;
  size_t stack_room;
  ptx_frame *frames;
  size_t depth, frame_room;
  unsigned char *memory; /* local */
  struct ptx_block *block;
  struct ptx_warp *warp;
  uint32_t lane, tid[3], index; /* index: in the block */
  ptx_state state;
  uint32_t barrier;
  uint32_t mask;           /* at PTX_STATE_AT_WARP */
  const ptx_insn *waiting; /* there and at PTX_STATE_AT_MASK */
  uint64_t cluster_phase;
  uint64_t shuffled; /* what a shuffle brought, until all lanes have read theirs */
  bool inside;
  bool carry;
} ptx_thread;

typedef struct ptx_warp {
  ptx_thread *lanes[PTX_WARP]; /* NULL: there is none */
} ptx_warp;

typedef struct ptx_barrier {
  uint32_t arrived;  /* threads, those that only arrive counted */
  uint32_t expected; /* 0: all that have not ended */
  uint32_t popc;     /* of the predicates of a reduction */
  uint32_t voters;
} ptx_barrier;

typedef struct ptx_block {
  struct ptx_running *run;
  uint32_t ctaid[3];
  ptx_thread *threads;
  ptx_warp *warps;
  uint32_t alive; /* threads that have not ended */
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
  uint32_t threads;      /* of a block */
  uint32_t shared_bytes; /* of a block: static ones, and dynamic ones from the program's offset */
  uint64_t local_bytes;  /* of a thread */
  uint64_t steps;
  uint64_t asked; /* steps when cancelled was asked last */
  ptx_range ranges[PTX_RANGES];
  uint32_t range_count, range_next;
  ptx_status status; /* PTX_OK until something fails */
  ptx_log *log;
} ptx_running;

/* The value of an operand, and the register that one names. */
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

/* The lowest 64 - shift bits, as an unsigned and as a signed number. */
static inline uint64_t ptx_cut(uint64_t value, unsigned shift) {
  return value << shift >> shift;
}

static inline int64_t ptx_extend(uint64_t value, unsigned shift) {
  return (int64_t)(value << shift) >> shift;
}

/*
 * Execution of an instruction of each family. False: the thread does not go on with the next
 * instruction now; it waits, has ended, or the launch has failed.
 */
#define PTX_EXEC(NAME) bool ptx_exec_##NAME(ptx_thread *thread, const ptx_insn *insn);
PTX_FAMILIES(PTX_EXEC)
#undef PTX_EXEC

/* Ends the launch; the message is completed with entry, line, block and thread. Returns false. */
__attribute__((format(printf, 4, 5))) bool ptx_stop(ptx_thread *thread, const ptx_insn *insn,
                                                    ptx_status status, const char *format, ...);

/*
 * Memory of size bytes at an address of the space; NULL after a failure, which has ended the
 * launch. size is a power of two, and the address a multiple of align, or it is refused.
 */
unsigned char *ptx_memory(ptx_thread *thread, const ptx_insn *insn, ptx_space space,
                          uint64_t address, uint32_t size, uint32_t align, bool write);

/* The same for what is not aligned, of any size. */
unsigned char *ptx_bytes(ptx_thread *thread, const ptx_insn *insn, uint64_t address, uint64_t size,
                         bool write);

/* vprintf and __assertfail, with their actual parameters in the frame. */
bool ptx_call_builtin(ptx_thread *thread, const ptx_insn *insn, const ptx_call *call,
                      ptx_builtin builtin);

/* Reads an actual parameter's bytes. */
void ptx_read_actual(const ptx_thread *thread, const ptx_actual *actual, void *bytes);
void ptx_write_actual(ptx_thread *thread, const ptx_actual *actual, const void *bytes);

/* Runs a thread until it stops, or for so many steps. */
void ptx_run_thread(ptx_thread *thread, uint64_t slice);

/* A thread ends: barriers that wait for all no longer wait for it. */
void ptx_end_thread(ptx_thread *thread);
void ptx_check_barriers(ptx_block *block);

/*
 * Compares where two threads are in the program: by the outermost call in which they differ. A
 * place before another one goes first, so that those who leave a loop that stands before what
 * follows wait for those still in it, as they do on a GPU, where the ways meet again.
 */
int ptx_compare_places(const ptx_thread *one, const ptx_thread *other);
/* Takes the lanes on whose mask all are; true when some were. */
bool ptx_meet(ptx_warp *warp);
/* Lets those go on that wait at an activemask; true when there were some. */
bool ptx_meet_mask(ptx_warp *warp);
/* Returns whether some wait there for others that can go on by themselves. */
bool ptx_is_coming(const ptx_warp *warp);

uint64_t ptx_special_value(const ptx_thread *thread, uint32_t special);

#endif

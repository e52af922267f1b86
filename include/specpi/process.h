/*
 * State that the libraries of one process share. The headers of include/sycl are compiled into each
 * library, and a variable of theirs would exist once per library that hides its symbols or was
 * opened with RTLD_LOCAL. So such state lives in libspecpi.
 *
 * Every function may be called from any thread at any time, from constructors that run before main
 * too.
 */
#ifndef SPECPI_PROCESS_H
#define SPECPI_PROCESS_H

#include <specpi/specpi.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- Records of ranges ---- */

/*
 * X(NAME): a table of disjoint ranges of numbers. MEMORY: unified shared memory by address.
 * BUFFERS: buffers by key, one number each.
 */
#define SPECPI_TABLES(X)                                                                           \
  X(MEMORY)                                                                                        \
  X(BUFFERS)

typedef enum specpi_table {
#define SPECPI_TABLE(NAME) SPECPI_TABLE_##NAME,
  SPECPI_TABLES(SPECPI_TABLE)
#undef SPECPI_TABLE
      SPECPI_TABLE_COUNT
} specpi_table;

/* A range of numbers, and the caller's words about it. */
typedef struct specpi_record {
  uint64_t first;
  uint64_t size;      /* at least 1 */
  const void *object; /* MEMORY: the device, NULL for the host; BUFFERS: the buffer */
  uint64_t alignment; /* MEMORY: bytes */
  uint32_t kind;      /* MEMORY: the caller's kind of memory */
} specpi_record;

/*
 * Adds a record, in place of those that it overlaps: memory that a driver returns again was freed.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: no such table, or the range is empty or passes the last number.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiRecordAdd(specpi_table table, const specpi_record *record);

/*
 * Removes the record that starts at first. Returns whether there was one; taken receives a copy of
 * it, and may be NULL.
 */
bool specpiRecordTake(specpi_table table, uint64_t first, specpi_record *taken);

/*
 * Calls look with the record whose range contains the number, and returns whether there is one. The
 * record is not removed while look runs, so look must not call a function of this section.
 */
bool specpiRecordFind(specpi_table table, uint64_t number,
                      void (*look)(const specpi_record *record, void *data), void *data);

/*
 * Returns the first of count numbers that no other call in this process returns; the very first one
 * is 1. With count 0 all smaller numbers were returned before.
 */
uint64_t specpiNumbersTake(uint64_t count);

/* ---- Turns ---- */

/*
 * The right to use an object. A thread takes it while it moves the object's bytes and enqueues a
 * command, and holds it as long as the host uses the bytes: several readers may hold it, or one
 * writer. The caller owns the memory and sets it to zero at first; the members are libspecpi's.
 */
typedef struct specpi_turn {
  bool is_taken;
  struct specpi_wish *holders;
} specpi_turn;

/*
 * One turn that a thread wants. The caller sets turn and writes, keeps the memory in its place from
 * specpiTurnsTake to specpiTurnsEnd, and leaves the other members alone.
 */
typedef struct specpi_wish {
  specpi_turn *turn;
  bool writes;
  bool is_held;
  uintptr_t thread;
  struct specpi_wish *next;
} specpi_wish;

/*
 * Takes all turns of a list at once, each of which is in the list once; waits without any until all
 * are free. What the same thread holds is no obstacle unless is_command is true.
 *
 * SPECPI_ERROR_INVALID_STATE: is_command is true and the wait would never end, because this thread
 * itself holds a turn that excludes the wish. Nothing is taken then.
 */
specpi_result specpiTurnsTake(size_t count, specpi_wish *wishes, bool is_command);
/* Turns what was taken into what is held. */
void specpiTurnsHold(size_t count, specpi_wish *wishes);
/* Gives up what is taken or held. Any thread may call it. */
void specpiTurnsEnd(size_t count, specpi_wish *wishes);

/* ---- Threads ---- */

/* State that include/sycl keeps per thread; zero at first. Pointers are the caller's objects. */
typedef struct specpi_thread {
  unsigned long command_groups; /* that the thread is in */
  const void *constants;        /* values of the kernel that it runs on the host device */
  void *group;                  /* work-group whose item it runs on the host device */
  void *worker;                 /* that group's record of the thread */
  char *local_memory;           /* that group's */
} specpi_thread;

/* The calling thread's; valid in this thread until it ends. */
specpi_thread *specpiThreadGet(void);

/* ---- Objects ---- */

/*
 * Returns the object that the first call with this name passed: one for all libraries that each
 * have an equal one. The library that has this object is never unloaded from then on. Returns the
 * object of the call itself when memory is exhausted.
 */
const void *specpiObjectShare(const char *name, const void *object);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

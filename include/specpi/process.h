/*
 * State that the libraries of a process share. The headers of include/sycl are compiled into each
 * library, so each library that hides its symbols or was opened with RTLD_LOCAL would have its own
 * copy of a variable in these headers. Shared state is therefore in libspecpi.
 *
 * Any thread may call these functions at any time, also from constructors that run before main.
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
 * X(NAME): tables of disjoint ranges of numbers. MEMORY: unified shared memory, by address.
 * BUFFERS: buffers, each with one number, its key.
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

/* A range of numbers, and the caller's data about it. */
typedef struct specpi_record {
  uint64_t first;
  uint64_t size;      /* at least 1 */
  const void *object; /* MEMORY: the device, NULL for the host; BUFFERS: the buffer */
  uint64_t alignment; /* MEMORY: bytes */
  uint32_t kind;      /* MEMORY: the caller's kind of memory */
} specpi_record;

/*
 * Adds a record, and removes the records that it overlaps: their memory must have been freed,
 * because the driver returned it again.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: there is no such table, or the range is empty or ends past
 * UINT64_MAX.
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
 * Reserves count consecutive numbers for the caller in this process, and returns the first. The
 * first call returns 1. With count 0 it returns the next number that is not reserved yet.
 */
uint64_t specpiNumbersTake(uint64_t count);

/* ---- Turns ---- */

/*
 * The right to use an object. A thread takes the turn while it moves the object's bytes and
 * enqueues a command, and holds it as long as the host uses the bytes. Several readers may hold it,
 * or one writer. The caller owns the memory and sets it to zero at first; only libspecpi uses the
 * members.
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
 * Takes all turns of a list at once; it must not have the same turn twice. Waits until all are
 * free, and takes none before. Turns that the same thread holds count as free unless is_command is
 * true.
 *
 * SPECPI_ERROR_INVALID_STATE: is_command is true and the wait would never end, because this thread
 * itself holds a turn that conflicts with the wish. No turn is taken then.
 */
specpi_result specpiTurnsTake(size_t count, specpi_wish *wishes, bool is_command);
/* Changes turns from taken to held. */
void specpiTurnsHold(size_t count, specpi_wish *wishes);
/* Gives up turns that are taken or held. Any thread may call it. */
void specpiTurnsEnd(size_t count, specpi_wish *wishes);

/* ---- Threads ---- */

/* State that include/sycl keeps per thread; zero at first. Pointers are the caller's objects. */
typedef struct specpi_thread {
  unsigned long command_groups; /* number of command groups that the thread is in */
  const void *constants;        /* values of the kernel that it runs on the host device */
  void *group;                  /* work-group whose item it runs on the host device */
  void *worker;                 /* that group's record of the thread */
  char *local_memory;           /* that group's local memory */
} specpi_thread;

/* The calling thread's state; valid in this thread until it ends. */
specpi_thread *specpiThreadGet(void);

/* ---- Objects ---- */

/*
 * Lets libraries that each have an equal object share one: returns the object that the first call
 * with this name passed. That object's library is then never unloaded. If memory is exhausted,
 * returns the caller's own object.
 */
const void *specpiObjectShare(const char *name, const void *object);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

/* Commands of the fake OpenCL: what an enqueue call makes, runs or keeps until it can run. */
#ifndef SPECPI_TEST_FAKE_COMMAND_H
#define SPECPI_TEST_FAKE_COMMAND_H

enum { FAKE_PATTERN_MAX = 128 };

typedef enum fake_work {
  FAKE_WORK_NONE,   /* markers, hints, maps */
  FAKE_WORK_COPY,   /* a box of bytes */
  FAKE_WORK_FILL,   /* a box with a pattern along its rows */
  FAKE_WORK_LAUNCH, /* a kernel */
} fake_work;

/* A box in memory: its start, and its row and slice pitch in bytes. */
typedef struct fake_box {
  unsigned char *bytes;
  size_t row;
  size_t slice;
} fake_box;

typedef struct fake_command {
  cl_command_type type;
  fake_work work;
  bool ordered; /* waits for everything before it in its queue */
  bool barrier; /* and everything after it waits for it */
  fake_box to;
  fake_box from;
  size_t region[3]; /* bytes, rows, slices */
  unsigned char pattern[FAKE_PATTERN_MAX];
  size_t pattern_size;
  cl_kernel kernel;
  fake_argument *arguments; /* the kernel's, or a copy of its own while the command waits */
  cl_uint dimensions;
  cl_ulong items;
  cl_mem mems[2]; /* what has to stay until the command has run */

  /* From here on fake_submit's. */
  struct fake_command *next;
  cl_command_queue queue;
  cl_event event;
  cl_uint wait_count;
  cl_event *waits;
} fake_command;

/*
 * Runs the command or keeps a copy of it. The rules for wait lists and events are OpenCL's.
 * When blocking it returns after the command has run.
 */
cl_int fake_submit(const fake_command *command, cl_command_queue queue, cl_uint wait_count,
                   const cl_event *waits, cl_bool blocking, cl_event *event);

/* Gives an event its final status and runs what waited for it. */
void fake_complete(cl_event event, cl_int status);

/* Returns whether a queue has commands that have not run. */
bool fake_queue_busy(cl_command_queue queue);

/* Returns whether any queue of a context has. */
bool fake_context_busy(cl_context context);

/* Waits, without the lock meanwhile, until an event completes. */
void fake_wait(void);

#endif

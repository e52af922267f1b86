/* Commands of the fake OpenCL. An enqueue call runs a command, or keeps it until it can run. */
#ifndef SPECPI_TEST_FAKE_COMMAND_H
#define SPECPI_TEST_FAKE_COMMAND_H

enum { FAKE_PATTERN_MAX = 128 };

typedef enum fake_work {
  FAKE_WORK_NONE,   /* markers, hints, maps */
  FAKE_WORK_COPY,   /* copies a box of bytes */
  FAKE_WORK_FILL,   /* fills a box with a pattern along its rows */
  FAKE_WORK_LAUNCH, /* launches a kernel */
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
  bool ordered; /* waits for all earlier commands of its queue */
  bool barrier; /* also, all later commands of the queue wait for it */
  fake_box to;
  fake_box from;
  size_t region[3]; /* in bytes, rows and slices */
  unsigned char pattern[FAKE_PATTERN_MAX];
  size_t pattern_size;
  cl_kernel kernel;
  fake_argument *arguments; /* the kernel's; a copy while the command waits */
  cl_uint dimensions;
  cl_ulong items;
  cl_mem mems[2]; /* objects that must live until the command has run */

  /* The members from here on are set by fake_submit. */
  struct fake_command *next;
  cl_command_queue queue;
  cl_event event;
  cl_uint wait_count;
  cl_event *waits;
} fake_command;

/*
 * Runs a command, or keeps a copy of it until its wait list is complete. A blocking call returns
 * after the command has run.
 */
cl_int fake_submit(const fake_command *command, cl_command_queue queue, cl_uint wait_count,
                   const cl_event *waits, cl_bool blocking, cl_event *event);

/* Sets an event's final status, and runs the commands that waited for it. */
void fake_complete(cl_event event, cl_int status);

/* Returns whether a queue has pending commands. */
bool fake_queue_busy(cl_command_queue queue);

/* Returns whether any queue of a context has pending commands. */
bool fake_context_busy(cl_context context);

/* Releases the lock and waits until any event completes. */
void fake_wait(void);

#endif

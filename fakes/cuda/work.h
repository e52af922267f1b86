/* Commands of the fake CUDA driver's streams. Each stream has a thread that runs them in order. */
#ifndef SPECPI_TEST_FAKE_CUDA_WORK_H
#define SPECPI_TEST_FAKE_CUDA_WORK_H

#include "fake.h"

#include <pthread.h>

enum { FAKE_PRIORITY_LEAST = 0, FAKE_PRIORITY_GREATEST = -5 };

/* The end of a command in a stream, for which others can wait. */
typedef struct fake_point {
  unsigned references;
  bool done;
  uint64_t time; /* the time at which the command ended */
} fake_point;

fake_point *fake_point_retain(fake_point *point);
void fake_point_release(fake_point *point);

/*
 * Work that a stream runs once, or a graph many times. run is called without the lock, possibly in
 * several threads at once, and does not change the task. If it returns a failure, that becomes the
 * context's sticky failure. end is called with the lock and releases the task's resources, but not
 * the task.
 */
typedef struct fake_task {
  CUgraphNodeType type;
  bool always; /* runs also after a failure in the context */
  fake_context *context;
  CUresult (*run)(struct fake_task *task);
  void (*end)(struct fake_task *task);
} fake_task;

/* Creates a zeroed task of size bytes, whose first member is a fake_task. */
void *fake_task_new(size_t size, CUgraphNodeType type, fake_context *context,
                    CUresult (*run)(fake_task *task), void (*end)(fake_task *task));
void fake_task_free(void *task);

typedef struct fake_command {
  struct fake_command *next;
  fake_task *task; /* NULL if there is nothing to do */
  fake_point *point;
  size_t wait_count;
  fake_point **waits;
} fake_command;

struct fake_stream {
  fake_object head;
  fake_stream *next; /* in the context's list */
  unsigned flags;
  int priority;
  bool legacy;
  bool of_thread; /* a thread's CU_STREAM_PER_THREAD */
  pthread_t thread;
  bool dead;   /* destroyed; it ends with its last command */
  bool worker; /* it has a thread */
  fake_command *first, **last;
  fake_point *tail; /* end of the last submitted command; NULL if there is none */
  pthread_cond_t wake;
};

fake_stream *fake_stream_new(fake_context *context, unsigned flags, int priority, bool legacy);
/* Destroys a stream, whose commands may still be running. */
void fake_stream_end(fake_stream *stream);
/* Ends all streams of a context. They must be idle. */
void fake_streams_end(fake_context *context);
/* Finds a handle's stream, including the default streams of the current context. */
CUresult fake_stream_find(CUstream handle, const char *function, fake_stream **ret);

bool fake_stream_blocks(
    const fake_stream *stream); /* whether it synchronizes with the legacy one */
bool fake_stream_idle(const fake_stream *stream);
/* Waits for all commands that were submitted to a context. Also called before memory is freed. */
void fake_stream_wait_all(fake_context *context);
/* Waits for a point, and releases a reference to it. */
void fake_point_wait(fake_point *point);

/*
 * Submits a task to a stream, which takes it over. task may be NULL. The command starts after wait,
 * if that is not NULL. Returns the command's end, with a reference.
 */
fake_point *fake_submit(fake_stream *stream, fake_task *task, fake_point *wait);
/* fake_issue submits a task; fake_issue_wait also waits for its end. */
void fake_issue(fake_stream *stream, void *task);
CUresult fake_issue_wait(fake_stream *stream, void *task);

/* Ends all objects of a context except its streams. */
void fake_end_objects(fake_context *context);

/* Makes a task that calls a function of the application. */
fake_task *fake_host_task(fake_context *context, CUhostFn function, void *user);

typedef struct fake_event {
  fake_object head;
  unsigned flags;
  fake_point *point; /* NULL if it was never recorded */
} fake_event;

void fake_event_end(fake_event *event);

/* Checks that a range lies in managed memory. */
CUresult fake_check_managed(CUdeviceptr pointer, size_t size, const char *function);

#endif

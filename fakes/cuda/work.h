/* The commands of the fake CUDA driver's streams: one thread for each stream runs them in order. */
#ifndef SPECPI_TEST_FAKE_CUDA_WORK_H
#define SPECPI_TEST_FAKE_CUDA_WORK_H

#include "fake.h"

#include <pthread.h>

enum { FAKE_PRIORITY_LEAST = 0, FAKE_PRIORITY_GREATEST = -5 };

/* A point in a stream's work: the end of a command. */
typedef struct fake_point {
  unsigned references;
  bool done;
  uint64_t time; /* when it was done */
} fake_point;

fake_point *fake_point_retain(fake_point *point);
void fake_point_release(fake_point *point);

/*
 * Something to do, once by a stream or many times by a graph. run is called without the lock,
 * possibly by several threads at once, and does not change the task; what it returns breaks the
 * context. end gives up, with the lock, what the task holds, but not the task.
 */
typedef struct fake_task {
  unsigned references;
  CUgraphNodeType type;
  bool always; /* also in a context in which something has failed */
  fake_context *context;
  CUresult (*run)(struct fake_task *task);
  void (*end)(struct fake_task *task);
} fake_task;

/* A task of size bytes with one reference, whose first member is a fake_task; the rest is 0. */
void *fake_task_new(size_t size, CUgraphNodeType type, fake_context *context,
                    CUresult (*run)(fake_task *task), void (*end)(fake_task *task));
fake_task *fake_task_retain(fake_task *task);
void fake_task_release(void *task);

typedef struct fake_command {
  struct fake_command *next;
  fake_task *task; /* NULL: nothing to do */
  fake_point *point;
  size_t wait_count;
  fake_point **waits;
} fake_command;

struct fake_stream {
  fake_object head;
  fake_stream *next; /* of the context */
  unsigned flags;
  int priority;
  bool legacy;
  bool of_thread; /* CU_STREAM_PER_THREAD */
  pthread_t thread;
  bool dead;   /* destroyed: ends with its last command */
  bool worker; /* has a thread */
  fake_command *first, **last;
  fake_point *tail; /* of the command that was submitted last; NULL: none */
  pthread_cond_t wake;
};

fake_stream *fake_stream_new(fake_context *context, unsigned flags, int priority, bool legacy);
/* Destroys the stream, of which commands may still be running. */
void fake_stream_end(fake_stream *stream);
/* Ends all of a context's streams, which are idle. */
void fake_streams_end(fake_context *context);
/* The stream after a handle, the default streams of the current context included. */
CUresult fake_stream_find(CUstream handle, const char *function, fake_stream **ret);

bool fake_stream_blocks(const fake_stream *stream); /* does it keep order with the legacy one */
bool fake_stream_idle(const fake_stream *stream);
/* Waits for everything that was submitted to a context; also before memory is given back. */
void fake_stream_wait_all(fake_context *context);
/* Waits for it, and gives up a reference to it. */
void fake_point_wait(fake_point *point);

/*
 * Has the stream run a task, which it takes over; NULL: nothing. It begins after wait, when that is
 * not NULL. The point of its end, with a reference.
 */
fake_point *fake_submit(fake_stream *stream, fake_task *task, fake_point *wait);
/* The same without the point; a wait for the end, too. */
void fake_issue(fake_stream *stream, void *task);
CUresult fake_issue_wait(fake_stream *stream, void *task);

/* Ends the handles of all objects of a context but of its streams. */
void fake_end_objects(fake_context *context);

/* A task that calls a function of the application. */
fake_task *fake_host_task(fake_context *context, CUhostFn function, void *user);

typedef struct fake_event {
  fake_object head;
  unsigned flags;
  fake_point *point; /* NULL: never recorded */
} fake_event;

void fake_event_end(fake_event *event);

/* Checks that a range lies in managed memory. */
CUresult fake_check_managed(CUdeviceptr pointer, size_t size, const char *function);

#endif

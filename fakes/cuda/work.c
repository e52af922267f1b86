/* Runs the commands of streams. */
#define _POSIX_C_SOURCE 200809L
#include "work.h"

#include <stdio.h>
#include <stdlib.h>

fake_point *fake_point_retain(fake_point *point) {
  point->references++;
  return point;
}

void fake_point_release(fake_point *point) {
  if (point && --point->references == 0)
    free(point);
}

void fake_point_wait(fake_point *point) {
  while (!point->done)
    fake_wait_change(UINT64_MAX);
  fake_point_release(point);
}

void *fake_task_new(size_t size, CUgraphNodeType type, fake_context *context,
                    CUresult (*run)(fake_task *task), void (*end)(fake_task *task)) {
  fake_task *task = fake_allocate(size);
  *task = (fake_task){.type = type, .context = context, .run = run, .end = end};
  return task;
}

void fake_task_free(void *task) {
  fake_task *head = task;
  if (!head)
    return;
  if (head->end)
    head->end(head);
  free(head);
}

static void free_command(fake_command *command) {
  for (size_t i = 0; i < command->wait_count; i++)
    fake_point_release(command->waits[i]);
  free(command->waits);
  fake_task_free(command->task);
  fake_point_release(command->point);
  free(command);
}

static bool is_blocked(const fake_command *command) {
  for (size_t i = 0; i < command->wait_count; i++)
    if (!command->waits[i]->done)
      return true;
  return false;
}

static void run_first(fake_stream *stream) {
  fake_command *command = stream->first;
  fake_context *context = stream->head.context;
  while (is_blocked(command))
    fake_wait_change(UINT64_MAX);
  if (command->task && (context->sticky == CUDA_SUCCESS || command->task->always)) {
    fake_unlock();
    const CUresult result = command->task->run(command->task);
    fake_lock();
    if (result != CUDA_SUCCESS)
      fake_break(context, result);
  }
  command->point->time = fake_now();
  command->point->done = true;
  stream->first = command->next;
  if (!stream->first)
    stream->last = &stream->first;
  free_command(command);
  fake_changed();
}

static void free_stream(fake_stream *stream) {
  fake_stream **place = &stream->head.context->streams;
  while (*place != stream)
    place = &(*place)->next;
  *place = stream->next;
  fake_point_release(stream->tail);
  pthread_cond_destroy(&stream->wake);
  fake_delete(stream);
}

static void *work_stream(void *argument) {
  fake_stream *stream = argument;
  fake_lock();
  for (;;) {
    if (stream->first)
      run_first(stream);
    else if (!stream->dead)
      fake_wait_on(&stream->wake);
    else
      break;
  }
  free_stream(stream);
  fake_changed();
  fake_unlock();
  return NULL;
}

static void start_worker(fake_stream *stream) {
  fake_start_thread(work_stream, stream);
  stream->worker = true;
}

fake_stream *fake_stream_new(fake_context *context, unsigned flags, int priority, bool legacy) {
  fake_stream *stream = fake_new(FAKE_STREAM, sizeof *stream, context, legacy);
  stream->flags = flags;
  stream->priority = priority < FAKE_PRIORITY_GREATEST ? FAKE_PRIORITY_GREATEST
                     : priority > FAKE_PRIORITY_LEAST  ? FAKE_PRIORITY_LEAST
                                                       : priority;
  stream->legacy = legacy;
  stream->last = &stream->first;
  pthread_cond_init(&stream->wake, NULL);
  stream->next = context->streams;
  context->streams = stream;
  return stream;
}

void fake_stream_end(fake_stream *stream) {
  stream->dead = true;
  if (!stream->worker) {
    free_stream(stream);
    return;
  }
  fake_retire(stream);
  pthread_cond_signal(&stream->wake);
}

void fake_streams_end(fake_context *context) {
  fake_stream *next;
  for (fake_stream *stream = context->streams; stream; stream = next) {
    next = stream->next;
    if (!stream->dead)
      fake_stream_end(stream);
  }
  while (context->streams)
    fake_wait_change(UINT64_MAX);
}

bool fake_stream_blocks(const fake_stream *stream) {
  return !stream->legacy && !(stream->flags & CU_STREAM_NON_BLOCKING);
}

bool fake_stream_idle(const fake_stream *stream) {
  if (stream->first)
    return false;
  if (stream->legacy)
    for (const fake_stream *i = stream->head.context->streams; i; i = i->next)
      if (fake_stream_blocks(i) && i->first)
        return false;
  return true;
}

/* Waits only for commands submitted before, because other threads may go on submitting. */
void fake_stream_wait_all(fake_context *context) {
  size_t count = 0;
  fake_point **points = NULL;
  for (const fake_stream *i = context->streams; i; i = i->next) {
    if (!i->first)
      continue;
    points = fake_grow(points, (count + 1) * sizeof *points);
    points[count++] = fake_point_retain(i->tail);
  }
  for (size_t i = 0; i < count; i++)
    fake_point_wait(points[i]);
  free(points);
}

static void wait_for(fake_command *command, fake_point *point) {
  if (!point || point->done)
    return;
  command->waits = fake_grow(command->waits, (command->wait_count + 1) * sizeof *command->waits);
  command->waits[command->wait_count++] = fake_point_retain(point);
}

fake_point *fake_submit(fake_stream *stream, fake_task *task, fake_point *wait) {
  fake_command *command = fake_allocate(sizeof *command);
  command->task = task;
  command->point = fake_allocate(sizeof *command->point);
  command->point->references = 3; /* of the command, the stream and the caller */
  wait_for(command, wait);
  fake_context *context = stream->head.context;
  if (fake_stream_blocks(stream))
    wait_for(command, context->legacy->tail);
  else if (stream->legacy)
    for (const fake_stream *i = context->streams; i; i = i->next)
      if (fake_stream_blocks(i))
        wait_for(command, i->tail);
  fake_point_release(stream->tail);
  stream->tail = command->point;
  *stream->last = command;
  stream->last = &command->next;
  if (!stream->worker)
    start_worker(stream);
  else
    pthread_cond_signal(&stream->wake);
  return command->point;
}

void fake_issue(fake_stream *stream, void *task) {
  fake_point_release(fake_submit(stream, task, NULL));
}

CUresult fake_issue_wait(fake_stream *stream, void *task) {
  fake_context *context = stream->head.context;
  fake_point_wait(fake_submit(stream, task, NULL));
  return context->sticky;
}

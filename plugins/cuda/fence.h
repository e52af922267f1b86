/*
 * Fences: points in time after all commands that the queues of a CUcontext had so far. A separate
 * stream waits for the streams that were used since the latest fence, and an event in it is the
 * fence. Nobody waits on the host.
 *
 * The caller of each function holds the lock of the structure that contains the line, and has made
 * its context current.
 */
#ifndef CUDA_FENCE_H
#define CUDA_FENCE_H

#include "queue.h"

typedef struct fence_line {
  pi_queue queues;       /* the open ones, by driver.next_open */
  CUstream stream;       /* NULL before the first fence */
  CUevent join;          /* recorded in one stream after the other */
  bool has_joined;       /* the stream has waited for another one since the latest fence */
  struct fence *pending; /* in the order in which they end */
  struct fence **last;
  struct fence *spare;
  uint64_t made; /* fences so far; a fence's number is its place among them */
  uint64_t passed;
} fence_line;

void fence_line_init(fence_line *line);
void fence_line_end(fence_line *line);

/* Adds a queue whose commands fences follow; removes it before its streams are destroyed. */
void fence_line_add(fence_line *line, pi_queue queue);
void fence_line_remove(fence_line *line, pi_queue queue);

/*
 * Sets *ret to the number of a fence after all commands of the queues: the latest one if no command
 * came since. *ret is untouched when the driver fails.
 */
pi_result fence_line_draw(fence_line *line, uint64_t *ret);

/*
 * The same as a recorded event, for the line of another device; NULL: all commands have ended. Once
 * they have, the event may be recorded again, and a wait for it covers no less.
 */
pi_result fence_line_draw_event(fence_line *line, CUevent *ret);

/* Makes the next fence follow such an event of another line, too. */
pi_result fence_line_follow(fence_line *line, CUevent event);

/* Returns whether all commands before the fence have ended, or the context is lost. */
bool fence_line_passed(fence_line *line, uint64_t number);

#endif

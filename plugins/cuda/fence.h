/*
 * Fences: points in time after all commands that the queues of a CUcontext were given before. A
 * stream of its own waits for the streams that were used since the latest fence, and an event in it
 * is the fence. Nobody waits on the host.
 *
 * Each function wants the lock of the structure that the line is a member of, and its context to be
 * current.
 */
#ifndef CUDA_FENCE_H
#define CUDA_FENCE_H

#include "queue.h"

typedef struct fence_line {
  pi_queue queues;       /* that are open, by driver.next_open */
  CUstream stream;       /* NULL before the first fence */
  CUevent join;          /* recorded in one stream after the other */
  bool has_joined;       /* the stream has waited for another one since the latest fence */
  struct fence *pending; /* in the order in which they end */
  struct fence **last;
  struct fence *spare;
  uint64_t made; /* fences so far, by which each one has its number */
  uint64_t passed;
} fence_line;

void fence_line_init(fence_line *line);
void fence_line_end(fence_line *line);

/* A queue whose commands fences come after; it leaves before its streams are destroyed. */
void fence_line_add(fence_line *line, pi_queue queue);
void fence_line_remove(fence_line *line, pi_queue queue);

/*
 * Sets *ret to the number of a fence after all that the queues were given: the latest one if
 * nothing came since. *ret is untouched when the driver fails.
 */
pi_result fence_line_draw(fence_line *line, uint64_t *ret);

/*
 * The same as an event, which is recorded, for the line of another device; NULL: all have ended.
 * It may be recorded again once they have, which is no less to wait for.
 */
pi_result fence_line_draw_event(fence_line *line, CUevent *ret);

/* Has the next fence come after such an event of another line, too. */
pi_result fence_line_follow(fence_line *line, CUevent event);

/* Returns whether all commands before the fence have ended, or the context is lost. */
bool fence_line_passed(fence_line *line, uint64_t number);

#endif

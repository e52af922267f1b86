/*
 * A fence has passed once all commands have ended that the queues of a CUcontext had when the fence
 * was made. A fence is an event in a separate stream, which first waits for all streams that were
 * used since the latest fence. No host thread waits. The fences of one CUcontext form a line.
 *
 * The caller of each function holds the lock of the structure that contains the line, and has made
 * the line's context current.
 */
#ifndef CUDA_FENCE_H
#define CUDA_FENCE_H

#include "queue.h"

typedef struct fence_line {
  pi_queue queues;       /* list of the open queues, linked by driver.next_open */
  CUstream stream;       /* of the fences; NULL before the first one */
  CUevent join;          /* recorded in each used stream in turn, for stream to wait for */
  bool has_joined;       /* stream waits for commands that the latest fence does not cover */
  struct fence *pending; /* list of fences not known to have passed, in order */
  struct fence **last;
  struct fence *spare;
  uint64_t made; /* number of fences so far; the latest fence has this number, the first one 1 */
  uint64_t passed;
} fence_line;

void fence_line_init(fence_line *line);
void fence_line_end(fence_line *line);

/* Adds a queue, whose commands the next fences cover; removes it before its streams end. */
void fence_line_add(fence_line *line, pi_queue queue);
void fence_line_remove(fence_line *line, pi_queue queue);

/*
 * Sets *ret to the number of a fence after all commands that the queues have now. Makes a new fence
 * unless the latest one covers them all. *ret is untouched if the driver fails.
 */
pi_result fence_line_draw(fence_line *line, uint64_t *ret);

/*
 * The same, but returns the fence's event, for fence_line_follow on another device's line. NULL if
 * all commands have ended. The line may record the event again later, for a later fence; a wait for
 * the event then waits for these commands, too.
 */
pi_result fence_line_draw_event(fence_line *line, CUevent *ret);

/* Makes the next fence wait also for an event from fence_line_draw_event of another line. */
pi_result fence_line_follow(fence_line *line, CUevent event);

/* Returns whether all commands before a fence have ended, or the context is lost. */
bool fence_line_passed(fence_line *line, uint64_t number);

#endif

/*
 * A command buffer is a command list that is closed once and executed often, on a command queue of
 * its own. Each of its commands has an event in the list, which is its sync point.
 *
 *   waits for begin and resets it
 *   command 0, signals event 0
 *   command 1, waits for event 0, signals event 1 ..
 *   when all of them have ended: resets their events, signals end
 *
 * Each run is two commands of the queue that it is enqueued in. The first one waits for the wait
 * list, resets end and signals begin. The second one, whose event is the run's, waits for end.
 *
 * The driver must not be given a list that the device has not done with, so enqueueing waits on the
 * host for the run before. It cannot be put off to another thread: an engine may carry out what it
 * gets from several command queues in order, and would stand at the second command before the list
 * arrives.
 *
 * The object and its life are in command_buffer.c, the entries that record in command_record.c and
 * command_kernel.c.
 */
#ifndef PI_LEVEL_ZERO_COMMAND_BUFFER_H
#define PI_LEVEL_ZERO_COMMAND_BUFFER_H

#include "../objects/command_buffer.h"
#include "fill.h"
#include "memory.h"
#include "queue.h"

/* A command that is being recorded; lives on the caller's stack. */
typedef struct recording {
  pi_ext_command_buffer buffer;
  queue_command command;    /* for what appends commands to lists of queues */
  ze_event_handle_t *waits; /* what the command waits for */
  bool is_appending;        /* set before the first call that appends */
  size_t object_count;      /* how many there were before */
  /* What a recording command looks at of a queue and of an event; neither of them is one. */
  struct pi_queue_object no_queue;
  struct pi_event_object no_event;
} recording;

/*
 * Starts a command: checks that the buffer is open and the sync points are its own, and locks it.
 * With PI_SUCCESS recording_end must follow, and in between come recording_hold, and then the calls
 * that append, as those of a command of a queue: the first waits, the last signals.
 *
 * PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
 * PI_ERROR_OUT_OF_HOST_MEMORY, and what the driver says when it makes an event.
 */
pi_result recording_begin(pi_ext_command_buffer buffer, pi_uint32 num_sync_points_in_wait_list,
                          const pi_ext_sync_point *sync_point_wait_list, recording *ret);

/*
 * Ends it. result is that of the calls which appended; after a failure it is returned, and the
 * command counts for nothing. A failure between the calls of one command leaves a part of it in the
 * list: then nothing can be added any more. sync_point may be NULL.
 */
pi_result recording_end(recording *recording, pi_result result, pi_ext_sync_point *sync_point);

/*
 * Keeps an object until the buffer ends, when release(object) is called; by itself this takes no
 * reference. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result recording_hold(recording *recording, void *object, void (*release)(void *object));

/* Makes room, so that the next recording_hold of this command cannot fail. */
pi_result recording_reserve(recording *recording);

/* The same as recording_hold for a memory object, with a reference. */
pi_result recording_hold_memory(recording *recording, pi_mem mem);

#endif

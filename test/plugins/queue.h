/* Functions of the cases about queues that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_QUEUE_H
#define SPECPI_TEST_PLUGINS_QUEUE_H

#include "world.h"

pi_result create(pi_queue_properties *list, pi_queue *queue);
bool is_empty(pi_queue queue);

/* An out-of-order queue with two commands, one of which waits for a gate, and later commands. */
typedef struct order {
  pi_queue queue;
  pi_event gate;
  pi_mem held, free;     /* outputs of the first commands: of the waiting one, and of the other */
  pi_event before[2];    /* their events */
  pi_event fence, after; /* of the barrier or marker, and of a command after it */
} order;

/* Enqueues the first two commands; only the one that waits for the gate has not ended. */
void begin_order(order *o);
void end_order(order *o);
/* Checks that commands waiting for the gate have not run, then opens it. */
void open_gate(order *o);
void close_order(order *o);

#endif

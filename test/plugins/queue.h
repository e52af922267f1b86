/* What the cases about queues that only one backend has share with the others. */
#ifndef SPECPI_TEST_PLUGINS_QUEUE_H
#define SPECPI_TEST_PLUGINS_QUEUE_H

#include "world.h"

pi_result create(pi_queue_properties *list, pi_queue *queue);
bool is_empty(pi_queue queue);

/* A queue out of order with two commands, of which one waits for a gate, and what comes behind. */
typedef struct order {
  pi_queue queue;
  pi_event gate;
  pi_mem held, free;  /* what a command before writes: one that waits for the gate, and another */
  pi_event before[2]; /* their events */
  pi_event fence, after; /* of the barrier or marker, and of a command behind it */
} order;

/* Only the command that waits for the gate has not ended. */
void begin_order(order *o);
void end_order(order *o);
/* The gate is closed: what waits for it has not happened. Then it is opened. */
void open_gate(order *o);
void close_order(order *o);

#endif

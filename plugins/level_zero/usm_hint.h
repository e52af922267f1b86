/* Hints about shared memory, as commands. */
#ifndef PI_LEVEL_ZERO_USM_HINT_H
#define PI_LEVEL_ZERO_USM_HINT_H

#include "queue.h"
#include "usm_advice.h"

/* What the driver is told; nothing at all where there is nothing to move or to advise. */
typedef struct usm_hint {
  const void *pointer;
  size_t size;
  bool is_prefetch;
  ze_memory_advice_t advice[USM_ADVICE_MAX];
  size_t advice_count;
} usm_hint;

/*
 * Reads what piextUSMEnqueuePrefetch and piextUSMEnqueueMemAdvise are given.
 * PI_ERROR_INVALID_VALUE: the range leaves its allocation, or the advice contradicts itself.
 */
pi_result usm_hint_prefetch(pi_context context, const void *pointer, size_t size, usm_hint *ret);
pi_result usm_hint_advise(pi_context context, const void *pointer, size_t size,
                          pi_mem_advice advice, usm_hint *ret);

/*
 * Appends the whole command: it waits for command->waits and signals command->signal. It is ended
 * by queue_conclude_started with the result.
 */
pi_result usm_hint_append(queue_command *command, const usm_hint *hint);

#endif

/*
 * Destroying what commands may still use. Level Zero counts no references and waits for nobody:
 * memory, kernels, modules, images and samplers must not be destroyed before the device is done
 * with them, and PI lets the application release them at any time.
 *
 * A context has a number, its epoch, which grows each time something is retired. A command notes
 * the epoch it was enqueued in. What was retired in an epoch is destroyed when no command of that
 * epoch or an earlier one is pending in any queue of the context.
 */
#ifndef PI_LEVEL_ZERO_RETIRE_H
#define PI_LEVEL_ZERO_RETIRE_H

#include "context.h"

/* A member of what may be retired. */
typedef struct retired {
  struct retired *next;
  pi_uint64 epoch;
  void (*destroy)(struct retired *); /* frees what the member is of */
} retired;

/*
 * Calls destroy(node) when no command can use what it belongs to any more: at once if that is so
 * now, else later from some thread which has called the plugin, with no lock held. The context
 * stays alive until then only if what is retired holds a reference to it, which destroy gives up.
 * Batches are not executed for it. Never waits, allocates nothing.
 */
void retire(pi_context context, retired *node, void (*destroy)(retired *node));

/* Destroys what is due. The caller keeps the context alive, and holds no lock. */
void retire_collect(pi_context context);

/* The structure that a member is of. */
#define RETIRED_OWNER(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

#endif

/*
 * Functions of the application that are called when an event reaches a state, and queues that were
 * released with commands pending.
 *
 * One thread of the plugin asks for both how far they are, and does what is due then. It runs only
 * as long as there is something to ask for. The application's functions are called by it with no
 * lock held and outside of any call of the driver, so they may call PI.
 */
#ifndef PI_LEVEL_ZERO_CALLBACK_H
#define PI_LEVEL_ZERO_CALLBACK_H

#include "event.h"

/* As piEventSetCallback, whose arguments have been checked. */
pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data);

/* Has the thread, if there is one, ask again now: a user event was set. */
void callback_wake(void);

/*
 * Keeps a queue, with one use that the caller gives, until none of its commands is pending: only
 * then the driver's objects behind it may be destroyed. Waits for that itself where no thread can
 * be made.
 */
void callback_abandon(pi_queue queue);

#endif

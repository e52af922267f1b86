/*
 * Functions of the application that are called when an event reaches a state.
 *
 * One thread of the plugin asks the events that have such functions how far they are, and calls
 * them itself. cuLaunchHostFunc would be no help: its functions may not call CUDA, so that another
 * thread would be needed all the same; it does not call them after a failure, which is a state to
 * tell of; and each would hold up the stream it stands in.
 */
#ifndef PI_CUDA_CALLBACK_H
#define PI_CUDA_CALLBACK_H

#include "event.h"

/* As piEventSetCallback, whose arguments have been checked. */
pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data);

/* Has the thread, if there is one, ask again now: a user event was set. */
void callback_wake(void);

#endif

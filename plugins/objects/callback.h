/*
 * Functions of the application that are called when an event reaches a state.
 *
 * The watcher's thread calls them, with no lock held and outside of any call of the driver, so that
 * they may call PI. Drivers' own callbacks do not help: CUDA's functions may not call CUDA, and are
 * not called after a failure, which is a state to report; Level Zero has none.
 */
#ifndef OBJECTS_CALLBACK_H
#define OBJECTS_CALLBACK_H

#include <pi/pi.h>

/*
 * Calls function when the event is in a state, or has failed; the event is kept until then.
 * PI_ERROR_INVALID_VALUE: there is no such state to wait for; PI_ERROR_OUT_OF_HOST_MEMORY,
 * PI_ERROR_OUT_OF_RESOURCES.
 */
pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data);

#endif

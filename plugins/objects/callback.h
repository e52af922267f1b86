/*
 * Callbacks: functions of the application to be called when an event reaches a state.
 *
 * The watcher's thread calls them, with no lock held and outside of any call of the driver, so that
 * they may call PI. The drivers' own callbacks cannot replace this: CUDA's may not call CUDA, and
 * CUDA does not call them after a failure, which PI has to report; Level Zero has none.
 */
#ifndef OBJECTS_CALLBACK_H
#define OBJECTS_CALLBACK_H

#include <pi/pi.h>

/*
 * Has function called when the event reaches state or fails; keeps the event until then.
 * PI_ERROR_INVALID_VALUE: state is unknown; PI_ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_RESOURCES.
 */
pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data);

#endif

/* The function of the runtime's to which the sentences go. */
#ifndef UR_LOGGER_H
#define UR_LOGGER_H

#include <ur/ur.h>

/*
 * Has sentences of this level and above told to callback; NULL: to nobody. A failure is an error, a
 * note is information; that something is not supported or has no answer, which runtimes ask in
 * order to find out, is for debugging. A call that is under way on another thread ends later.
 */
void logger_set(ur_logger_callback_t callback, void *data, ur_logger_level_t level);

/* The level alone. */
void logger_set_level(ur_logger_level_t level);

#endif

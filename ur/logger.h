/* The runtime's function that receives the messages. */
#ifndef UR_LOGGER_H
#define UR_LOGGER_H

#include <ur/ur.h>

/*
 * Sets the callback that receives messages of this level and above; NULL: nobody does. A failure is
 * an error, a note is information. That something is not supported or has no answer is a debugging
 * message, because runtimes ask in order to find out. A call that is under way on another thread
 * ends later.
 */
void logger_set(ur_logger_callback_t callback, void *data, ur_logger_level_t level);

/* The level alone. */
void logger_set_level(ur_logger_level_t level);

#endif

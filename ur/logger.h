/* The runtime's function that receives the messages. */
#ifndef UR_LOGGER_H
#define UR_LOGGER_H

#include <ur/ur.h>

/*
 * Sets the callback that receives messages of this level and above; NULL: none. Failures have level
 * error, notes have level info. Unsupported features and queries without an answer have level
 * debug, because runtimes probe for them. A callback that runs on another thread may return after
 * this.
 */
void logger_set(ur_logger_callback_t callback, void *data, ur_logger_level_t level);

/* Sets only the level. */
void logger_set_level(ur_logger_level_t level);

#endif

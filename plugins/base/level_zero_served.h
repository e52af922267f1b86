/* Finds out whether this machine has devices for another Level Zero driver. */
#ifndef BASE_LEVEL_ZERO_SERVED_H
#define BASE_LEVEL_ZERO_SERVED_H

#include <stdbool.h>

/*
 * Returns whether the machine seems to have a GPU or NPU of Intel, or the user has named a Level
 * Zero driver in ZE_ENABLE_ALT_DRIVERS. Initialises no driver, because a driver without a device
 * can end the process. Any thread.
 */
bool level_zero_is_served(void);

#endif

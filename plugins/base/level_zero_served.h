/* Devices of this machine that another driver of Level Zero serves. */
#ifndef BASE_LEVEL_ZERO_SERVED_H
#define BASE_LEVEL_ZERO_SERVED_H

#include <stdbool.h>

/*
 * True where the kernel lists a GPU or NPU of Intel's, or the user has named a driver of Level Zero
 * (ZE_ENABLE_ALT_DRIVERS). Opens no driver for it, because one without a device can end the
 * process. Any thread.
 */
bool level_zero_is_served(void);

#endif

/* A private directory for temporary files, which is gone when specpi-cc ends, however it does. */
#ifndef SPECPI_CC_SCRATCH_H
#define SPECPI_CC_SCRATCH_H

#include "cc.h"

/*
 * Runs work(data, directory) in a process of its own, with a new empty directory that only this
 * user can enter, and removes the directory when that process and those that it started have ended:
 * with the result of work, through a signal, or because this process got one, which it passes on
 * and then ends by. The files of leftovers are removed when the work does not succeed.
 *
 * Returns what work returned, or CC_FAILURE after an error.
 */
int scratch_run(int (*work)(void *data, const char *directory), void *data,
                const cc_texts *leftovers);

#endif

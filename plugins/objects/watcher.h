/*
 * Polls for the end of things that no driver reports: a thread of the plugin calls a function of
 * each watched object from time to time, until the function returns true. The thread runs only
 * while there are watched objects.
 */
#ifndef OBJECTS_WATCHER_H
#define OBJECTS_WATCHER_H

#include <pi/pi.h>

/* A member of objects that are watched. */
typedef struct watched {
  struct watched *next;
  bool (*ask)(struct watched *);
} watched;

/*
 * Has the thread call ask(one) until it returns true. ask may free one before that return. ask is
 * called with no lock held and outside of any call of the driver, and may take long. When the
 * plugin is unloaded, objects still watched are not asked again. PI_ERROR_OUT_OF_RESOURCES: the
 * thread cannot be started.
 */
pi_result watcher_add(watched *one, bool (*ask)(watched *one));

/* Makes the thread, if it runs, ask all objects again now. */
void watcher_wake(void);

#endif

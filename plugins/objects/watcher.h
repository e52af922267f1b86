/*
 * Polls for ends that nobody reports: a thread of the plugin asks, now and then, whether something
 * has come to its end, and does what is due then. It runs only as long as there is something to
 * ask.
 */
#ifndef OBJECTS_WATCHER_H
#define OBJECTS_WATCHER_H

#include <pi/pi.h>

/* A member of watched objects. */
typedef struct watched {
  struct watched *next;
  bool (*ask)(struct watched *);
} watched;

/*
 * Makes the thread call ask(one) until that returns true; nothing reads one after that, so it may
 * be gone. ask is called with no lock held and outside of any call of the driver, and may take its
 * time. Objects that are still watched when the plugin goes are not asked again.
 * PI_ERROR_OUT_OF_RESOURCES: no thread can be made.
 */
pi_result watcher_add(watched *one, bool (*ask)(watched *one));

/* Makes the thread, if there is one, ask again now. */
void watcher_wake(void);

#endif

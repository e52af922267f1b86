/*
 * Finds out about ends that nobody reports: one thread of the plugin asks, now and then, whether
 * something has come to its end, and does what is due then. It runs only as long as there is
 * something to ask for.
 */
#ifndef OBJECTS_WATCHER_H
#define OBJECTS_WATCHER_H

#include <pi/pi.h>

/* A member of what is watched. */
typedef struct watched {
  struct watched *next;
  bool (*ask)(struct watched *);
} watched;

/*
 * Has the thread call ask(one) until that returns true; nothing looks at one any more then, which
 * may be gone. It is called with no lock held and outside of any call of the driver, and may take
 * its time. What is still watched when the plugin goes is not asked again.
 * PI_ERROR_OUT_OF_RESOURCES: no thread can be made.
 */
pi_result watcher_add(watched *one, bool (*ask)(watched *one));

/* Has the thread, if there is one, ask again now. */
void watcher_wake(void);

#endif

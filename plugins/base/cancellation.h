/*
 * Threads of an application may be cancelled (pthread_cancel) in every call that can block. One
 * that is cancelled while it has a lock, a file or a build keeps it for ever, and others wait.
 */
#ifndef BASE_CANCELLATION_H
#define BASE_CANCELLATION_H

#include <pthread.h>

static inline int cancellation_put_off(void) {
  int former = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
  return former;
}

static inline void cancellation_restore(const int *former) {
  pthread_setcancelstate(*former, NULL);
}

/* A declaration: until the end of its block the thread's cancellation is put off. */
#define WITHOUT_CANCELLATION                                                                       \
  __attribute__((cleanup(cancellation_restore))) const int cancellation_former =                   \
      cancellation_put_off()

#endif

/*
 * Threads of an application may be cancelled (pthread_cancel) in every call that can block. A
 * thread that is cancelled while it has a lock, a file or a build keeps it for ever, and others
 * wait.
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
  __attribute__((cleanup(cancellation_restore), unused)) const int cancellation_former =           \
      cancellation_put_off()

/*
 * The function for an entry in a table: whole_NAME, which puts off cancellation, or NAME itself
 * where CANCELLATION_AT_NAME is a comma. The latter are the entries of a launch: a launch calls
 * several, so that two more calls in each would cost time. They hold nothing while they block.
 */
#define CANCELLATION_ENTRY(name) CANCELLATION_PICK(CANCELLATION_AT_##name name, whole_##name)
#define CANCELLATION_PICK(...) CANCELLATION_SECOND(__VA_ARGS__, )
#define CANCELLATION_SECOND(first, second, ...) second

#endif

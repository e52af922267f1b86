/*
 * An application may cancel its threads (pthread_cancel) in every call that can block. If a thread
 * were cancelled while it holds a lock, a file or a build, other threads would wait for ever.
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

/* Declaration that delays the cancellation of the thread until the end of the block. */
#define WITHOUT_CANCELLATION                                                                       \
  __attribute__((cleanup(cancellation_restore), unused)) const int cancellation_former =           \
      cancellation_put_off()

/*
 * Function for an entry of a table: whole_NAME, which delays cancellation, or NAME itself if
 * CANCELLATION_AT_NAME is defined as a comma. That is done for the functions of a launch, because
 * there the delay would cost too much time. They hold nothing while they block.
 */
#define CANCELLATION_ENTRY(name) CANCELLATION_PICK(CANCELLATION_AT_##name name, whole_##name)
#define CANCELLATION_PICK(...) CANCELLATION_SECOND(__VA_ARGS__, )
#define CANCELLATION_SECOND(first, second, ...) second

#endif

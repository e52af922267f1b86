#define _POSIX_C_SOURCE 200809L /* pthread_sigmask, sigtimedwait */
#include "write.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static bool write_bytes(int file, const unsigned char *bytes, size_t size) {
  while (size) {
    const ssize_t written = write(file, bytes, size);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
    }
  }
  return true;
}

/*
 * The kernel sends SIGXFSZ to the writing thread. So this thread blocks the signal, writes, and
 * consumes the signal that its write has caused. A signal that was pending before stays pending.
 */
bool write_all(int file, const void *bytes, size_t size) {
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  const bool good = write_bytes(file, bytes, size);
  const int error = errno;
  if (!good && error == EFBIG && !sigismember(&pending, SIGXFSZ))
    while (sigtimedwait(&limit, NULL, &(const struct timespec){0}) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return good;
}

/* Writing past the limit of file sizes fails without a signal. */
#define _GNU_SOURCE /* memfd_create */
#include "check.h"

#include "../../plugins/base/write.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 1000 };

static const unsigned char bytes[3 * LIMIT];
static volatile sig_atomic_t handled;

static void handle(int number) {
  (void)number;
  handled = handled + 1;
}

/* Returns whether `size` bytes can be written to a file with the limit. */
static bool is_written(size_t size) {
  const struct rlimit small = {LIMIT, RLIM_INFINITY};
  struct rlimit before;
  const int file = memfd_create("write", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool good = write_all(file, bytes, size);
  const int error = errno;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(lseek(file, 0, SEEK_CUR), size < LIMIT ? size : LIMIT);
  close(file);
  assert_true(good || error == EFBIG);
  return good;
}

static void is_pending(bool expected) {
  sigset_t pending;
  assert_int_equal(sigpending(&pending), 0);
  assert_int_equal(sigismember(&pending, SIGXFSZ), expected);
}

/* The application's handler is not called, and its signal mask does not change. */
TEST(says_what_is_too_much) {
  sigset_t mask;
  assert_true(is_written(0));
  assert_true(is_written(LIMIT));
  assert_false(is_written(LIMIT + 1));
  assert_false(is_written(sizeof bytes));
  signal(SIGXFSZ, handle);
  assert_false(is_written(sizeof bytes));
  struct sigaction action;
  assert_int_equal(sigaction(SIGXFSZ, NULL, &action), 0);
  assert_true(action.sa_handler == handle);
  assert_int_equal(handled, 0);
  signal(SIGXFSZ, SIG_IGN);
  assert_false(is_written(sizeof bytes));
  signal(SIGXFSZ, SIG_DFL);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
  assert_false(sigismember(&mask, SIGXFSZ));
  is_pending(false);
}

/* A SIGXFSZ that was pending for the application stays pending. */
TEST(leaves_what_was_pending) {
  sigset_t limit, before;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, &limit, &before), 0);
  assert_false(is_written(sizeof bytes));
  is_pending(false);
  assert_int_equal(raise(SIGXFSZ), 0);
  assert_false(is_written(sizeof bytes));
  is_pending(true);
  assert_int_equal(sigwaitinfo(&limit, NULL), SIGXFSZ);
  assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
}

TEST(says_what_fails) {
  assert_false(write_all(-1, bytes, 1));
  assert_int_equal(errno, EBADF);
}

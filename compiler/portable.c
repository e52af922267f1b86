/*
 * Functions that LLVM needs and some systems lack; a portable build links them with LLVM. Those of
 * libtinfo report that no terminal is known, so that LLVM prints without colours; Debian's
 * libtinfo.a cannot be used, because it is not position-independent. The random numbers are in
 * glibc only from 2.36 on.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

struct term;

int setupterm(const char *name, int file, int *error);
struct term *set_curterm(struct term *terminal);
int del_curterm(struct term *terminal);
int tigetnum(const char *ability);
uint32_t arc4random(void);

enum { FAILED = -1 };

int setupterm(const char *name, int file, int *error) {
  (void)name;
  (void)file;
  if (error)
    *error = FAILED; /* there is no terminal database */
  return FAILED;
}

struct term *set_curterm(struct term *terminal) {
  return terminal;
}

int del_curterm(struct term *terminal) {
  (void)terminal;
  return FAILED;
}

int tigetnum(const char *ability) {
  (void)ability;
  return FAILED;
}

uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    abort(); /* as glibc does */
  return number;
}

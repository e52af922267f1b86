/*
 * Functions that LLVM needs, for systems that lack them: a portable build links them with LLVM. Of
 * libtinfo, the question whether a terminal has colours: here no terminal is known, and LLVM prints
 * without colours (Debian's libtinfo.a is not position independent). Of glibc from 2.36 on, random
 * numbers.
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
    *error = FAILED; /* no database of terminals */
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
    abort(); /* as glibc's */
  return number;
}

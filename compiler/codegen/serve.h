/* The code generator as a process that builds until its parent does not want more. */
#ifndef CODEGEN_SERVE_H
#define CODEGEN_SERVE_H

#include <stdbool.h>

/* X(name): what lies beside the program, in the order in which it is looked into. */
#define SERVE_LIBRARIES(X)                                                                         \
  X("common.bc")                                                                                   \
  X("device.bc")                                                                                   \
  X("numbers.bc")                                                                                  \
  X("libclc.bc")

enum { SERVE_LIBRARY_COUNT = 4 };

/* list points to paths. */
typedef struct serve_libraries {
  char paths[SERVE_LIBRARY_COUNT][4096];
  const char *list[SERVE_LIBRARY_COUNT];
} serve_libraries;

/* Where the libraries are; false with errno when the program's directory cannot be found. */
bool serve_find_libraries(serve_libraries *ret);

/* The absolute path of this program, which the caller frees; NULL with errno. Needs no /proc. */
char *serve_own_path(void);

/*
 * Answers requests (plugins/code/codegen.h) with libraries from the program's directory, over the
 * descriptors of codegen_frame.h. A process of its own builds, and this one tells how that ended.
 * Both end when the socket's other end is closed or the parent ends, in the middle of a build, too.
 * Returns the exit status.
 */
int serve_process(void);

#endif

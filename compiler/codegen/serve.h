/* The code generator as a server process, which builds until its parent closes the socket. */
#ifndef CODEGEN_SERVE_H
#define CODEGEN_SERVE_H

#include <stdbool.h>

/* X(name): libraries in the program's directory, in search order. */
#define SERVE_LIBRARIES(X)                                                                         \
  X("common.bc")                                                                                   \
  X("device.bc")                                                                                   \
  X("numbers.bc")                                                                                  \
  X("libclc.bc")

enum { SERVE_LIBRARY_COUNT = 4 };

/* Paths of the libraries; list points to the elements of paths. */
typedef struct serve_libraries {
  char paths[SERVE_LIBRARY_COUNT][4096];
  const char *list[SERVE_LIBRARY_COUNT];
} serve_libraries;

/* Finds the libraries; false with errno if the program's directory cannot be found. */
bool serve_find_libraries(serve_libraries *ret);

/* Returns the absolute path of this program, which the caller frees; NULL with errno on failure.
 * Needs no /proc. */
char *serve_own_path(void);

/*
 * Answers requests (plugins/code/codegen.h) over the descriptors of codegen_frame.h, with libraries
 * from the program's directory. A child process builds; this process reports how the child ended.
 * Both end, even during a build, when the socket's other end is closed or the parent ends. Returns
 * the exit status.
 */
int serve_process(void);

#endif

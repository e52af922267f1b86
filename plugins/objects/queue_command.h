/*
 * Commands that use no memory object. As for those in buffer_command.h, each function is a whole
 * command. The OpenCL plugin has its own definitions, and a sink of its own.
 */
#ifndef OBJECTS_QUEUE_COMMAND_H
#define OBJECTS_QUEUE_COMMAND_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sink sink;

/* Commands without work. joins: they wait for all earlier ones, as without a wait list. */
pi_result marker_enqueue(sink *sink, bool joins);
pi_result barrier_enqueue(sink *sink, bool joins);

/* A copy of count bytes between a variable and host memory: a write sets from, a read sets to. */
typedef struct variable_copy {
  pi_program program;
  const char *name;
  size_t count, offset;
  const void *from; /* NULL for a read */
  void *to;
} variable_copy;

/*
 * Enqueues the copy, and keeps the variable until the copy has ended. PI_ERROR_INVALID_VALUE: the
 * bytes leave the variable. PI_ERROR_INVALID_CONTEXT: the program is of
 * another context than the queue. Also the errors of program_find_variable.
 */
pi_result program_copy_variable(sink *sink, const variable_copy *copy);

#endif

/* SPECPI_TRACE: its topics, and the wrappers that print PI calls. */
#ifndef SPECPI_TRACE_H
#define SPECPI_TRACE_H

#include <specpi/specpi.h>

/* X(NAME, name): the words of SPECPI_TRACE; "all" is all of them. */
#define TRACE_TOPICS(X)                                                                            \
  X(CALLS, calls)                                                                                  \
  X(ERRORS, errors)                                                                                \
  X(LOADER, loader)                                                                                \
  X(CACHE, cache)

typedef enum trace_topic {
#define TRACE_TOPIC(NAME, name) TRACE_##NAME,
  TRACE_TOPICS(TRACE_TOPIC)
#undef TRACE_TOPIC
} trace_topic;

/* Returns whether SPECPI_TRACE asks for a topic. The variable is read once. */
bool trace_enabled(trace_topic topic);

/* Prints one line to stderr, with the library's name in front, by one write. */
void trace_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A table of wrappers that print each call of the backend's plugin and forward it to functions,
 * which must stay valid. Call this at most once for each backend, which has one plugin.
 */
const pi_function_table *trace_wrap(specpi_backend backend, const pi_function_table *functions);

#endif

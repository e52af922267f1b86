/*
 * The host side of one C++ file: its variables that have ids, specialization constants among them,
 * the unique id of each, and the text that a host compiler needs to map a variable to its id.
 * docs/internals/host.md says what the texts have in them.
 *
 *   const char *const arguments[] = {"-Iinclude", "-DWIDTH=4"};
 *   const host_options options = {.file = "picture.cpp", .arguments = arguments,
 *                                 .argument_count = 2};
 *   host_text footer;
 *   if (host_write_footer(&options, &footer) != HOST_SUCCESS)
 *     fprintf(stderr, "%s\n", host_get_last_error());
 *   else
 *     fwrite(footer.data, 1, footer.size, stdout);
 *   host_text_release(&footer);
 *
 * Every function may be called from any thread. All state is in the call and its result, but for
 * the message about the latest failure, which each thread has of its own. A crash of libclang
 * while it reads a file is caught by libclang and is HOST_ERROR_INTERNAL.
 */
#ifndef COMPILER_HOST_HOST_H
#define COMPILER_HOST_HOST_H

#include <stddef.h>
#include <stdio.h>

/* X(name, text): every result. */
#define HOST_RESULTS(X)                                                                            \
  X(HOST_SUCCESS, "success")                                                                       \
  X(HOST_ERROR_INVALID_ARGUMENT, "an argument is not valid")                                       \
  X(HOST_ERROR_OUT_OF_MEMORY, "host memory is exhausted")                                          \
  X(HOST_ERROR_FILE, "a file cannot be read")                                                      \
  X(HOST_ERROR_INVALID_SOURCE, "the file is not valid C++")                                        \
  X(HOST_ERROR_UNSUPPORTED, "a variable or a type cannot have an id")                              \
  X(HOST_ERROR_NO_LIBCLANG, "libclang cannot be used")                                             \
  X(HOST_ERROR_INTERNAL, "libclang failed, or this library has a fault")

typedef enum host_result {
#define HOST_RESULT(name, text) name,
  HOST_RESULTS(HOST_RESULT)
#undef HOST_RESULT
} host_result;

/* The file to read, and how. */
typedef struct host_options {
  /* The C++ file. It is read once; what it includes is read more than once. */
  const char *file;
  /*
   * The prefix of the ids of variables with internal linkage: 1 to HOST_UNIT_ID_MAX letters,
   * digits,
   * '_', '-' and '.', of which no two units of a program may have the same. NULL: a hash of the
   * file's absolute path, its text and the arguments.
   */
  const char *unit_id;
  /* The compiler's options, such as -I, -D and -std; -std=c++17 is the default. */
  const char *const *arguments;
  size_t argument_count;
} host_options;

#define HOST_UNIT_ID_MAX 64

/*
 * The warning, as options name it: -Wno-.. among the arguments silences it, unless -W.. comes after
 * it, and so does -w.
 */
#define HOST_UNUSED_WARNING "unused-template-id"

/*
 * The text that a function below wrote. warnings are messages, each with a line break, about what
 * has no id although it may look as if it had one; "" when there is none. Both end with a NUL.
 */
typedef struct host_text {
  char *data;
  size_t size; /* bytes before the NUL */
  char *warnings;
} host_text;

/*
 * The integration header: what is included before the file's first line.
 * The integration footer: what stands after its last line.
 * The file: the header, the file itself and the footer, with #line directives, in place of the
 * file. What it includes by a name in quotes is still looked for beside itself.
 * The list: {"unit": prefix, "variables": [{"id", "name", "linkage", "kind", "type", "file",
 * "line", "column"}, ...]}, in the order of the variables' first appearance.
 *
 * Each reads the file and fills *ret, to be released with host_text_release. Every failure leaves
 * it untouched, and host_get_last_error has the message.
 *
 * INVALID_ARGUMENT: a NULL, or a unit_id that is none. FILE: the file cannot be read.
 * INVALID_SOURCE: libclang's first error. UNSUPPORTED: a variable that cannot have an id or that a
 * footer cannot name, or a type that a header cannot declare; the message has its place and the
 * reason. NO_LIBCLANG: there is none on this machine. OUT_OF_MEMORY, INTERNAL.
 */
host_result host_write_header(const host_options *options, host_text *ret);
host_result host_write_footer(const host_options *options, host_text *ret);
host_result host_write_file(const host_options *options, host_text *ret);
host_result host_write_list(const host_options *options, host_text *ret);

/*
 * The header and the footer, of one reading of the file: in half the time of the two functions
 * above. The warnings are the footer's. Fails as they do; then neither is touched.
 */
host_result host_write_parts(const host_options *options, host_text *header, host_text *footer);

/* A #line directive: what follows is a file with this ending of its name, from its line 1 on. */
void host_write_line(const char *file, const char *ending, FILE *to);

/* Frees what a text has; the text itself is the caller's. NULL does nothing. */
void host_text_release(host_text *text);

/* The name of a result and what it means in general; "?" for others. */
const char *host_result_get_name(host_result result);
const char *host_result_get_text(host_result result);

/*
 * One message about this thread's latest failure; "" before the first. Valid until the
 * thread's next failure.
 */
const char *host_get_last_error(void);

#endif

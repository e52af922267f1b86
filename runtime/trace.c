#include "trace.h"

#include "../plugins/base/names.h"
#include "../plugins/base/words.h"
#include "os.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned topics; /* a bit for each topic */

/* The topics that a word of SPECPI_TRACE enables; 0 for an unknown word. */
static unsigned topics_of(text_word word) {
  unsigned all = 0;
#define TRACE_TOPIC(NAME, name)                                                                    \
  if (text_word_is(word, #name))                                                                   \
    return 1u << TRACE_##NAME;                                                                     \
  all |= 1u << TRACE_##NAME;
  TRACE_TOPICS(TRACE_TOPIC)
#undef TRACE_TOPIC
  return text_word_is(word, "all") ? all : 0;
}

static void read_variable(void) {
  const char *list = os_environment_safe("SPECPI_TRACE");
  for (text_word word; text_word_next(&list, &word);) {
    const unsigned found = topics_of(word);
    if (!found) {
#define TRACE_TOPIC(NAME, name) #name ", "
      trace_line("SPECPI_TRACE: there is nothing to trace by the name \"%.*s\", only " TRACE_TOPICS(
                     TRACE_TOPIC) "all",
                 (int)word.length, word.text);
#undef TRACE_TOPIC
    }
    topics |= found;
  }
}

bool trace_enabled(trace_topic topic) {
  pthread_once(&once, read_variable);
  return topics & (1u << topic);
}

void trace_line(const char *format, ...) {
  char line[4096];
  static const char prefix[] = "specpi: ";
  const size_t start = sizeof prefix - 1;
  memcpy(line, prefix, start);
  va_list arguments;
  va_start(arguments, format);
  const int written = vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  va_end(arguments);
  if (written < 0)
    return;
  const size_t room = sizeof line - start - 2;
  const size_t end = start + ((size_t)written < room ? (size_t)written : room);
  line[end] = '\n';
  fwrite(line, 1, end + 1, stderr);
}

/* A call's argument, and the way to print it. */
typedef struct trace_value {
  enum {
    VALUE_INTEGER,
    VALUE_UNSIGNED,
    VALUE_REAL,
    VALUE_POINTER,
    VALUE_TEXT,
    /* Pointers to results of the call, which are read if the call succeeded. */
    VALUE_OUT_INT32,
    VALUE_OUT_UINT32,
    VALUE_OUT_UINT64,
    VALUE_OUT_HANDLE
  } kind;
  union {
    int64_t integer;
    uint64_t number;
    double real;
    const void *pointer;
  } as;
} trace_value;

static trace_value value_integer(int64_t value) {
  return (trace_value){VALUE_INTEGER, {.integer = value}};
}

static trace_value value_unsigned(uint64_t value) {
  return (trace_value){VALUE_UNSIGNED, {.number = value}};
}

static trace_value value_real(double value) {
  return (trace_value){VALUE_REAL, {.real = value}};
}

#define POINTER_VALUE(name, type, KIND)                                                            \
  static trace_value name(type pointer) { return (trace_value){KIND, {.pointer = pointer}}; }
POINTER_VALUE(value_pointer, const void *, VALUE_POINTER)
POINTER_VALUE(value_text, const char *, VALUE_TEXT)
POINTER_VALUE(value_out_int32, int32_t *, VALUE_OUT_INT32)
POINTER_VALUE(value_out_uint32, uint32_t *, VALUE_OUT_UINT32)
POINTER_VALUE(value_out_uint64, uint64_t *, VALUE_OUT_UINT64)
POINTER_VALUE(value_out_handle, const void *, VALUE_OUT_HANDLE)
#undef POINTER_VALUE

/* Callbacks are printed as addresses. ISO C has no conversion of a function pointer to void *. */
#define CALLBACK_VALUE(name, ...)                                                                  \
  static trace_value name(void (*callback)(__VA_ARGS__)) {                                         \
    trace_value value = {VALUE_POINTER, {.pointer = NULL}};                                        \
    memcpy(&value.as, &callback, sizeof callback);                                                 \
    return value;                                                                                  \
  }
CALLBACK_VALUE(value_context_callback, const char *, const void *, size_t, void *)
CALLBACK_VALUE(value_deleter, void *)
CALLBACK_VALUE(value_event_callback, pi_event, pi_int32, void *)
CALLBACK_VALUE(value_program_callback, pi_program, void *)
#undef CALLBACK_VALUE

/*
 * X(type, function): the function for arguments of a type. Other pointers are printed as addresses.
 */
#define TRACE_TYPES(X)                                                                             \
  X(bool, value_unsigned)                                                                          \
  X(int, value_integer)                                                                            \
  X(long, value_integer)                                                                           \
  X(unsigned, value_unsigned)                                                                      \
  X(unsigned long, value_unsigned)                                                                 \
  X(float, value_real)                                                                             \
  X(const char *, value_text)                                                                      \
  X(int32_t *, value_out_int32)                                                                    \
  X(uint32_t *, value_out_uint32)                                                                  \
  X(uint64_t *, value_out_uint64)                                                                  \
  X(pi_platform *, value_out_handle)                                                               \
  X(pi_device *, value_out_handle)                                                                 \
  X(pi_context *, value_out_handle)                                                                \
  X(pi_queue *, value_out_handle)                                                                  \
  X(pi_mem *, value_out_handle)                                                                    \
  X(pi_program *, value_out_handle)                                                                \
  X(pi_kernel *, value_out_handle)                                                                 \
  X(pi_event *, value_out_handle)                                                                  \
  X(pi_sampler *, value_out_handle)                                                                \
  X(pi_ext_command_buffer *, value_out_handle)                                                     \
  X(void (*)(const char *, const void *, size_t, void *), value_context_callback)                  \
  X(void (*)(void *), value_deleter)                                                               \
  X(void (*)(pi_event, pi_int32, void *), value_event_callback)                                    \
  X(void (*)(pi_program, void *), value_program_callback)

/* An argument whose type is neither in the list nor a pointer to data fails to compile here. */
#define TRACE_CASE(type, function)                                                                 \
  type:                                                                                            \
  function,
#define TRACE_VALUE(argument)                                                                      \
  _Generic((argument), TRACE_TYPES(TRACE_CASE) default : value_pointer)(argument)

/* TRACE_EACH(M, a, b, ...) is M(a) M(b) ... with commas between, for up to 14 arguments. */
#define TRACE_EACH(M, ...)                                                                         \
  TRACE_PICK(__VA_ARGS__, TRACE_14, TRACE_13, TRACE_12, TRACE_11, TRACE_10, TRACE_9, TRACE_8,      \
             TRACE_7, TRACE_6, TRACE_5, TRACE_4, TRACE_3, TRACE_2, TRACE_1, )                      \
  (M, __VA_ARGS__)
#define TRACE_PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, name, ...) name
#define TRACE_1(M, a) M(a)
#define TRACE_2(M, a, ...) M(a), TRACE_1(M, __VA_ARGS__)
#define TRACE_3(M, a, ...) M(a), TRACE_2(M, __VA_ARGS__)
#define TRACE_4(M, a, ...) M(a), TRACE_3(M, __VA_ARGS__)
#define TRACE_5(M, a, ...) M(a), TRACE_4(M, __VA_ARGS__)
#define TRACE_6(M, a, ...) M(a), TRACE_5(M, __VA_ARGS__)
#define TRACE_7(M, a, ...) M(a), TRACE_6(M, __VA_ARGS__)
#define TRACE_8(M, a, ...) M(a), TRACE_7(M, __VA_ARGS__)
#define TRACE_9(M, a, ...) M(a), TRACE_8(M, __VA_ARGS__)
#define TRACE_10(M, a, ...) M(a), TRACE_9(M, __VA_ARGS__)
#define TRACE_11(M, a, ...) M(a), TRACE_10(M, __VA_ARGS__)
#define TRACE_12(M, a, ...) M(a), TRACE_11(M, __VA_ARGS__)
#define TRACE_13(M, a, ...) M(a), TRACE_12(M, __VA_ARGS__)
#define TRACE_14(M, a, ...) M(a), TRACE_13(M, __VA_ARGS__)
#define TRACE_VALUES(...) TRACE_EACH(TRACE_VALUE, __VA_ARGS__)

/* The data about a call that is known before the call. */
typedef struct trace_call {
  specpi_backend backend;
  const char *name;
  const char *parameters; /* "(pi_device device, size_t size)" */
  const char *arguments;  /* "(device, size)" */
  const trace_value *values;
  size_t count;
} trace_call;

/* A line under construction. */
typedef struct trace_text {
  char text[3072];
  size_t size;
} trace_text;

static void append_text(trace_text *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append_text(trace_text *line, const char *format, ...) {
  const size_t room = sizeof line->text - line->size;
  va_list arguments;
  va_start(arguments, format);
  const int written = vsnprintf(line->text + line->size, room, format, arguments);
  va_end(arguments);
  if (written > 0)
    line->size += (size_t)written < room ? (size_t)written : room - 1;
}

/* The length of a list's first element, which ends at a comma or a closing parenthesis. */
static size_t element_size(const char *list) {
  size_t size = 0;
  for (int depth = 0; list[size]; size++) {
    depth += list[size] == '(';
    if (depth == 0 && (list[size] == ',' || list[size] == ')'))
      break;
    depth -= list[size] == ')';
  }
  return size;
}

/* The element after the first one, which has that length. */
static const char *next_element(const char *list, size_t size) {
  list += size + (list[size] == ',');
  return list + strspn(list, " ");
}

/*
 * Appends an integer: the enumerator's name if the type is an enumeration, otherwise the number.
 * parameter is the declaration: the type, and then the name of name_size characters.
 */
static void append_number(trace_text *line, const trace_value *value, const char *parameter,
                          size_t size, size_t name_size) {
  char type[64] = "";
  if (size > name_size && size - name_size < sizeof type) {
    memcpy(type, parameter, size - name_size);
    type[size - name_size] = '\0';
    type[strcspn(type, " ")] = '\0';
  }
  const char *name = enumerator_name(type, value->as.integer);
  if (*name != '?')
    append_text(line, "%s", name);
  else if (value->kind == VALUE_INTEGER)
    append_text(line, "%lld", (long long)value->as.integer);
  else
    append_text(line, "%llu", (unsigned long long)value->as.number);
}

/*
 * Returns whether a pointer is to a list, because its name is a plural. No element of a list is
 * printed: a list of handles may be empty, and one of properties is an input.
 */
static bool is_list(const trace_value *value, const char *name, size_t name_size) {
  return (value->kind == VALUE_OUT_HANDLE || value->kind == VALUE_OUT_UINT64) &&
         name[name_size - 1] == 's';
}

static void append_out(trace_text *line, const trace_value *value, bool is_set) {
  append_text(line, "%p", value->as.pointer);
  if (!is_set)
    return;
  switch (value->kind) {
  case VALUE_OUT_INT32:
    append_text(line, " -> %d", *(const int32_t *)value->as.pointer);
    break;
  case VALUE_OUT_UINT32:
    append_text(line, " -> %u", *(const uint32_t *)value->as.pointer);
    break;
  case VALUE_OUT_UINT64:
    append_text(line, " -> %llu", (unsigned long long)*(const uint64_t *)value->as.pointer);
    break;
  case VALUE_OUT_HANDLE: {
    void *handle;
    memcpy(&handle, value->as.pointer, sizeof handle);
    append_text(line, " -> %p", handle);
    break;
  }
  case VALUE_INTEGER:
  case VALUE_UNSIGNED:
  case VALUE_REAL:
  case VALUE_POINTER:
  case VALUE_TEXT:
    break;
  }
}

/* Prints a call as one line. */
__attribute__((cold)) static void print_call(const trace_call *call, pi_result result,
                                             uint64_t nanoseconds) {
  trace_text line;
  line.size = 0;
  append_text(&line, "%s %s(", specpiBackendGetName(call->backend), call->name);
  const char *parameter = call->parameters + 1;
  const char *argument = call->arguments + 1;
  for (size_t i = 0; i < call->count; i++) {
    const trace_value *value = &call->values[i];
    const size_t parameter_size = element_size(parameter);
    const size_t name_size = element_size(argument);
    append_text(&line, "%s%.*s=", i ? ", " : "", (int)name_size, argument);
    if (value->kind == VALUE_INTEGER || value->kind == VALUE_UNSIGNED)
      append_number(&line, value, parameter, parameter_size, name_size);
    else if (value->kind == VALUE_REAL)
      append_text(&line, "%g", value->as.real);
    else if (!value->as.pointer)
      append_text(&line, "NULL");
    else if (value->kind == VALUE_TEXT)
      append_text(&line, "\"%.80s\"", (const char *)value->as.pointer);
    else
      append_out(&line, value, result == PI_SUCCESS && !is_list(value, argument, name_size));
    parameter = next_element(parameter, parameter_size);
    argument = next_element(argument, name_size);
  }
  append_text(&line, ") = %s", enumerator_name("pi_result", result));
  trace_line("%s (%d), %llu.%03llu us", line.text, result, (unsigned long long)(nanoseconds / 1000),
             (unsigned long long)(nanoseconds % 1000));
}

/*
 * One set of wrappers per backend, because the arguments of a call do not show which plugin it is
 * for.
 */
static const pi_function_table *wrapped[SPECPI_BACKEND_COUNT];

#define TRACE_SLOT 0
#include "trace_wrappers.inc"
#define TRACE_SLOT 1
#include "trace_wrappers.inc"
#define TRACE_SLOT 2
#include "trace_wrappers.inc"

static const pi_function_table *const wrappers[] = {&wrappers_0, &wrappers_1, &wrappers_2};
_Static_assert(sizeof wrappers / sizeof wrappers[0] == SPECPI_BACKEND_COUNT,
               "every backend needs its set of wrappers");

const pi_function_table *trace_wrap(specpi_backend backend, const pi_function_table *functions) {
  wrapped[backend] = functions;
  return wrappers[backend];
}

/* Code of the fake Level Zero driver: modules, what they are built of, build logs. */
#ifndef SPECPI_TEST_FAKE_ZE_MODULE_H
#define SPECPI_TEST_FAKE_ZE_MODULE_H

#include "cl.h"
#include "fake.h"
#include "reflect.h"

/* A text that grows. */
typedef struct fake_text {
  char *text; /* NULL: "" */
  size_t length;
} fake_text;

void fake_text_add(fake_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fake_text_end(fake_text *text);

typedef struct fake_log {
  fake_object head;
  fake_text text;
} fake_log;

/* Makes a build log of the text, which it takes over; where nobody wants one, frees the text. */
void fake_log_give(fake_context *context, fake_text *text, ze_module_build_log_handle_t *ret);

/* The value of a specialization constant. */
typedef struct fake_value {
  uint32_t id;
  uint32_t size; /* as the module says: 1, 2, 4, 8 */
  unsigned char bytes[8];
} fake_value;

/* One SPIR-V module with what it is to be compiled with. */
typedef struct fake_input {
  unsigned char *il;
  size_t size;
  char *flags;   /* as they were given; "" without any */
  char *options; /* what they are for OpenCL */
  size_t value_count;
  fake_value *values; /* by id, each once */
  fake_reflection reflection;
} fake_input;

/*
 * Takes copies of a SPIR-V module, its flags and the values of its constants; flags and constants
 * may be NULL. Of each value as many bytes are read as the module says. False, with a line in log
 * and nothing to give up, when the module is damaged, a flag unknown, an id not the module's.
 */
bool fake_input_make(const void *il, size_t size, const char *flags,
                     const ze_module_constants_t *constants, fake_input *ret, fake_text *log);
void fake_input_end(fake_input *input);

/* Inputs that belong together. Counted, under the driver's lock. */
typedef struct fake_source {
  unsigned references;
  size_t count;
  fake_input *inputs;
} fake_source;

fake_source *fake_source_new(size_t count);
void fake_source_release(fake_source *source);

/* module_binary.c: the source as a "native" binary; the caller frees it. */
void *fake_binary_write(const fake_source *source, size_t *size);
/*
 * Reads one back. NULL, with a line in log, when the bytes are not what fake_binary_write has
 * written.
 */
fake_source *fake_binary_read(const void *binary, size_t size, fake_text *log);

/* A linked OpenCL program. Modules that were linked dynamically share one. */
typedef struct fake_code {
  unsigned references;
  cl_program program;
  bool keeps_functions; /* functions that are no kernels have addresses */
} fake_code;

void fake_code_release(fake_code *code);

typedef enum fake_build_result {
  FAKE_BUILD_DONE,
  FAKE_BUILD_UNRESOLVED, /* it imports what is not there */
  FAKE_BUILD_FAILED,
} fake_build_result;

/*
 * Compiles all inputs of the sources and links them. Called between fake_cl_enter and
 * fake_cl_leave. *ret is set when it is done; OpenCL's words go into log.
 */
fake_build_result fake_build(fake_source *const *sources, size_t count, fake_code **ret,
                             fake_text *log);

/* A variable of a module whose address somebody has asked for. */
typedef struct fake_variable {
  struct fake_variable *next;
  char *name;
  fake_memory *memory;
} fake_variable;

typedef struct fake_module {
  fake_object head;
  fake_device *device;
  fake_source *source;
  fake_code *code; /* NULL: it imports what is not there yet */
  bool imports;    /* something was not in the module itself */
  unsigned kernels;
  fake_variable *variables;
} fake_module;

/* A kernel of any of the module's inputs; NULL: there is none. */
const fake_entry *fake_module_entry(const fake_module *module, const char *name);
/* A symbol that an input exports; NULL: there is none. */
const fake_symbol *fake_source_export(const fake_source *source, const char *name);
/*
 * Returns whether a symbol is imported by an input of the source and exported by none of it. Names
 * of OpenCL's built-in functions are imports, too.
 */
bool fake_source_imports(const fake_source *source, const fake_symbol *symbol);

#endif

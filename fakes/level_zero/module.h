/* Code of the fake Level Zero driver: modules, their inputs, build logs. */
#ifndef SPECPI_TEST_FAKE_ZE_MODULE_H
#define SPECPI_TEST_FAKE_ZE_MODULE_H

#include "cl.h"
#include "fake.h"
#include "reflect.h"

/* A growing string. */
typedef struct fake_text {
  char *text; /* NULL for "" */
  size_t length;
} fake_text;

void fake_text_add(fake_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fake_text_end(fake_text *text);

typedef struct fake_log {
  fake_object head;
  fake_text text;
} fake_log;

/* Makes a build log from the text, which it takes over. If ret is NULL, only frees the text. */
void fake_log_give(fake_context *context, fake_text *text, ze_module_build_log_handle_t *ret);

/* The value of a specialization constant. */
typedef struct fake_value {
  uint32_t id;
  uint32_t size; /* in the module: 1, 2, 4 or 8 */
  unsigned char bytes[8];
} fake_value;

/* A SPIR-V module with its build flags and the values of its constants. */
typedef struct fake_input {
  unsigned char *il;
  size_t size;
  char *flags;   /* Level Zero's flags; "" if none */
  char *options; /* the same as OpenCL's options */
  size_t value_count;
  fake_value *values; /* sorted by id, one per id */
  fake_reflection reflection;
} fake_input;

/*
 * Copies a SPIR-V module, its flags and its constants' values; flags and constants may be NULL. It
 * reads as many bytes of each value as the module declares. Returns false with a line in log, and
 * nothing to free, if the module is damaged, or a flag or an id is unknown.
 */
bool fake_input_make(const void *il, size_t size, const char *flags,
                     const ze_module_constants_t *constants, fake_input *ret, fake_text *log);
void fake_input_end(fake_input *input);

/* The inputs of a module. Reference-counted, under the driver's lock. */
typedef struct fake_source {
  unsigned references;
  size_t count;
  fake_input *inputs;
} fake_source;

fake_source *fake_source_new(size_t count);
void fake_source_release(fake_source *source);

/* module_binary.c: writes the source as a "native" binary, which the caller frees. */
void *fake_binary_write(const fake_source *source, size_t *size);
/*
 * Reads a "native" binary. Returns NULL with a line in log if it is not from fake_binary_write.
 */
fake_source *fake_binary_read(const void *binary, size_t size, fake_text *log);

/* A linked OpenCL program. Dynamically linked modules share one. */
typedef struct fake_code {
  unsigned references;
  cl_program program;
  bool keeps_functions; /* exported functions other than kernels have addresses */
} fake_code;

void fake_code_release(fake_code *code);

typedef enum fake_build_result {
  FAKE_BUILD_DONE,
  FAKE_BUILD_UNRESOLVED, /* an import is missing */
  FAKE_BUILD_FAILED,
} fake_build_result;

/*
 * Compiles all inputs of the sources and links them. Call it between fake_cl_enter and
 * fake_cl_leave. Sets *ret on success. OpenCL's messages go into log.
 */
fake_build_result fake_build(fake_source *const *sources, size_t count, fake_code **ret,
                             fake_text *log);

/* A module's variable whose address was queried. */
typedef struct fake_variable {
  struct fake_variable *next;
  char *name;
  fake_memory *memory;
} fake_variable;

typedef struct fake_module {
  fake_object head;
  fake_device *device;
  fake_source *source;
  fake_code *code; /* NULL while an import is missing */
  bool imports;    /* the module imports something from other modules */
  unsigned kernels;
  fake_variable *variables;
} fake_module;

/* Finds a kernel in the module's inputs; NULL if there is none. */
const fake_entry *fake_module_entry(const fake_module *module, const char *name);
/* Finds a symbol that an input exports; NULL if there is none. */
const fake_symbol *fake_source_export(const fake_source *source, const char *name);
/*
 * Returns whether a symbol is an import that none of the source's inputs exports. Names of OpenCL's
 * built-in functions are imports, too.
 */
bool fake_source_imports(const fake_source *source, const fake_symbol *symbol);

#endif

/* Helpers of the interpreter's tests: they load texts and launch entries. */
#ifndef SPECPI_TEST_PTX_CHECK_H
#define SPECPI_TEST_PTX_CHECK_H

#include "memory.h"

#include "../../../test/support/tests.h"

/* The start of every PTX text. */
#define PTX_HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"

/* A program from one or several texts, with its memory. */
typedef struct subject {
  device_memory memory;
  ptx_program *program;
  ptx_hooks hooks; /* the hook memory is set; tests may set others */
  ptx_log log;
} subject;

/* Parses and links texts, and places the variables. Fails the test on errors. */
void subject_load(subject *subject, const char *const *texts, size_t count);
void subject_load_one(subject *subject, const char *text);
void subject_free(subject *subject);

/* Launches an entry, whose arguments have 64 bits each. */
ptx_status subject_run(subject *subject, const char *entry, uint32_t blocks, uint32_t threads,
                       uint32_t dynamic, const uint64_t *arguments, size_t count);

/* Allocates global memory for kernels. */
void *subject_memory(subject *subject, size_t size);

#define ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))

#endif

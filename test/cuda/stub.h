/*
 * A driver of a few functions in the place of the loaded one (cu): it runs nothing, but keeps what
 * it is given, so that a test sees the very bytes, and fails whichever call it is told to. The test
 * driver of fakes/cuda runs code; this one shows what the plugin asks for.
 */
#ifndef SPECPI_TEST_CUDA_STUB_H
#define SPECPI_TEST_CUDA_STUB_H

#include "../../plugins/cuda/kernel.h"

#include "../unit/check.h"

enum { STUB_TEXT_MAX = 8192, STUB_MEMORY_MAX = 2048, STUB_INPUTS_MAX = 8 };

typedef struct stub_state {
  /* What was given to cuModuleLoadDataEx the last time, up to its zero byte. */
  char text[STUB_TEXT_MAX];
  /* Inputs of the latest link. */
  char inputs[STUB_INPUTS_MAX][STUB_TEXT_MAX];
  CUjitInputType input_types[STUB_INPUTS_MAX];
  unsigned input_count;
  /* What cuMemcpyHtoDAsync copied the last time, and where to. */
  unsigned char copied[STUB_MEMORY_MAX];
  size_t copied_size;
  CUdeviceptr copied_to;
  /* Calls since stub_start. */
  unsigned loads, links, copies, allocations, syncs, occupancies, set_attributes;
  /* What exists now. */
  int modules, memory, open_links;
  /* Options of the latest load or link: -1 where they were not given. */
  long level, registers, line_info, debug_info, verbose;
  /* What functions have. */
  int max_threads, static_shared;
  CUresult set_attribute_code; /* the answer of cuFuncSetAttribute */
  int set_dynamic;             /* its latest value */
  int preferred;               /* of cuOccupancyMaxPotentialBlockSize */
  /* What the driver says of code, and its answer. */
  const char *log;
  CUresult load_code, link_code;
  /* The nth call from now on (1 is the next) fails with out of memory; 0: none. */
  unsigned fail;
  bool failed;
  bool ignorable; /* the call that failed: on the way of a release its failure changes nothing */
} stub_state;

extern stub_state stub;

/* The only context, with a device of sm_90 and its limits. */
extern struct pi_context_object stub_context;

/* Puts the stub into cu and empties its state. For the setup of each test. */
int stub_start(void **state);

/* Nothing of the driver's exists any more, and nobody holds the context. For the teardown. */
int stub_end(void **state);

/*
 * A PTX image: text, lines of a trailer (but for the last), and the last; without lines the text
 * alone, without a zero byte behind it. Freed by the caller.
 */
char *stub_image(const char *text, const char *lines, size_t *size);

/* A program of such an image. */
pi_program stub_program(const char *text, const char *lines);

/* That, built. */
pi_program stub_built(const char *text, const char *lines);

pi_kernel stub_kernel(pi_program program, const char *name);

#endif

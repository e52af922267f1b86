/*
 * A driver of a few functions in place of the loaded one (cu). It runs nothing, but records the
 * exact bytes that it is passed, and fails any call on demand. The fake driver of fakes/cuda runs
 * code; the stub shows what the plugin passes to the driver.
 */
#ifndef SPECPI_TEST_CUDA_STUB_H
#define SPECPI_TEST_CUDA_STUB_H

#include "../../plugins/cuda/kernel.h"

#include "../unit/check.h"

enum { STUB_TEXT_MAX = 8192, STUB_MEMORY_MAX = 2048, STUB_INPUTS_MAX = 8 };

typedef struct stub_state {
  /* The latest input of cuModuleLoadDataEx, up to its zero byte. */
  char text[STUB_TEXT_MAX];
  /* Inputs of the latest link. */
  char inputs[STUB_INPUTS_MAX][STUB_TEXT_MAX];
  CUjitInputType input_types[STUB_INPUTS_MAX];
  unsigned input_count;
  /* The bytes that cuMemcpyHtoDAsync copied last, and their destination. */
  unsigned char copied[STUB_MEMORY_MAX];
  size_t copied_size;
  CUdeviceptr copied_to;
  /* Calls since stub_start. */
  unsigned loads, links, copies, allocations, syncs, occupancies, set_attributes;
  /* Objects that exist now. */
  int modules, memory, open_links;
  /* Options of the latest load or link; -1 where an option is missing. */
  long level, registers, line_info, debug_info, verbose;
  /* The functions' properties. */
  int max_threads, static_shared;
  CUresult set_attribute_code; /* the status that cuFuncSetAttribute returns */
  int set_dynamic;             /* its latest value */
  int preferred;               /* block size from cuOccupancyMaxPotentialBlockSize */
  /* The log and the status that the driver returns for code. */
  const char *log;
  CUresult load_code, link_code;
  /* The nth call from now on (1 is the next) fails with out of memory; 0: no call does. */
  unsigned fail;
  bool failed;
  bool ignorable; /* the failed call releases something, so its failure changes nothing */
} stub_state;

extern stub_state stub;

/* The only context, of one device of sm_90 with its limits. */
extern struct pi_context_object stub_context;

/* Puts the stub into cu and resets its state. For the setup of each test. */
int stub_start(void **state);

/* Checks that no object of the driver is left and nobody holds the context. For the teardown. */
int stub_end(void **state);

/*
 * Returns a PTX image, which the caller frees: the text, the trailer's lines, and the trailer's
 * last line, which the function adds. Without lines the image is the text, with no zero byte.
 */
char *stub_image(const char *text, const char *lines, size_t *size);

/* Creates a program of such an image; stub_built also builds it. */
pi_program stub_program(const char *text, const char *lines);

pi_program stub_built(const char *text, const char *lines);

pi_kernel stub_kernel(pi_program program, const char *name);

#endif

/* Shared parts of the tests of specpi-codegen: modules read from files, and their builds. */
#ifndef SPECPI_TEST_CODEGEN_WORLD_H
#define SPECPI_TEST_CODEGEN_WORLD_H

#include "../../plugins/base/read.h"
#include "../../plugins/code/codegen.h"
#include "../unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a module from the tests' directory; the caller frees the bytes. */
static inline unsigned char *read_module(const char *name, size_t *size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", CODEGEN_MODULES, name);
  char *bytes = read_file(path, size);
  assert_non_null(bytes);
  return (unsigned char *)bytes;
}

static inline codegen *make_generators(const char *program, pi_uint32 limit_ms) {
  codegen *made;
  assert_success(codegen_create(program, limit_ms, &made));
  return made;
}

/* Returns a request with the usual settings. */
static inline codegen_request request_of(const void *module, size_t size) {
  return (codegen_request){.module = module, .size = size, .gpu = "sm_80", .optimization = 2};
}

/* Builds a module, which must succeed, and returns its PTX; the caller frees the text. */
static inline char *build_module(codegen *generators, codegen_request request) {
  codegen_answer answer;
  if (codegen_build(generators, &request, &answer) != PI_SUCCESS) {
    const char *message;
    plugin_error_last(&message);
    fail_msg("%s", message);
  }
  assert_int_equal(answer.size, strlen(answer.ptx));
  free(answer.log);
  return answer.ptx;
}

#endif

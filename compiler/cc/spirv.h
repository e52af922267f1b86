/* SPIR-V modules: whether they are valid, and what a device image needs to know of one. */
#ifndef SPECPI_CC_SPIRV_H
#define SPECPI_CC_SPIRV_H

#include "cc.h"

#include <stdint.h>

/* A specialization constant of a module: a scalar with an id that hosts set it by. */
typedef struct spirv_constant {
  char *name; /* what OpName calls it, or "spec_<id>" */
  uint32_t id;
  uint32_t size;          /* 1, 2, 4 or 8 bytes */
  unsigned char value[8]; /* its default */
} spirv_constant;

typedef struct spirv_module {
  char **kernels;
  size_t kernel_count;
  spirv_constant *constants; /* by ascending id */
  size_t constant_count;
} spirv_module;

/* Returns whether spirv-val finds the module valid; an error that begins with file if not. */
bool spirv_validate(const char *file, const void *data, size_t size);

/*
 * Returns whether a valid module needs no capability that kernels cannot have; an error that begins
 * with file if it does: every device would refuse its build.
 */
bool spirv_capabilities(const char *file, const void *data, size_t size);

/*
 * Reads a valid module. Each SpecId is one constant, whatever number of instructions have it.
 * Its name is "spec_<id>" where OpName gives none, an empty one, one that several constants
 * have, one that begins with "spec_", or one that a .prop file cannot have. false after an error.
 */
bool spirv_read(const char *file, const void *data, size_t size, spirv_module *ret);
void spirv_free(spirv_module *module);

#endif

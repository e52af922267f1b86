/* Kernels of the fake Level Zero driver, and their launches. */
#ifndef SPECPI_TEST_FAKE_ZE_KERNEL_H
#define SPECPI_TEST_FAKE_ZE_KERNEL_H

#include "module.h"

/* Maximum of work-items per work-group, also in each dimension, and of bytes of local memory. */
enum { FAKE_GROUP_MAX = 1024, FAKE_LOCAL_MAX = 32 << 10 };

/* OpenCL's properties of a kernel. */
typedef struct fake_kernel_facts {
  size_t required_group[3];  /* 0s if none is required */
  size_t required_sub_group; /* 0 if none is required */
  size_t required_sub_groups;
  size_t largest_sub_group, most_sub_groups; /* for the largest work-group */
  size_t multiple;                           /* preferred multiple of work-group sizes */
  cl_ulong local_memory, private_memory;
  char *attributes; /* from the source */
} fake_kernel_facts;

typedef struct fake_kernel_argument {
  bool set;
  void *bytes; /* the value, address or handle; NULL for a null value, or local memory */
  size_t size;
} fake_kernel_argument;

typedef struct fake_kernel {
  fake_object head;
  fake_module *module;
  fake_code *code; /* a reference */
  const fake_entry *entry;
  cl_kernel kernel;
  fake_kernel_facts facts;
  fake_kernel_argument *arguments; /* one for each argument of the entry */
  uint32_t group[3];               /* 0s if not set yet */
  uint32_t offset[3];
  ze_kernel_flags_t flags;
  ze_kernel_indirect_access_flags_t indirect;
} fake_kernel;

/*
 * Finds a handle's kernel, for a function that Level Zero allows in one thread at a time per
 * kernel. The caller must have called fake_alone_begin(handle).
 */
ze_result_t fake_kernel_find(ze_kernel_handle_t handle, const char *function, fake_kernel **ret);

/* Computes how many work-groups of the kernel's size run at once. */
ze_result_t fake_kernel_most_groups(ze_kernel_handle_t handle, const char *function, uint32_t *ret);

#endif

/* Kernels of the fake Level Zero driver, and their launches. */
#ifndef SPECPI_TEST_FAKE_ZE_KERNEL_H
#define SPECPI_TEST_FAKE_ZE_KERNEL_H

#include "module.h"

/* Work-items of a group, in all and in each dimension; bytes of its local memory. */
enum { FAKE_GROUP_MAX = 1024, FAKE_LOCAL_MAX = 32 << 10 };

/* OpenCL's properties of a kernel. */
typedef struct fake_kernel_facts {
  size_t required_group[3];  /* 0s without any */
  size_t required_sub_group; /* 0: none is required */
  size_t required_sub_groups;
  size_t largest_sub_group, most_sub_groups; /* for the largest group */
  size_t multiple;                           /* of it groups had better be */
  cl_ulong local_memory, private_memory;
  char *attributes; /* of the source */
} fake_kernel_facts;

typedef struct fake_kernel_argument {
  bool set;
  void *bytes; /* the value, address or handle; NULL: nothing of the argument's size, or local */
  size_t size;
} fake_kernel_argument;

typedef struct fake_kernel {
  fake_object head;
  fake_module *module;
  fake_code *code; /* a reference */
  const fake_entry *entry;
  cl_kernel kernel;
  fake_kernel_facts facts;
  fake_kernel_argument *arguments; /* of the entry */
  uint32_t group[3];               /* 0s: not set yet */
  uint32_t offset[3];
  ze_kernel_flags_t flags;
  ze_kernel_indirect_access_flags_t indirect;
} fake_kernel;

/*
 * The kernel after a handle, for a function that Level Zero allows in one thread at a time for
 * each kernel. Reads the result of fake_alone_begin(handle).
 */
ze_result_t fake_kernel_find(ze_kernel_handle_t handle, const char *function, fake_kernel **ret);

/* The number of groups of the kernel's size that run at once. */
ze_result_t fake_kernel_most_groups(ze_kernel_handle_t handle, const char *function, uint32_t *ret);

#endif

/* Kernels and parameters that code declares, read without a driver. */
#ifndef CODE_CODE_INFO_H
#define CODE_CODE_INFO_H

#include "ptx_image.h"

#include <stdatomic.h>

/* A number of parameters that the code does not state. */
#define CODE_UNKNOWN UINT32_MAX

/* A parameter of a kernel, in bytes of the block of all parameters. */
typedef struct code_parameter {
  pi_uint32 offset, size;
} code_parameter;

/* A parameter's declaration in PTX text: `.param .u64 .ptr .global`; names are constants. */
typedef struct code_declaration {
  const char *type;  /* "u64"; for an array that of an element, "b8" */
  const char *space; /* "global", where .ptr says to which memory the parameter points; or NULL */
  pi_uint32 count;   /* elements of an array; 0 for others */
} code_declaration;

typedef struct code_kernel {
  char *name;
  pi_uint32 required[3];     /* work-items of a work-group; 0 0 0 when any size will do */
  pi_uint32 sub_group;       /* required work-items of a sub-group; 0: those of a warp */
  pi_uint32 local_memory;    /* bytes of variables at the start of its dynamic shared memory */
  pi_uint32 buffer_argument; /* index of the pointer to a block of values, or PTX_NONE */
  size_t values_at;          /* start of that block among all values of the program */
  pi_uint32 parameter_count; /* or CODE_UNKNOWN */
  code_parameter *parameters;
  code_declaration *declarations; /* as many; NULL where no PTX was read */
} code_kernel;

/*
 * The kernels of a program; by name once code_sort was called. Programs and their builds share one
 * list, which does not change any more once the program exists.
 */
typedef struct code_info {
  atomic_uint references;
  code_kernel *kernels;
  size_t count, capacity;
} code_info;

/* An empty list with one reference; NULL without memory. */
code_info *code_new(void);

static inline void code_retain(code_info *info) {
  atomic_fetch_add_explicit(&info->references, 1, memory_order_relaxed);
}

/* NULL is fine. */
void code_release(code_info *info);

/*
 * Adds a kernel with nothing but its name, which is copied. *ret points into the list, until the
 * next one is added. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_add_kernel(code_info *info, const char *name, size_t length, code_kernel **ret);

/* Adds a copy of a kernel. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_copy_kernel(code_info *info, const code_kernel *kernel);

/* Allocates count parameters, of size and offset 0. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_set_parameter_count(code_kernel *kernel, pi_uint32 count);

void code_sort(code_info *info);

/* Finds a kernel by name, after code_sort; NULL when there is none. */
code_kernel *code_find(const code_info *info, const char *name);

/* Returns whether a launch of another kernel with an offset runs this one. */
bool code_is_offset_variant(const code_info *info, const code_kernel *kernel);

/*
 * Completes a sorted list by another one, which is sorted too: adds missing kernels, and parameters
 * and required sizes that kernels lack. The result is sorted. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_merge(code_info *info, const code_info *more);

/* Writes the name of kernel's entry for an offset into size bytes; false if it is too long. */
bool code_offset_variant(const char *kernel, char *ret, size_t size);

/*
 * Puts a list into a frame, and takes it out again, with one reference: names, parameters, required
 * sizes, arguments for buffers. PI_ERROR_INVALID_BINARY: there is none, or it is damaged;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
struct codegen_frame;
struct codegen_fields;
void code_info_put(const code_info *info, struct codegen_frame *to);
pi_result code_info_take(struct codegen_fields *from, code_info **ret);

/*
 * Adds the kernels that a PTX text declares, with parameters and required sizes. Text that is not
 * PTX yields none, or others than a compiler would see, but never a failure.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result ptx_read_kernels(const char *text, size_t size, code_info *info);

/* Returns whether PTX text declares constant memory, or variables that outlive a launch. */
bool ptx_declares_variables(const char *text, size_t size);

/*
 * Checks that all parts of an ELF file lie inside of it, because a driver is given no size.
 * PI_ERROR_INVALID_BINARY with a message.
 */
pi_result cubin_check(const unsigned char *bytes, size_t size);

/* Returns whether a checked cubin is linked, so that it cannot be an input of a link. */
bool cubin_is_linked(const unsigned char *bytes);

/*
 * Adds the kernels of a checked cubin, with parameters and required sizes as far as it has them.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_read_kernels(const unsigned char *bytes, size_t size, code_info *info);

/* Completes a sorted list by the kernels of a checked cubin, as code_merge. */
pi_result cubin_merge_kernels(const unsigned char *bytes, size_t size, code_info *info);

#endif

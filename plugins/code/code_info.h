/* The kernels of a program and their parameters, read from its code without a driver. */
#ifndef CODE_CODE_INFO_H
#define CODE_CODE_INFO_H

#include "ptx_image.h"

#include <stdatomic.h>

/* Parameter count of a kernel whose code does not state it. */
#define CODE_UNKNOWN UINT32_MAX

/* A kernel parameter: its position in the block of all parameters, in bytes. */
typedef struct code_parameter {
  pi_uint32 offset, size;
} code_parameter;

/*
 * A parameter's declaration in PTX, such as `.param .u64 .ptr .global`. The strings are static.
 */
typedef struct code_declaration {
  const char *type;  /* "u64"; for an array the type of its elements, such as "b8" */
  const char *space; /* "global": state space given after .ptr; NULL if none is given */
  pi_uint32 count;   /* elements, if it is an array; else 0 */
} code_declaration;

typedef struct code_kernel {
  char *name;
  pi_uint32 required[3];     /* required work-group size; 0 0 0: any size */
  pi_uint32 sub_group;       /* required sub-group size; 0: a warp's */
  pi_uint32 local_memory;    /* bytes of variables at the start of its dynamic shared memory */
  pi_uint32 buffer_argument; /* index of the parameter that points to its constants; or PTX_NONE */
  size_t values_at;          /* start of its block of constants among all values of the program */
  pi_uint32 parameter_count; /* or CODE_UNKNOWN */
  code_parameter *parameters;
  code_declaration *declarations; /* parameter_count of them; NULL: not read from PTX */
} code_kernel;

/*
 * The kernels of a program, ordered by name after code_sort. A program and its builds share one
 * list, which no longer changes once the program exists.
 */
typedef struct code_info {
  atomic_uint references;
  code_kernel *kernels;
  size_t count, capacity;
} code_info;

/* Returns an empty list with one reference; NULL if memory runs out. */
code_info *code_new(void);

static inline void code_retain(code_info *info) {
  atomic_fetch_add_explicit(&info->references, 1, memory_order_relaxed);
}

/* info may be NULL. */
void code_release(code_info *info);

/*
 * Adds a kernel of which only the name is set, and copies the name. *ret points into the list, and
 * is valid until the next kernel is added. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_add_kernel(code_info *info, const char *name, size_t length, code_kernel **ret);

/* Adds a copy of a kernel. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_copy_kernel(code_info *info, const code_kernel *kernel);

/* Allocates count parameters, of size and offset 0. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_set_parameter_count(code_kernel *kernel, pi_uint32 count);

void code_sort(code_info *info);

/* Finds a kernel by name, after code_sort; NULL when there is none. */
code_kernel *code_find(const code_info *info, const char *name);

/* Returns whether this kernel is the variant of another one for launches with an offset. */
bool code_is_offset_variant(const code_info *info, const code_kernel *kernel);

/*
 * Adds to a sorted list the kernels, parameters and required sizes that only a second sorted list
 * has. The result is sorted. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_merge(code_info *info, const code_info *more);

/*
 * Writes the name of the kernel's variant for launches with an offset into size bytes. Returns
 * false if the name is too long.
 */
bool code_offset_variant(const char *kernel, char *ret, size_t size);

/*
 * Write a list into a frame, and read it back as a list with one reference: names, parameters,
 * required sizes and buffer arguments. PI_ERROR_INVALID_BINARY: the fields are no list, or a
 * damaged one. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
struct codegen_frame;
struct codegen_fields;
void code_info_put(const code_info *info, struct codegen_frame *to);
pi_result code_info_take(struct codegen_fields *from, code_info **ret);

/*
 * Adds the kernels of a PTX text, with parameters and required sizes. Text that is not valid PTX
 * is no error; its kernels may be missing or wrong. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result ptx_read_kernels(const char *text, size_t size, code_info *info);

/* Returns whether PTX text declares variables in global or constant memory. */
bool ptx_declares_variables(const char *text, size_t size);

/*
 * Checks that all parts of an ELF file lie inside the file, because a driver receives no size and
 * would read past the end. PI_ERROR_INVALID_BINARY with a message.
 */
pi_result cubin_check(const unsigned char *bytes, size_t size);

/* Returns whether a checked cubin is linked already and cannot be linked again. */
bool cubin_is_linked(const unsigned char *bytes);

/*
 * Adds the kernels of a checked cubin, with the parameters and required sizes that it states.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_read_kernels(const unsigned char *bytes, size_t size, code_info *info);

/* Adds the kernels of a checked cubin to a sorted list by code_merge. */
pi_result cubin_merge_kernels(const unsigned char *bytes, size_t size, code_info *info);

#endif

/*
 * The side table of programs from IL: it maps a cl_program to state that OpenCL does not keep (see
 * program.h). Only the program*.c files use it.
 *
 * Lifetime. An entry lives from a program's creation through PI to its last release through PI. The
 * entry counts PI's references itself, because the driver's count includes the kernels on some
 * drivers. An application that has the native handle may release the last reference with
 * clReleaseProgram, which the plugin does not see. So once a native handle was returned, the plugin
 * checks the driver's count as well. An entry that has become stale nevertheless is replaced when
 * the driver makes another program with the same address.
 */
#ifndef OPENCL_PROGRAM_TABLE_H
#define OPENCL_PROGRAM_TABLE_H

#include "program.h"

#include "../code/constants.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct opencl_program {
  cl_program handle; /* the pi_program, which is the key */
  void *il;          /* copy of the IL for the driver, see spirv_copy */
  size_t il_length;
  code_constants *constants;
  bool can_set; /* the platform has clSetProgramSpecializationConstant */

  atomic_uint references;   /* references of PI */
  atomic_bool native_known; /* the application has or had the native handle */
  /* The cl_program of the latest build, with one reference; NULL if that is handle. Changed and
   * retained under the table's lock. */
  _Atomic(cl_program) active;

  pthread_mutex_t build_lock; /* held for a whole compilation or build */
  /* handle was compiled or built, so the next build needs a new cl_program. Guarded by
   * build_lock. */
  bool built;
} opencl_program;

/*
 * Returns the active cl_program of an entry. It stays valid as long as nobody builds the program;
 * opencl_program_hold keeps it valid in any case.
 */
static inline cl_program opencl_program_active(const opencl_program *program) {
  const cl_program active = atomic_load(&program->active);
  return active ? active : program->handle;
}

/*
 * Creates a cl_program from IL, with core OpenCL or cl_khr_il_program. The caller gets its
 * reference. PI_ERROR_INVALID_OPERATION: the platform has neither, or no device takes IL. Other
 * errors as clCreateProgramWithIL. In program.c.
 */
pi_result opencl_program_create_with_il(cl_context context, const void *il, size_t length,
                                        cl_program *ret);

/* Returns the devices of a cl_program in an array that the caller frees with free. In program.c. */
pi_result opencl_program_devices(cl_program program, cl_device_id **ret, size_t *count);

/*
 * Makes an entry with a copy of the IL. The caller frees it with opencl_program_free, unless it
 * puts the entry into the table. Errors as code_constants_read.
 */
pi_result opencl_program_new(const void *il, size_t length, opencl_program **ret);

/* Frees an entry that is not in the table; program may be NULL. */
void opencl_program_free(opencl_program *program);

/*
 * Puts a new entry for handle into the table, with one reference. Frees an older entry of the same
 * address, which is stale. PI_ERROR_OUT_OF_HOST_MEMORY: the entry still belongs to the caller.
 */
pi_result opencl_program_add(opencl_program *program, cl_program handle);

/*
 * Frees the entry of a cl_program that was just created and has no state. Such an entry is a stale
 * one of an earlier program with this address.
 */
void opencl_program_forget(cl_program handle);

/* Returns the entry of a program, or NULL if it has none. The entry stays valid as long as the
 * caller has a PI reference. */
opencl_program *opencl_program_find(cl_program handle);

/*
 * Takes a PI reference of the existing entry of a native cl_program, and returns the entry. Returns
 * NULL if there is none, or if the entry has another IL.
 */
opencl_program *opencl_program_share(cl_program handle, const void *il, size_t length);

/* Counts a new PI reference, if the program has an entry. */
void opencl_program_count_retain(cl_program handle);

/* Calls clReleaseProgram; frees the entry with the last reference. */
pi_result opencl_program_release(cl_program handle);

/*
 * Makes active the entry's active cl_program, and takes over its reference from the caller.
 * PI_ERROR_OUT_OF_HOST_MEMORY: the former one stays, and the caller keeps the reference.
 */
pi_result opencl_program_set_active(opencl_program *program, cl_program active);

#endif

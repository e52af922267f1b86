/*
 * The side table of programs from IL: cl_program -> state that OpenCL does not keep. Only the
 * program*.c files know it; see program.h for the idea.
 *
 * Lifetime. An entry lives from a creation through PI to the last release through PI, both counted
 * here. The driver's own count is no measure: with some drivers it includes the kernels. But an
 * application that got the native handle may give up the last reference with clReleaseProgram,
 * unseen. So once a native handle was returned, the driver's count is checked as well, and an entry
 * that still got stale is replaced when the driver makes another program with the same address.
 */
#ifndef OPENCL_PROGRAM_TABLE_H
#define OPENCL_PROGRAM_TABLE_H

#include "program.h"

#include "../code/constants.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct opencl_program {
  cl_program handle; /* the pi_program, the key */
  void *il;          /* in the form for the driver */
  size_t il_length;
  code_constants *constants;
  bool can_set; /* the platform has clSetProgramSpecializationConstant */

  atomic_uint references;   /* taken through PI */
  atomic_bool native_known; /* the cl_program is or was in the application's hands */
  /* The cl_program of the latest build, with one reference, when it is not handle; otherwise
   * NULL. Changed and taken with the table's lock. */
  _Atomic(cl_program) active;

  pthread_mutex_t build_lock; /* held for a whole compilation or build */
  /* True once handle was compiled or built, so that the next time needs a new cl_program. Under
   * build_lock. */
  bool built;
} opencl_program;

/*
 * The active cl_program of an entry. It stays valid while the caller keeps others from building
 * the program; opencl_program_hold needs no such care.
 */
static inline cl_program opencl_program_active(const opencl_program *program) {
  const cl_program active = atomic_load(&program->active);
  return active ? active : program->handle;
}

/*
 * Creates a cl_program from IL, by core OpenCL or cl_khr_il_program. The reference is the
 * caller's. PI_ERROR_INVALID_OPERATION: the platform has neither, or no device takes IL;
 * others as clCreateProgramWithIL. In program.c.
 */
pi_result opencl_program_create_with_il(cl_context context, const void *il, size_t length,
                                        cl_program *ret);

/* The devices of a cl_program in an array that the caller frees with free. In program.c. */
pi_result opencl_program_devices(cl_program program, cl_device_id **ret, size_t *count);

/*
 * Makes an entry from IL, which it copies; *ret is not in the table yet and is freed with
 * opencl_program_free until it is. Errors as code_constants_read.
 */
pi_result opencl_program_new(const void *il, size_t length, opencl_program **ret);

/* Frees an entry that is not in the table; NULL is fine. */
void opencl_program_free(opencl_program *program);

/*
 * Puts a new entry into the table as that of handle, with one reference. An entry that the
 * address already had is stale and goes. PI_ERROR_OUT_OF_HOST_MEMORY: the entry is the
 * caller's still.
 */
pi_result opencl_program_add(opencl_program *program, cl_program handle);

/*
 * Drops the entry of a cl_program that was just created without one: it is what an earlier
 * program with this address left.
 */
void opencl_program_forget(cl_program handle);

/* The entry of a program; NULL when it has none. Valid while the caller has a reference. */
opencl_program *opencl_program_find(cl_program handle);

/*
 * Takes one PI reference in the existing entry of a native cl_program; NULL, and nothing
 * taken, when there is none or its IL is another one.
 */
opencl_program *opencl_program_share(cl_program handle, const void *il, size_t length);

/* Counts a reference taken through PI. */
void opencl_program_count_retain(cl_program handle);

/* clReleaseProgram of handle; the entry goes with the last reference. */
pi_result opencl_program_release(cl_program handle);

/*
 * Makes active, whose one reference passes to the entry, the entry's active cl_program.
 * PI_ERROR_OUT_OF_HOST_MEMORY: the former one stays, the reference is the caller's still.
 */
pi_result opencl_program_set_active(opencl_program *program, cl_program active);

#endif

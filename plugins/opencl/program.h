/*
 * State of a program that OpenCL does not keep: its IL, the values of its specialization constants,
 * and the cl_program of its latest build.
 *
 * A pi_program is the cl_program that was created. Intel's CPU runtime accepts a constant after a
 * build, but then builds the same cl_program with the old value. So each further build of a program
 * from IL makes a new cl_program from the IL, called the active one. The pi_program stays the same
 * handle; kernels made earlier keep their cl_program. Programs from source or binaries and linked
 * programs have no state here; their pi_program is always the active cl_program.
 */
#ifndef OPENCL_PROGRAM_H
#define OPENCL_PROGRAM_H

#include "opencl.h"

#include "../checks/program_arguments.h"

/*
 * Returns the active cl_program, which answers queries about kernels, global variables and
 * functions. It stays valid, whatever other threads build, until opencl_program_yield with the same
 * two programs. Thread safe; takes no lock unless the program was built twice. Errors as
 * clRetainProgram.
 */
pi_result opencl_program_hold(pi_program program, cl_program *ret);
void opencl_program_yield(pi_program program, cl_program active);

/* The devices of a context, from opencl_context_devices, for checks of device lists. */
typedef struct opencl_device_list {
  cl_device_id *devices;
  size_t count;
} opencl_device_list;

/* Returns a view of list, which must stay valid as long as the result is used. */
device_array opencl_devices_in(const opencl_device_list *list);

/*
 * Checks that a cl_program is built. Intel's CPU runtime crashes on a query of the kernels of a
 * program from a binary that was not built. PI_ERROR_INVALID_PROGRAM_EXECUTABLE.
 */
pi_result opencl_program_check_built(cl_program program);

/*
 * Returns the pi_program whose active cl_program this is, without a reference. Returns program
 * itself if it is a pi_program, or belongs to a build that is neither the first nor the latest.
 * Thread safe.
 */
pi_program opencl_program_owner(cl_program program);

#endif

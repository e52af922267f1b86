/*
 * State of a program that OpenCL does not keep: its IL, the values of its specialization constants,
 * and which cl_program its latest build made.
 *
 * A pi_program is the cl_program that was created. Intel's CPU runtime accepts a constant after a
 * build, but then builds the same cl_program with the old value. So each further build of a program
 * from IL makes a new cl_program from the IL: the active one. The pi_program stays the same handle;
 * kernels made earlier keep their own cl_program. Programs from source or binaries, and linked
 * ones, have no state here and are always their own active cl_program.
 */
#ifndef OPENCL_PROGRAM_H
#define OPENCL_PROGRAM_H

#include "opencl.h"

#include "../checks/program_arguments.h"

/*
 * The cl_program with the latest build of program: what to ask about kernels, global
 * variables and functions. It stays valid, whatever other threads build, until
 * opencl_program_yield with the same two. Thread safe; takes no lock unless the program was
 * built twice. Errors as clRetainProgram.
 */
pi_result opencl_program_hold(pi_program program, cl_program *ret);
void opencl_program_yield(pi_program program, cl_program active);

/* The devices of a context, as opencl_context_devices gives them, for the checks of lists. */
typedef struct opencl_device_list {
  cl_device_id *devices;
  size_t count;
} opencl_device_list;

/* list stays while the result is used. */
device_array opencl_devices_in(const opencl_device_list *list);

/*
 * Checks that a cl_program has code to run: Intel's CPU runtime crashes when it is asked for the
 * kernels of one from a binary that was not built. PI_ERROR_INVALID_PROGRAM_EXECUTABLE.
 */
pi_result opencl_program_check_built(cl_program program);

/*
 * The pi_program whose active cl_program this is; program itself when it is nobody's: its
 * own, or that of a build which is neither the first nor the latest. The answer carries no
 * reference. Thread safe.
 */
pi_program opencl_program_owner(cl_program program);

#endif

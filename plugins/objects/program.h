/*
 * Programs: their code, the values of their constants, and their builds.
 *
 * A program's code never changes. The values and the result of the latest build do, under locks;
 * each build works on a copy of the values.
 */
#ifndef OBJECTS_PROGRAM_H
#define OBJECTS_PROGRAM_H

#include "../base/info.h"
#include "../checks/program_arguments.h"
#include "../code/program_code.h"
#include "build.h"

#include <pthread.h>

struct pi_program_object {
  object_head handle;
  registry_link noted;
  pi_context context; /* a reference */
  program_code code;
  program_build *loaded;              /* of native code: the build that all builds share */
  pthread_mutex_t build_lock;         /* held while building, one build at a time */
  pthread_mutex_t lock;               /* guards the rest; never held across a call of the driver */
  program_build *build;               /* latest build; NULL before it, or if it failed */
  struct driver_compilation compiled; /* of the latest build or compilation */
  bool *asked;                        /* by context_root: the latest build was for the device */
  bool takes_wide_values; /* values of arguments may have excess bytes, as in Level Zero */
  pi_program_build_status status;
  pi_program_binary_type type;
  char *options; /* NULL is "" */
  char *log;     /* NULL is "" */
};

/*
 * Reads a new program's code in one of the driver's forms. Fails with refused if the code is in
 * another form; else errors of driver_check_code and of the form. After a failure the caller
 * releases the program, which frees the members that were set.
 */
pi_result program_read(pi_program program, const void *bytes, size_t size, pi_result refused);

/* Forms of linked programs, and of programs around the application's native modules. */
extern const code_form program_linked_form, program_module_form;

/* An empty program of a context, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result program_new(pi_context context, const code_form *form, pi_program *ret);

static inline void program_retain(pi_program program) {
  object_retain(&program->handle);
}
void program_release(pi_program program);

/*
 * Make a program from code or binaries, which they copy, as piProgramCreate and
 * piProgramCreateWithBinary; the caller has checked the lists of binaries. Errors of program_read,
 * where PI_ERROR_INVALID_VALUE means a form that the driver does not take, and of
 * driver_program_load.
 */
pi_result program_create(pi_context context, const void *code, size_t size, pi_program *ret);
pi_result program_create_with_binary(pi_context context, const binary_array *all, pi_int32 *status,
                                     pi_program *ret);

/* Requires that a build, or a kernel's build, is for the device. */
#define REQUIRE_BUILT_FOR_DEVICE(is_there)                                                         \
  REQUIRE(is_there, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,                                           \
          "the program is not built for this device of its context")

/* The devices of a program's context, for the checks of device lists. */
device_array program_devices(pi_context context);

/* Sets constants for the next build: all of them, or none after a failure. Errors as in PI. */
pi_result program_set_constants(pi_program program, const constant_setting *settings, size_t count);

/*
 * Returns the latest build, with a reference for the caller. PI_ERROR_INVALID_PROGRAM_EXECUTABLE:
 * there is none.
 */
pi_result program_hold_build(pi_program program, program_build **ret);

/*
 * The native handle of the latest build, valid while the program or a kernel keeps that build.
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: there is no build.
 */
pi_result program_native(pi_program program, pi_native_handle *ret);

/*
 * The program for a native handle. Drivers do not count references to code, so a handle from
 * program_native returns that program, with the reference that came with the handle if is_owned,
 * else with a new one. Code of the application becomes a new, built program, which destroys the
 * code at its end if is_owned. After a failure the caller still owns what it passed.
 *
 * PI_ERROR_INVALID_CONTEXT: the program is of another context of the driver.
 * PI_ERROR_INVALID_PROGRAM: the program was built again since, and has other code. Also the errors
 * of driver_build_adopt and native_find.
 */
pi_result program_adopt(pi_context context, pi_native_handle native, bool is_owned,
                        pi_program *ret);

/* The answers of piProgramGetInfo, and of piProgramGetBuildInfo for a device; answer is checked. */
pi_result program_answer(pi_program program, pi_program_info query, const info_answer *answer);
pi_result program_answer_build(pi_program program, pi_device device, pi_program_build_info query,
                               const info_answer *answer);

/* Names of kernels, joined by semicolons: text that grows. */
typedef struct kernel_names {
  char *text; /* NULL while there is none */
  size_t length, capacity;
  size_t count;
} kernel_names;

/* Adds a name. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result kernel_names_add(kernel_names *names, const char *name);

/*
 * Adds the names of the latest build's kernels. The caller frees names->text, even after a failure.
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE: there is no build.
 */
pi_result program_name_kernels(pi_program program, kernel_names *names);

/* ---- Building (program_build.c) ---- */

/* The driver's text about a build. */
typedef struct build_log {
  char *text; /* NULL: nothing */
  size_t size;
} build_log;

/* Adds a text to a log, on a line of its own; drops the text if there is no memory. */
void build_log_add(build_log *log, const char *text);

/*
 * Replaces the log of a program's latest build with text, from malloc, which the program then owns.
 * For kernels whose code a driver builds only after the program's build.
 */
void program_replace_log(pi_program program, char *text);

/* Results of a build, compilation or link, which move to the program in the end. */
typedef struct build_outcome {
  pi_result result;
  program_build *build; /* of a build or link; NULL when it failed */
  struct driver_compilation compiled;
  bool *asked;      /* by context_root: the build is for the device */
  bool is_explicit; /* the application named the devices */
  pi_program_binary_type type;
  char *options; /* as the application passed them */
  build_log log;
} build_outcome;

/* Input of a build, compilation or link, already checked. */
typedef struct build_request {
  pi_uint32 count; /* of devices; 0: all devices */
  const pi_device *devices;
  const char *options; /* or NULL */
  void (*notify)(pi_program program, void *user_data);
  void *user_data;
} build_request;

/*
 * Check that a request's devices are of a context, and that programs can be linked in a context:
 * their contexts share the driver's context and the root devices with it. PI_ERROR_INVALID_VALUE,
 * PI_ERROR_INVALID_DEVICE, PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_CONTEXT.
 */
pi_result build_check_request(pi_context context, const build_request *request);
pi_result build_check_inputs(pi_context context, pi_uint32 count, const pi_program *programs);

/*
 * As piProgramBuild and piProgramCompile. If the driver took or refused the code, this becomes the
 * program's latest build, and the callback is called. Any other failure, such as no memory, changes
 * nothing.
 */
pi_result program_make(pi_program program, const build_request *request);
pi_result program_compile(pi_program program, const build_request *request);

/* As piProgramLink. If the driver refuses the code, *ret receives a program with the log. */
pi_result program_link(pi_context context, const build_request *request, pi_uint32 count,
                       const pi_program *programs, pi_program *ret);

#endif

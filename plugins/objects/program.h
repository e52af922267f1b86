/*
 * Programs: their code, the values of their constants, and their builds.
 *
 * The code is read when a program is made and does not change. The values and the result of the
 * latest build change, under locks; each build works on a copy of the values.
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
  program_build *loaded;      /* of code that came as native code: the build that all its builds
                               * share */
  pthread_mutex_t build_lock; /* held by a build: there is one at a time */
  pthread_mutex_t lock;       /* guards the rest; never held across a call of the driver */
  program_build *build;       /* the latest one; NULL before it, and when it failed */
  struct driver_compilation compiled; /* of the latest build or compilation */
  bool *asked;                        /* by context_root: the latest one was for this device */
  bool takes_wide_values; /* arguments may be set with more bytes than they have: Level Zero's rule
                           */
  pi_program_build_status status;
  pi_program_binary_type type;
  char *options; /* NULL is "" */
  char *log;     /* NULL is "" */
};

/*
 * Reads a new program's code in one of the driver's forms. Fails with refused if it takes no such
 * code; other errors as driver_check_code, and as reading it. The parts that a failure leaves are
 * released with the program.
 */
pi_result program_read(pi_program program, const void *bytes, size_t size, pi_result refused);

/* Forms of the results of piProgramLink, and of programs around the application's modules. */
extern const code_form program_linked_form, program_module_form;

/* An empty program of a context, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result program_new(pi_context context, const code_form *form, pi_program *ret);

static inline void program_retain(pi_program program) {
  object_retain(&program->handle);
}
void program_release(pi_program program);

/*
 * A program of code, of which it keeps a copy: as piProgramCreate does, and as
 * piProgramCreateWithBinary does, whose lists are checked. Errors as program_read, with
 * PI_ERROR_INVALID_VALUE for code that the driver does not take, and driver_program_load.
 */
pi_result program_create(pi_context context, const void *code, size_t size, pi_program *ret);
pi_result program_create_with_binary(pi_context context, const binary_array *all, pi_int32 *status,
                                     pi_program *ret);

/* Checks that a build, or a kernel's, is for the device in question. */
#define REQUIRE_BUILT_FOR_DEVICE(is_there)                                                         \
  REQUIRE(is_there, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,                                           \
          "the program is not built for this device of its context")

/* The devices of a program's context, for the checks of lists. */
device_array program_devices(pi_context context);

/* piextProgramSetSpecializationConstant for all or none; the next build uses the values. */
pi_result program_set_constants(pi_program program, const constant_setting *settings, size_t count);

/*
 * The latest build with a reference for the caller; PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there
 * is none.
 */
pi_result program_hold_build(pi_program program, program_build **ret);

/*
 * The native handle of the latest build, which owns it: it ends when the program and its kernels
 * do, or are built again. PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there is none.
 */
pi_result program_native(pi_program program, pi_native_handle *ret);

/*
 * The program of a native handle. Nobody counts references of a driver's code. So a handle from a
 * program of ours comes back as that program, with the caller's reference (is_owned) or a new one.
 * Code of the application becomes a new program, built already, which ends the code if is_owned.
 * After a failure the caller has what it had.
 *
 * PI_ERROR_INVALID_CONTEXT: it is of another context of the driver. PI_ERROR_INVALID_PROGRAM: the
 * program was built again since, and has other code. Others as driver_build_adopt and native_find.
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

/* PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result kernel_names_add(kernel_names *names, const char *name);

/*
 * Adds the names of the latest build's kernels; the text is the caller's to free, also after a
 * failure. PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there is no build.
 */
pi_result program_name_kernels(pi_program program, kernel_names *names);

/* ---- Building (program_build.c) ---- */

/* The driver's text about a build. */
typedef struct build_log {
  char *text; /* NULL: nothing */
  size_t size;
} build_log;

/* Adds a text to a log, on a line of its own; without memory it is left out. */
void build_log_add(build_log *log, const char *text);

/*
 * Makes text, which is malloc's, the log of a program's latest build, for builds that are derived
 * from it later.
 */
void program_replace_log(pi_program program, char *text);

/* Results of a build, compilation or link; they become the program's in the end. */
typedef struct build_outcome {
  pi_result result;
  program_build *build; /* of a build or link; NULL when it failed */
  struct driver_compilation compiled;
  bool *asked;      /* by context_root */
  bool is_explicit; /* the application named the devices */
  pi_program_binary_type type;
  char *options; /* as given */
  build_log log;
} build_outcome;

/* Common input of building, compiling and linking; checked. */
typedef struct build_request {
  pi_uint32 count; /* of devices; 0: for all */
  const pi_device *devices;
  const char *options; /* or NULL */
  void (*notify)(pi_program program, void *user_data);
  void *user_data;
} build_request;

/*
 * Check that a request is for devices of a context, and that programs can be linked for it. Two
 * contexts can be one of the driver's. PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_DEVICE,
 * PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_CONTEXT.
 */
pi_result build_check_request(pi_context context, const build_request *request);
pi_result build_check_inputs(pi_context context, pi_uint32 count, const pi_program *programs);

/*
 * As piProgramBuild and piProgramCompile. If the code was taken or refused, the outcome becomes the
 * program's latest one, and the callback is called. After another failure, such as no memory, all
 * is as it was.
 */
pi_result program_make(pi_program program, const build_request *request);
pi_result program_compile(pi_program program, const build_request *request);

/* As piProgramLink: *ret receives the program also when the code was refused, for its log. */
pi_result program_link(pi_context context, const build_request *request, pi_uint32 count,
                       const pi_program *programs, pi_program *ret);

#endif

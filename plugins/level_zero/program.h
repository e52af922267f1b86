/*
 * Programs: the code they are made of, the values of their constants, and what a build gives.
 *
 * What the code says is read when a program is made and does not change. The values and the result
 * of the latest build change, under a lock; each build works on a copy of the values.
 */
#ifndef PI_LEVEL_ZERO_PROGRAM_H
#define PI_LEVEL_ZERO_PROGRAM_H

#include "../code/spirv_code.h"
#include "../objects/deferred_free.h"
#include "context.h"

#include "../objects/program_arguments.h"

/*
 * The result of a build: modules for each root device of the context that it was built for. Kernels
 * hold a reference, so that they keep their code when the program is built again with other values.
 */
typedef struct level_zero_build {
  deferred deferred;
  atomic_uint references;
  pi_context context;   /* a reference */
  bool is_owned;        /* the modules are destroyed with the build */
  atomic_bool is_used;  /* a command with its code or variables may be under way */
  pi_uint32 roots;      /* of the context */
  pi_uint32 parts;      /* modules of a root: several where zeModuleDynamicLink joined them */
  spirv_code **codes;   /* what tells the arguments of kernels: references */
  pi_uint32 code_count; /* 0 for native code */
  ze_module_handle_t modules[]; /* parts for each context_root; NULL: not built for that device */
} level_zero_build;

/* A build without modules; the caller fills it, and releases it. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result build_create(pi_context context, pi_uint32 parts, pi_uint32 code_count,
                       level_zero_build **ret);

static inline void build_retain(level_zero_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}

/*
 * NULL is fine. The last one destroys the modules, or has them destroyed when no command that may
 * use them is under way any more.
 */
void build_release(level_zero_build *build);

/* Tells a build that a command with its code or variables may be under way from now on. */
static inline void build_is_used(level_zero_build *build) {
  if (!atomic_load_explicit(&build->is_used, memory_order_relaxed))
    atomic_store_explicit(&build->is_used, true, memory_order_relaxed);
}

/* The modules of a root device, parts of them; the first is NULL when it was not built for it. */
static inline ze_module_handle_t *build_modules(level_zero_build *build, pi_uint32 root) {
  return build->modules + (size_t)root * build->parts;
}

typedef enum program_kind {
  PROGRAM_IL,     /* SPIR-V */
  PROGRAM_BINARY, /* the driver's native format, for some devices */
  PROGRAM_LINKED, /* by piProgramLink */
  PROGRAM_NATIVE, /* around a ze_module_handle_t of the application: no code */
} program_kind;

struct pi_program_object {
  pi_handle handle;
  pi_context context; /* a reference */
  program_kind kind;
  spirv_code *code;           /* of PROGRAM_IL: a reference */
  pi_constants *constants;    /* of PROGRAM_IL; NULL for others */
  level_zero_build *loaded;   /* of PROGRAM_BINARY: its modules, which a build makes the build */
  pthread_mutex_t build_lock; /* held by a build: there is one at a time */
  pthread_mutex_t lock;       /* of all that follows; never held across a call of the driver */
  level_zero_build *build;    /* the latest one; NULL before it, and when it failed */
  spirv_code *compiled;       /* of the latest compilation: a reference; NULL without one */
  char *compiled_flags;       /* what its options are to the driver */
  bool *asked;                /* by context_root: the latest build or compilation was for it */
  pi_program_build_status status;
  pi_program_binary_type type;
  char *options; /* NULL is "" */
  char *log;     /* NULL is "" */
};

static inline void program_retain(pi_program program) {
  pi_handle_retain(&program->handle);
}
void program_release(pi_program program);

/* An empty program of a context, with one reference. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result program_new(pi_context context, program_kind kind, pi_program *ret);

/*
 * The latest build with a reference for the caller; PI_ERROR_INVALID_PROGRAM_EXECUTABLE when there
 * is none.
 */
pi_result program_hold_build(pi_program program, level_zero_build **ret);

/*
 * The same, and its modules for a device, which is one of the program's context;
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE when it was not built for it, too.
 */
pi_result program_hold_modules(pi_program program, pi_device device, level_zero_build **ret,
                               ze_module_handle_t **modules);

/*
 * The number of devices that a program is for, and which: those of the context, or of native code
 * those that it is for.
 */
pi_uint32 program_device_count(pi_program program);
pi_device program_device(pi_program program, pi_uint32 index);

/* ---- Modules (module.c) ---- */

/* What modules are made of. */
typedef struct module_input {
  const unsigned char *bytes;
  size_t size;
  const char *flags;         /* the driver's build flags */
  const pi_constant *values; /* all constants of the module, those that are set count */
  size_t value_count;
} module_input;

/* Text that the driver has to tell of a build. */
typedef struct build_log {
  char *text; /* freed by the caller; NULL: nothing */
  size_t size;
} build_log;

/* Adds a text to a log; without memory it is left out. */
void build_log_add(build_log *log, const char *text);

/*
 * Makes the module of a root device of a context from SPIR-V, or from native code, and sees that it
 * is complete if it has to be. What the driver says of it is added to log.
 *
 * refused: the driver does not take the code, or the module is not complete;
 * PI_ERROR_INVALID_BINARY: native code that is not for the device. Others as the driver's failures.
 */
pi_result module_create(pi_context context, pi_uint32 root, ze_module_format_t format,
                        const module_input *input, bool is_complete, pi_result refused,
                        build_log *log, ze_module_handle_t *ret);

/*
 * The same from count inputs of SPIR-V without values, which are linked to one module; the platform
 * has has_module_program.
 */
pi_result module_create_linked(pi_context context, pi_uint32 root, pi_uint32 count,
                               const module_input *inputs, pi_result refused, build_log *log,
                               ze_module_handle_t *ret);

/* Resolves what modules of a root device import by what the others export. */
pi_result module_link(pi_uint32 count, ze_module_handle_t *modules, pi_result refused,
                      build_log *log);

/* ---- Options (program_options.c) ---- */

/*
 * What build options are to the driver: the text is freed by the caller. options may be NULL.
 * refused: an option that nobody knows, or a quote that does not end; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result options_to_flags(const char *options, pi_result refused, char **ret);

/* ---- What a build leaves (program_build.c, program_link.c) ---- */

/* What a build, compilation or link has to tell; becomes the program's in the end. */
typedef struct outcome {
  pi_result result;
  level_zero_build *build; /* of a build or link; NULL when it failed */
  spirv_code *compiled;    /* of a compilation */
  bool *asked;             /* by context_root */
  pi_program_binary_type type;
  char *options; /* as given */
  char *flags;   /* what they are to the driver */
  build_log log;
} outcome;

/* An outcome for some devices of a context, or all without any. Freed with outcome_free. */
pi_result outcome_create(pi_context context, pi_uint32 count, const pi_device *devices,
                         const char *options, pi_result refused, outcome **ret);
void outcome_free(outcome *it);

/* Makes it the latest outcome of a program, which takes over what it has. */
void program_publish(pi_program program, outcome *it);

/* The devices of a program's context, for the checks of lists. */
pi_devices program_devices(pi_context context);

/* A check of the arguments that building, compiling and linking share. */
pi_result program_check_callback(void (*pfn_notify)(pi_program program, void *user_data),
                                 const void *user_data);

#endif

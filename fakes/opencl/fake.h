/*
 * Declarations that the files of the fake OpenCL share. One lock guards all state. FAKE_ENTER takes
 * it for the rest of a function.
 */
#ifndef SPECPI_TEST_FAKE_H
#define SPECPI_TEST_FAKE_H

#include "fake_opencl.h"

/* X(name): functions that libspecpi or tests use, and that are not in the plugin's lists. */
#define FAKE_OTHERS(X)                                                                             \
  X(CreateProgramWithBuiltInKernels)                                                               \
  X(CreateProgramWithSource)

/* X(name): every function of core OpenCL, from the plugin's lists and FAKE_OTHERS. */
#define FAKE_CORE(X) OPENCL_REQUIRED(X) OPENCL_OPTIONAL(X) FAKE_OTHERS(X)

/* The devices' built-in kernels, separated by semicolons. */
#define FAKE_BUILT_IN_KERNELS "fake_built_in;fake_other"

typedef enum fake_call {
#define FAKE_CALL(name) FAKE_CALL_##name,
  FAKE_CORE(FAKE_CALL)
#undef FAKE_CALL
#define FAKE_CALL(name, type, symbol) FAKE_CALL_EXT_##name,
      OPENCL_EXTENSIONS(FAKE_CALL)
#undef FAKE_CALL
          FAKE_CALL_COUNT
} fake_call;

/* Takes the lock and counts the call. Returns the code with which it has to fail. */
cl_int fake_enter(fake_call call);

/* Releases the lock, then calls the callbacks that are due. */
void fake_leave(const char *guard);

/* Enters a function that is not in the plugin's lists; its calls are not counted and never fail. */
void fake_enter_uncounted(void);

#define FAKE_LOCKED __attribute__((cleanup(fake_leave), unused)) const char fake_guard = 0

/* The start of a function that returns a cl_int. */
#define FAKE_ENTER(call)                                                                           \
  const cl_int fake_injected = fake_enter(FAKE_CALL_##call);                                       \
  FAKE_LOCKED;                                                                                     \
  FAKE_REQUIRE(fake_injected == CL_SUCCESS, fake_injected)

/* The start of a function that returns an object and has an errcode_ret. */
#define FAKE_ENTER_CREATE(call)                                                                    \
  const cl_int fake_injected = fake_enter(FAKE_CALL_##call);                                       \
  FAKE_LOCKED;                                                                                     \
  FAKE_REQUIRE_CREATE(fake_injected == CL_SUCCESS, fake_injected)

#define FAKE_REQUIRE(condition, code)                                                              \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return (code);                                                                               \
  } while (0)

#define FAKE_REQUIRE_CREATE(condition, code)                                                       \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      if (errcode_ret)                                                                             \
        *errcode_ret = (code);                                                                     \
      return NULL;                                                                                 \
    }                                                                                              \
  } while (0)

#define FAKE_TRY(expression)                                                                       \
  do {                                                                                             \
    const cl_int fake_code = (expression);                                                         \
    if (fake_code != CL_SUCCESS)                                                                   \
      return fake_code;                                                                            \
  } while (0)

#define FAKE_CREATED(object)                                                                       \
  do {                                                                                             \
    if (errcode_ret)                                                                               \
      *errcode_ret = CL_SUCCESS;                                                                   \
    return (object);                                                                               \
  } while (0)

/* The head of every object. An object ends when it has neither references nor pins. */
typedef struct fake_object {
  bool used;
  fake_type type;
  cl_uint references; /* of the application */
  cl_uint pins;       /* references of other objects */
  unsigned long serial;
  union fake_slot *next_free;
} fake_object;

/* A callback of the application, for an event or for the end of a context. */
typedef struct fake_callback {
  struct fake_callback *next;
  cl_event event; /* pinned; NULL if it is for a context */
  cl_int status;  /* it is called when the event's status is at most this */
  cl_int result;
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  cl_context context;
  void(CL_CALLBACK *destructor)(cl_context, void *);
  void *user_data;
} fake_callback;

struct _cl_platform_id {
  fake_object object;
  unsigned index; /* FAKE_PLATFORM_... */
  cl_device_id device;
};

struct _cl_device_id {
  fake_object object;
  cl_platform_id platform;
  cl_device_id parent; /* NULL for a root device */
  cl_uint units;
  cl_device_partition_property partition[3];
};

struct _cl_context {
  fake_object object;
  cl_platform_id platform;
  cl_uint device_count;
  cl_device_id *devices;
  cl_context_properties *properties; /* including the final 0; NULL if there are none */
  size_t property_count;
  fake_callback *destructors; /* the last registered first */
};

struct _cl_command_queue {
  fake_object object;
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties flags;
  cl_queue_properties *properties;
  size_t property_count;
};

struct _cl_mem {
  fake_object object;
  cl_context context;
  cl_mem parent;
  cl_mem_object_type type;
  cl_mem_flags flags;
  void *host_ptr; /* for CL_MEM_USE_HOST_PTR */
  unsigned char *bytes;
  bool owns_bytes;
  size_t offset; /* in the parent buffer */
  size_t size;
  cl_uint maps;
  cl_image_format format;
  cl_image_desc desc; /* with the actual pitches */
  size_t element;
};

struct _cl_sampler {
  fake_object object;
  cl_context context;
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

/* A specialization constant of a SPIR-V module. */
typedef struct fake_constant {
  cl_uint id;
  cl_uint size;
  cl_ulong value;
} fake_constant;

typedef enum fake_argument_kind {
  FAKE_ARGUMENT_VALUE,
  FAKE_ARGUMENT_MEM,
  FAKE_ARGUMENT_LOCAL,
  FAKE_ARGUMENT_IMAGE,
  FAKE_ARGUMENT_SAMPLER,
} fake_argument_kind;

enum { FAKE_ARGUMENTS_MAX = 64, FAKE_NAME_MAX = 64, FAKE_VALUE_MAX = 64 };

typedef struct fake_entry {
  char name[FAKE_NAME_MAX];
  cl_uint argument_count;
  fake_argument_kind kinds[FAKE_ARGUMENTS_MAX];
  cl_uint sizes[FAKE_ARGUMENTS_MAX]; /* of values; 0 if unknown */
} fake_entry;

/* A module with its constants' values. A linked program has several. */
typedef struct fake_part {
  unsigned char *il;
  size_t length;
  size_t constant_count;
  fake_constant *constants; /* sorted by id */
  size_t entry_count;
  fake_entry *entries;
} fake_part;

typedef enum fake_origin {
  FAKE_FROM_IL,
  FAKE_FROM_SOURCE,
  FAKE_BUILT_IN,
  FAKE_FROM_BINARY,
  FAKE_LINKED
} fake_origin;

struct _cl_program {
  fake_object object;
  cl_context context;
  fake_origin origin;
  char *source;
  size_t part_count;
  fake_part *parts;
  bool frozen; /* was compiled or built, so it ignores values that are set from now on */
  cl_build_status status;
  cl_program_binary_type binary_type;
  char *options;
  char log[128];
};

typedef struct fake_argument {
  bool set;
  size_t size;
  cl_mem mem;    /* pinned only in copies for waiting commands */
  void *pointer; /* USM */
  unsigned char value[FAKE_VALUE_MAX];
} fake_argument;

struct _cl_kernel {
  fake_object object;
  cl_program program;
  const fake_entry *entry; /* owned by the program */
  fake_argument *arguments;
};

struct _cl_event {
  fake_object object;
  cl_context context;
  cl_command_queue queue; /* NULL for a user event */
  cl_command_type type;
  cl_int status;
  cl_ulong queued;
  cl_ulong completed;
  fake_callback *callbacks;
};

typedef struct fake_usm {
  fake_object object;
  struct fake_usm *next;
  cl_context context;
  cl_device_id device; /* NULL for host memory */
  cl_unified_shared_memory_type_intel type;
  cl_mem_alloc_flags_intel flags;
  unsigned char *bytes;
  size_t size;
} fake_usm;

/* Makes a callback due: it is called and freed when the lock is released. */
void fake_due(fake_callback *callback);

/* Creates an object with one reference, zeroed after its head; NULL if memory is exhausted. */
void *fake_new(fake_type type);

/* Returns whether a pointer, which may be any, is a handle of a live object of this type. */
bool fake_is(const void *handle, fake_type type);

void fake_pin(void *object);
void fake_unpin(void *object);
/* Removes one of the application's references. */
void fake_release(void *object);

/* Release the resources of an object. Each type's function is in the type's own file. */
void fake_end_device(cl_device_id device);
void fake_end_context(cl_context context);
void fake_end_queue(cl_command_queue queue);
void fake_end_mem(cl_mem mem);
void fake_end_sampler(cl_sampler sampler);
void fake_end_program(cl_program program);
void fake_end_kernel(cl_kernel kernel);
void fake_end_event(cl_event event);
void fake_end_usm(fake_usm *usm);

/* Answer queries by OpenCL's rules. */
cl_int fake_answer(const void *bytes, size_t length, size_t size, void *value, size_t *size_ret);
#define FAKE_ANSWER(object)                                                                        \
  fake_answer(&(object), sizeof(object), param_value_size, param_value, param_value_size_ret)
#define FAKE_ANSWER_AS(type, expression)                                                           \
  fake_answer(&(type){(type)(expression)}, sizeof(type), param_value_size, param_value,            \
              param_value_size_ret)
#define FAKE_ANSWER_TEXT(text)                                                                     \
  fake_answer((text), strlen(text) + 1, param_value_size, param_value, param_value_size_ret)

/* platform.c */
/* Returns the OpenCL version of a platform, 300 for 3.0. */
unsigned fake_version(cl_platform_id platform);
/* Returns whether FAKE_OPENCL_WITHOUT contains a word. */
bool fake_is_left_out(const char *word);
/* Returns the number of work-items that a kernel's groups may have: half the device's where
 * FAKE_OPENCL_WITHOUT has "groups". */
size_t fake_group_size(void);
/* Returns whether a platform has unified shared memory. */
bool fake_has_usm(cl_platform_id platform);
void fake_platforms_init(void);
bool fake_has_device(cl_context context, cl_device_id device);

/* module.c: copies and reads IL. Returns CL_INVALID_VALUE if it is no SPIR-V module. */
cl_int fake_part_read(const void *il, size_t length, fake_part *ret);
cl_int fake_part_copy(const fake_part *part, fake_part *ret);
/* Reads the entries of a source text, which has no constants. */
cl_int fake_part_scan(const char *source, fake_part *ret);
void fake_part_free(fake_part *part);

/* usm.c: returns the context's allocation that contains ptr; NULL if there is none. */
fake_usm *fake_usm_find(cl_context context, const void *ptr);

#include "command.h"
#endif

/*
 * The parts that the files of the fake OpenCL share. Everything below is used under one lock, which
 * FAKE_ENTER takes for the rest of a function.
 */
#ifndef SPECPI_TEST_FAKE_H
#define SPECPI_TEST_FAKE_H

#include "fake_opencl.h"

/* X(name): functions that are not in the plugin's lists, and that libspecpi or tests use. */
#define FAKE_OTHERS(X)                                                                             \
  X(CreateProgramWithBuiltInKernels)                                                               \
  X(CreateProgramWithSource)

/* X(name) for every function of the core, with the plugin's own lists. */
#define FAKE_CORE(X) OPENCL_REQUIRED(X) OPENCL_OPTIONAL(X) FAKE_OTHERS(X)

/* The kernels that the devices have, with semicolons. */
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

/* Takes the lock, counts the call; the code with which it has to fail. */
cl_int fake_enter(fake_call call);

/* Gives up the lock, then calls the callbacks that have become due. */
void fake_leave(const char *guard);

/* Begins a function of which no call counts or fails: it is not one of the plugin's list. */
void fake_enter_uncounted(void);

#define FAKE_LOCKED __attribute__((cleanup(fake_leave), unused)) const char fake_guard = 0

/* At the start of a function that returns a cl_int. */
#define FAKE_ENTER(call)                                                                           \
  const cl_int fake_injected = fake_enter(FAKE_CALL_##call);                                       \
  FAKE_LOCKED;                                                                                     \
  FAKE_REQUIRE(fake_injected == CL_SUCCESS, fake_injected)

/* At the start of a function that returns an object and has an errcode_ret. */
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
  cl_uint references; /* the application's */
  cl_uint pins;       /* of other objects */
  unsigned long serial;
  union fake_slot *next_free;
} fake_object;

/* A function of the application: for an event, or for the end of a context. */
typedef struct fake_callback {
  struct fake_callback *next;
  cl_event event; /* pinned; NULL: for a context */
  cl_int status;  /* at or below which it is called */
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
  cl_device_id parent; /* NULL: a root device */
  cl_uint units;
  cl_device_partition_property partition[3];
};

struct _cl_context {
  fake_object object;
  cl_platform_id platform;
  cl_uint device_count;
  cl_device_id *devices;
  cl_context_properties *properties; /* with the 0 at the end; NULL without */
  size_t property_count;
  fake_callback *destructors; /* the latest first */
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
  void *host_ptr; /* with CL_MEM_USE_HOST_PTR */
  unsigned char *bytes;
  bool owns_bytes;
  size_t offset; /* in the parent */
  size_t size;
  cl_uint maps;
  cl_image_format format;
  cl_image_desc desc; /* with the pitches that are in use */
  size_t element;
};

struct _cl_sampler {
  fake_object object;
  cl_context context;
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

/* A SPIR-V module as far as the fake reads it. */
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
  cl_uint sizes[FAKE_ARGUMENTS_MAX]; /* of a value; 0 when not known */
} fake_entry;

/* One module with the values it has; a linked program has several. */
typedef struct fake_part {
  unsigned char *il;
  size_t length;
  size_t constant_count;
  fake_constant *constants; /* ascending ids */
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
  bool frozen; /* compiled or built once: values that are set later are forgotten */
  cl_build_status status;
  cl_program_binary_type binary_type;
  char *options;
  char log[128];
};

typedef struct fake_argument {
  bool set;
  size_t size;
  cl_mem mem;    /* pinned only while a command waits */
  void *pointer; /* USM */
  unsigned char value[FAKE_VALUE_MAX];
} fake_argument;

struct _cl_kernel {
  fake_object object;
  cl_program program;
  const fake_entry *entry; /* of the program */
  fake_argument *arguments;
};

struct _cl_event {
  fake_object object;
  cl_context context;
  cl_command_queue queue; /* NULL: a user event */
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
  cl_device_id device; /* NULL: host memory */
  cl_unified_shared_memory_type_intel type;
  cl_mem_alloc_flags_intel flags;
  unsigned char *bytes;
  size_t size;
} fake_usm;

/* Has a callback called, and freed, when the lock is given up. */
void fake_due(fake_callback *callback);

/* A new object with one reference; NULL without space. All bytes after the head are 0. */
void *fake_new(fake_type type);

/* Returns whether this is a handle of a live object of a type. Any pointer may be asked about. */
bool fake_is(const void *handle, fake_type type);

void fake_pin(void *object);
void fake_unpin(void *object);
/* One of the application's references less. */
void fake_release(void *object);

/* Ends an object of each type, in the files of their own: gives up what it holds. */
void fake_end_device(cl_device_id device);
void fake_end_context(cl_context context);
void fake_end_queue(cl_command_queue queue);
void fake_end_mem(cl_mem mem);
void fake_end_sampler(cl_sampler sampler);
void fake_end_program(cl_program program);
void fake_end_kernel(cl_kernel kernel);
void fake_end_event(cl_event event);
void fake_end_usm(fake_usm *usm);

/* Answers to queries, by OpenCL's rules. */
cl_int fake_answer(const void *bytes, size_t length, size_t size, void *value, size_t *size_ret);
#define FAKE_ANSWER(object)                                                                        \
  fake_answer(&(object), sizeof(object), param_value_size, param_value, param_value_size_ret)
#define FAKE_ANSWER_AS(type, expression)                                                           \
  fake_answer(&(type){(type)(expression)}, sizeof(type), param_value_size, param_value,            \
              param_value_size_ret)
#define FAKE_ANSWER_TEXT(text)                                                                     \
  fake_answer((text), strlen(text) + 1, param_value_size, param_value, param_value_size_ret)

/* platform.c */
/* The OpenCL version of a platform, 300 for 3.0. */
unsigned fake_version(cl_platform_id platform);
/* Returns whether FAKE_OPENCL_WITHOUT has a word. */
bool fake_is_left_out(const char *word);
/* Returns whether it has unified shared memory. */
bool fake_has_usm(cl_platform_id platform);
void fake_platforms_init(void);
bool fake_has_device(cl_context context, cl_device_id device);

/* module.c: reads IL that it copies; CL_INVALID_VALUE when it is no SPIR-V module. */
cl_int fake_part_read(const void *il, size_t length, fake_part *ret);
cl_int fake_part_copy(const fake_part *part, fake_part *ret);
/* From source text: entries without constants. */
cl_int fake_part_scan(const char *source, fake_part *ret);
void fake_part_free(fake_part *part);

/* usm.c: the allocation of a context that holds ptr, NULL when there is none. */
fake_usm *fake_usm_find(cl_context context, const void *ptr);

#include "command.h"
#endif

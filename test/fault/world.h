/*
 * One object of every kind over a test driver, for a call that may fail; and the checks that
 * nothing of it was lost when it did.
 */
#ifndef SPECPI_TEST_FAULT_WORLD_H
#define SPECPI_TEST_FAULT_WORLD_H

#include "backend.h"

enum { WORLD_BYTES = 4096, WORLD_IMAGE = 8, WORLD_CONSTANT = 7, WORLD_DEFAULT = 100 };

/* What calls may write to. All bytes are OUTPUT_UNTOUCHED before a call. */
enum { OUTPUT_UNTOUCHED = 0xa5 };

typedef struct outputs {
  pi_platform platform;
  pi_device device;
  pi_device devices[4];
  pi_context context;
  pi_queue queue;
  pi_mem mem;
  pi_program program;
  pi_kernel kernel;
  pi_event event;
  pi_sampler sampler;
  pi_ext_command_buffer command_buffer;
  pi_ext_sync_point sync_point;
  pi_native_handle native;
  int32_t native_desc;
  pi_image_handle unsampled;
  pi_image_handle sampled;
  pi_image_mem_handle image_mem;
  pi_image_mem_handle level; /* belongs to a mipmap */
  void *imported;
  pi_device peer; /* which the device may reach now */
  pi_interop_mem_handle interop_mem;
  pi_interop_semaphore_handle semaphore;
  void *usm;
  void *map;
  size_t size;
  size_t pitch;
  uint64_t times[2];
  pi_uint32 count;
  pi_uint32 index;
  pi_int32 status;
  const char *text;
  unsigned char bytes[WORLD_BYTES];
} outputs;

/* Objects which calls may use up: a call that succeeds in that sets its member to NULL. */
typedef struct spares {
  pi_device device;
  pi_context context;
  pi_queue queue;
  pi_mem mem;
  pi_program program;
  pi_kernel kernel;
  pi_event event;
  pi_event user_event; /* submitted */
  pi_sampler sampler;
  pi_ext_command_buffer command_buffer;
  void *usm;
  void *map; /* of world.mapped */
  /* What not every backend has; see extras.c. */
  pi_image_mem_handle image_mem;
  pi_image_mem_handle mipmap;
  pi_image_handle unsampled;
  pi_image_handle sampled;
  pi_interop_mem_handle interop_mem;
  pi_interop_semaphore_handle semaphore;
  void *imported;
  bool peer; /* the peer may reach the device */
} spares;

/* Native handles; 0 where the backend has none. */
typedef struct natives {
  pi_native_handle platform;
  pi_native_handle device;
  pi_native_handle context;
  pi_native_handle queue;
  int32_t queue_desc;
  pi_native_handle buffer;
  pi_native_handle image;
  pi_native_handle kernel;
  pi_native_handle event;
} natives;

typedef struct world {
  pi_platform platform;
  pi_device device;
  pi_device sub_devices[2]; /* the device itself where it cannot be partitioned */
  pi_context context;
  pi_queue queue; /* as FAULT_QUEUE says */
  pi_mem buffer;  /* WORLD_BYTES of i % 251 */
  pi_mem second;  /* WORLD_BYTES of 0 */
  pi_mem mapped;
  pi_mem image;
  pi_mem second_image;
  pi_sampler sampler;
  unsigned char *usm; /* WORLD_BYTES, shared, of 0 */
  unsigned char *second_usm;
  pi_program program;  /* constant 0 is WORLD_CONSTANT; not built */
  pi_program rebuilt;  /* the same, built twice: in OpenCL it has a cl_program beside its own */
  pi_program compiled; /* the same, compiled */
  pi_kernel kernel;    /* "probe" of rebuilt, its arguments set to second and 5 */
  pi_kernel other;     /* "other", nothing set */
  pi_event event;      /* of a command with profiling, complete */
  pi_ext_command_buffer command_buffer; /* open, with one command */
  pi_ext_command_buffer finalized;      /* three commands, which change only mapped */
  natives native;                       /* of these objects */
  /* What not every backend has; where it is missing, numbers that an entry may look at. */
  pi_device peer; /* another device, or the same */
  pi_image_mem_handle image_mem;
  pi_image_mem_handle mipmap;
  pi_image_mem_handle level; /* its first */
  pi_sampler bindless_sampler;
  int memory_file; /* for imports, after which they are the driver's */
  int semaphore_file;
  pi_interop_mem_handle interop_mem;
  pi_interop_semaphore_handle semaphore;
  pi_interop_semaphore_handle signalled;
  unsigned char *importable; /* of the host, WORLD_BYTES */

  unsigned char *binary; /* of rebuilt */
  size_t binary_size;
  spares spare;
  unsigned char host[WORLD_BYTES];
  outputs out;
} world;

/* The images of the world: WORLD_IMAGE pixels wide and high. */
extern pi_image_format world_format;
extern pi_image_desc world_desc;

/*
 * Aborts the test when something does not work. The queue has profiling, is in order, and has had
 * commands; words of FAULT_QUEUE in the environment change that: unprofiled, unordered, unused.
 */
void world_begin(world *w);

/* Whether FAULT_QUEUE has a word. */
bool world_queue_is(const char *word);

/*
 * That everything still is as world_begin left it: bytes, and the constants that programs
 * are built with, by building, launching and reading what "probe" reports.
 */
void world_check(world *w);

/*
 * Undoes what a command of a scenario may have done to bytes before its entry failed: waits for it,
 * and writes what world_check expects, and the bytes of the outputs as well.
 */
void world_restore(world *w);

/* Puts the spare event in the place of one that may have failed for good. */
void world_change_event(world *w);

/* Releases everything. */
void world_end(world *w);

/* The value of a constant in a new build of a program. */
uint64_t world_built_value(world *w, pi_program program, uint32_t id);

/* In extras.c: those objects, and what calls wrote of them. */
void extras_begin(world *w);
void extras_end(world *w);
void extras_release_outputs(world *w);

/* Whether an output was written, and is not NULL. */
bool output_is_written(const void *handle);

void outputs_reset(outputs *out);
bool outputs_are_untouched(const outputs *out);
/* Releases the objects that a successful call wrote. */
void outputs_release(world *w);

#endif

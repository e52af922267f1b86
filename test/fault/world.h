/*
 * One object of every kind over a fake driver, for a call that may fail, with checks that no object
 * is lost.
 */
#ifndef SPECPI_TEST_FAULT_WORLD_H
#define SPECPI_TEST_FAULT_WORLD_H

#include "backend.h"

enum { WORLD_BYTES = 4096, WORLD_IMAGE = 8, WORLD_CONSTANT = 7, WORLD_DEFAULT = 100 };

/* The outputs of calls. All bytes are OUTPUT_UNTOUCHED before a call. */
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
  pi_device peer; /* a device whose memory the device can access now */
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

/* Objects that calls may use up. A call that has used one up sets its member to NULL. */
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
  void *map; /* a map of mapped */
  /* Objects that not every backend has; see extras.c. */
  pi_image_mem_handle image_mem;
  pi_image_mem_handle mipmap;
  pi_image_handle unsampled;
  pi_image_handle sampled;
  pi_interop_mem_handle interop_mem;
  pi_interop_semaphore_handle semaphore;
  void *imported;
  bool peer; /* the peer can access the device's memory */
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
  pi_program rebuilt;  /* the same, built twice: in OpenCL it has a second cl_program */
  pi_program compiled; /* the same, compiled */
  pi_kernel kernel;    /* "probe" of rebuilt, its arguments set to second and 5 */
  pi_kernel other;     /* "other", nothing set */
  pi_event event;      /* of a command with profiling, complete */
  pi_ext_command_buffer command_buffer; /* open, with one command */
  pi_ext_command_buffer finalized;      /* three commands, which change only mapped */
  natives native;                       /* of these objects */
  /* Objects that not every backend has; otherwise values that an entry point may look at. */
  pi_device peer; /* another device, or the same */
  pi_image_mem_handle image_mem;
  pi_image_mem_handle mipmap;
  pi_image_mem_handle level; /* the first one of mipmap */
  pi_sampler bindless_sampler;
  int memory_file; /* files for imports, after which they are the driver's */
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

/* The fixture's images: WORLD_IMAGE pixels wide and high. */
extern pi_image_format world_format;
extern pi_image_desc world_desc;

/*
 * Creates the fixture; aborts the test if that fails. The queue has profiling, is in order, and has
 * had commands; words of FAULT_QUEUE in the environment change that: unprofiled, unordered, unused.
 */
void world_begin(world *w);

/* Returns whether FAULT_QUEUE has a word. */
bool world_queue_is(const char *word);

/*
 * Checks that everything is as world_begin left it: bytes, and the constants that programs are
 * built with. It builds, launches and reads what "probe" reports.
 */
void world_check(world *w);

/*
 * Waits for a command that a scenario may have left before its entry point failed, and restores the
 * bytes that world_check expects, and those of the outputs.
 */
void world_restore(world *w);

/* Replaces an event that may have failed for good by the spare one. */
void world_change_event(world *w);

/* Releases everything. */
void world_end(world *w);

/* Returns the value of a constant in a new build of a program. */
uint64_t world_built_value(world *w, pi_program program, uint32_t id);

/* In extras.c: create and release objects that only some backends have, and release such outputs.
 */
void extras_begin(world *w);
void extras_end(world *w);
void extras_release_outputs(world *w);

/* Returns whether an output was written and is not NULL. */
bool output_is_written(const void *handle);

void outputs_reset(outputs *out);
bool outputs_are_untouched(const outputs *out);
/* Releases the objects that a successful call wrote. */
void outputs_release(world *w);

#endif

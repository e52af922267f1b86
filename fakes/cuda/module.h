/* Code of the fake CUDA driver: texts, images, modules, functions. */
#ifndef SPECPI_TEST_FAKE_CUDA_MODULE_H
#define SPECPI_TEST_FAKE_CUDA_MODULE_H

#include "../ptx/ptx.h"
#include "memory.h"

/* The options of cuModuleLoadDataEx and cuLinkCreate. */
typedef struct fake_jit {
  char *log[2]; /* buffers for information and errors; NULL if not wanted */
  size_t room[2];
  size_t length[2]; /* including the NUL */
  void **sizes[2];  /* receive the lengths */
  void **wall_time; /* receives the time; NULL if not wanted */
  uint64_t begin;
  unsigned registers, level, target; /* 0, 4 and 0 by default */
  bool level_given, debug;
  bool verbose;
} fake_jit;

/* Reads the options and empties the logs. Refuses unknown options, and logs without a size. */
CUresult fake_jit_read(unsigned count, CUjit_option *options, void **values, const char *function,
                       fake_jit *ret);
void fake_jit_log(fake_jit *jit, bool error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes the logs' lengths and the time to the program's options. */
void fake_jit_finish(fake_jit *jit);

/* The result of ptxas for a text, cached. */
typedef struct fake_assembly {
  struct fake_assembly *next;
  uint64_t hash;
  char *text, *flags;
  bool fine;
  char *words; /* the output */
} fake_assembly;

/*
 * Passes a text through ptxas, for linking if relocatable. Releases the lock while ptxas runs.
 * Returns a cached result, which is never freed; NULL without ptxas.
 */
const fake_assembly *fake_assemble(const char *text, bool relocatable, const fake_jit *jit);
/* The resources of an entry. */
typedef struct fake_resources {
  unsigned registers, stack, shared, constant;
} fake_resources;
bool fake_resources_find(const char *words, const char *entry, fake_resources *ret);

/* The texts of one program, with ptxas's result for each. */
typedef struct fake_code {
  unsigned references;
  size_t count;
  char **texts;
  const fake_assembly **assemblies;
  unsigned architecture; /* for which it was assembled; 80 for sm_80 */
  ptx_program *program;  /* NULL until it is linked */
} fake_code;

fake_code *fake_code_new(void);
void fake_code_release(fake_code *code);
/* Adds a PTX text of size bytes, after ptxas and the interpreter have accepted it. */
CUresult fake_code_add(fake_code *code, const char *text, size_t size, bool relocatable,
                       fake_jit *jit);
/* Links the texts into the program. */
CUresult fake_code_link(fake_code *code, fake_jit *jit);

/* image.c: makes a "cubin" from the texts; the caller frees it. */
void *fake_cubin_write(const fake_code *code, size_t *size);
/* Reads an image: PTX text, a cubin or a fat binary. size is 0 if unknown. */
CUresult fake_image_read(const void *image, size_t size, bool relocatable, fake_code *code,
                         fake_jit *jit);

typedef struct fake_module fake_module;

typedef struct fake_function {
  fake_object head;
  fake_module *module;
  const ptx_entry *entry;
  fake_resources resources;
  unsigned most_threads;   /* per block */
  unsigned dynamic_shared; /* maximum of bytes */
  int carveout;
  CUfunc_cache cache;
} fake_function;

struct fake_module {
  fake_object head;
  fake_code *code;
  size_t variable_count;
  fake_memory **variables; /* NULL for textures, samplers and surfaces */
  size_t function_count;
  fake_function **functions;
};

void fake_module_end(fake_module *module);

typedef struct fake_link fake_link;
void fake_link_end(fake_link *link);

/* The parameters of a launch. */
typedef struct fake_launch {
  CUfunction function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
  bool cooperative;
} fake_launch;

/* Checks a launch, and makes a task with copies of its parameters. */
CUresult fake_launch_task(const fake_launch *launch, fake_context *context, const char *caller,
                          fake_task **ret);

/* Returns the values of the parameters of a task from fake_launch_task. */
const unsigned char *fake_launch_parameters(const fake_task *task);

/* Returns how many blocks of this size run on one multiprocessor at once. */
unsigned fake_occupancy(const fake_function *function, unsigned threads, size_t dynamic_shared);
/* Returns how many run at once on all multiprocessors: the limit of a cooperative launch. */
unsigned fake_cooperative_blocks(const fake_function *function, unsigned threads,
                                 size_t dynamic_shared);

/* texture.c */
struct ptx_hooks;
void fake_texture_hooks(ptx_hooks *hooks);

#endif

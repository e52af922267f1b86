/* Code of the fake CUDA driver: texts, images, modules, functions. */
#ifndef SPECPI_TEST_FAKE_CUDA_MODULE_H
#define SPECPI_TEST_FAKE_CUDA_MODULE_H

#include "../ptx/ptx.h"
#include "memory.h"

/* The options of cuModuleLoadDataEx and cuLinkCreate. */
typedef struct fake_jit {
  char *log[2]; /* informations, errors; NULL: not wanted */
  size_t room[2];
  size_t length[2]; /* with the NUL */
  void **sizes[2];  /* where the lengths go */
  void **wall_time; /* NULL: not wanted */
  uint64_t begin;
  unsigned registers, level, target; /* 0, 4, 0: not given */
  bool level_given, debug;
  bool verbose;
} fake_jit;

/* Empties the logs. CUDA_ERROR_INVALID_VALUE: an unknown option, or a log without its size. */
CUresult fake_jit_read(unsigned count, CUjit_option *options, void **values, const char *function,
                       fake_jit *ret);
void fake_jit_log(fake_jit *jit, bool error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes lengths and times. */
void fake_jit_finish(fake_jit *jit);

/* The output of ptxas for a text, kept for the next time. */
typedef struct fake_assembly {
  struct fake_assembly *next;
  uint64_t hash;
  char *text, *flags;
  bool fine;
  char *words; /* what it printed */
} fake_assembly;

/*
 * Passes text through ptxas, for linking when relocatable; NULL when there is no ptxas. It gives up
 * the lock for that time. What is returned lives for ever.
 */
const fake_assembly *fake_assemble(const char *text, bool relocatable, const fake_jit *jit);
/* The resources of an entry that ptxas names. */
typedef struct fake_resources {
  unsigned registers, stack, shared, constant;
} fake_resources;
bool fake_resources_find(const char *words, const char *entry, fake_resources *ret);

/* Texts that are one program, with what ptxas said of each. */
typedef struct fake_code {
  unsigned references;
  size_t count;
  char **texts;
  const fake_assembly **assemblies;
  unsigned architecture; /* 80: for what it was assembled */
  ptx_program *program;  /* NULL until it is linked */
} fake_code;

fake_code *fake_code_new(void);
void fake_code_release(fake_code *code);
/* Adds PTX text of size bytes, which ptxas and the interpreter take. */
CUresult fake_code_add(fake_code *code, const char *text, size_t size, bool relocatable,
                       fake_jit *jit);
/* Makes the program of the texts. */
CUresult fake_code_link(fake_code *code, fake_jit *jit);

/* image.c: a "cubin" of texts; the caller frees it. */
void *fake_cubin_write(const fake_code *code, size_t *size);
/* Reads an image: PTX text, a cubin, a fat binary. size is 0 when it is not known. */
CUresult fake_image_read(const void *image, size_t size, bool relocatable, fake_code *code,
                         fake_jit *jit);

typedef struct fake_module fake_module;

typedef struct fake_function {
  fake_object head;
  fake_module *module;
  const ptx_entry *entry;
  fake_resources resources;
  unsigned most_threads;   /* of a block */
  unsigned dynamic_shared; /* the largest allowed */
  int carveout;
  CUfunc_cache cache;
} fake_function;

struct fake_module {
  fake_object head;
  fake_code *code;
  size_t variable_count;
  fake_memory **variables; /* NULL: textures and the like */
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

/* A task of the launch, with its parameters' values; *ret is what it is checked for. */
CUresult fake_launch_task(const fake_launch *launch, fake_context *context, const char *caller,
                          fake_task **ret);

/* The values of the parameters of such a task. */
const unsigned char *fake_launch_parameters(const fake_task *task);

/* Blocks of that size which one multiprocessor runs at once. */
unsigned fake_occupancy(const fake_function *function, unsigned threads, size_t dynamic_shared);
/* The same of all multiprocessors: so many blocks may be launched cooperatively. */
unsigned fake_cooperative_blocks(const fake_function *function, unsigned threads,
                                 size_t dynamic_shared);

/* texture.c */
struct ptx_hooks;
void fake_texture_hooks(ptx_hooks *hooks);

#endif

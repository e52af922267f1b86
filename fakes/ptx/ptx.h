/*
 * Runs PTX on the CPU, for the fake CUDA driver: it parses texts into modules, links modules into a
 * program, and launches the program's entries on the calling thread.
 *
 * Like ptxas, the parser refuses unknown instructions by name, so that accepted code runs. For
 * hostile text it only needs memory and time proportional to the text's size and its variables'
 * sizes (PTX_VARIABLE_LIMIT).
 *
 * Only one thread at a time may use a module, or a program before ptx_initialise. After that a
 * program does not change, and any number of threads may launch its entries.
 */
#ifndef SPECPI_TEST_PTX_H
#define SPECPI_TEST_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * X(NAME, text): results of a call. The names that start with LAUNCH are failures of a running
 * kernel, which a CUDA driver keeps in the context.
 */
#define PTX_STATUSES(X)                                                                            \
  X(OK, "no error")                                                                                \
  X(OUT_OF_MEMORY, "no memory on the host")                                                        \
  X(INVALID_PTX, "the text is not PTX, or something in it is unknown")                             \
  X(UNSUPPORTED_VERSION, "the text's .version is newer than the driver's")                         \
  X(UNSUPPORTED_TARGET, "the text's .target is not one that the device runs")                      \
  X(UNRESOLVED, "a symbol is not defined, or is defined twice, in the linked modules")             \
  X(INVALID_LAUNCH, "the entry cannot be launched so")                                             \
  X(OUT_OF_RESOURCES, "the launch needs more threads or shared memory than there are")             \
  X(LAUNCH_ILLEGAL_ADDRESS, "an access outside of memory")                                         \
  X(LAUNCH_MISALIGNED_ADDRESS, "an access to an address that is no multiple of its size")          \
  X(LAUNCH_ILLEGAL_INSTRUCTION, "trap, or an indirect call to what is no function")                \
  X(LAUNCH_ASSERT, "an assertion of the kernel's does not hold")                                   \
  X(LAUNCH_STACK, "calls too deep for the stack")                                                  \
  X(LAUNCH_DEADLOCK, "threads wait at barriers that the others never reach")                       \
  X(LAUNCH_TIMEOUT, "more steps than the launch may take")                                         \
  X(LAUNCH_FAILED, "a hook refused what the kernel asked for")

typedef enum ptx_status {
#define PTX_STATUS(NAME, text) PTX_##NAME,
  PTX_STATUSES(PTX_STATUS)
#undef PTX_STATUS
} ptx_status;

/* Returns a status's text in PTX_STATUSES, a static string. */
const char *ptx_status_text(ptx_status status);

/*
 * An error message, with the line of the text if there is one ("line 12: unknown instruction
 * 'foo.u32'"). Empty after success. Every function with a log accepts NULL.
 */
typedef struct ptx_log {
  char text[512];
} ptx_log;

enum {
  PTX_WARP = 32,
  PTX_BLOCK_LIMIT = 1024,             /* threads per block */
  PTX_SHARED_LIMIT = 227 << 10,       /* bytes per block, static and dynamic */
  PTX_SHARED_STATIC_LIMIT = 48 << 10, /* bytes of an entry's shared variables, as in ptxas */
  PTX_PARAMETER_LIMIT = 32764,        /* bytes of an entry's parameters */
  PTX_VARIABLE_LIMIT = 1 << 30,       /* bytes of one variable */
};

/* The newest version and target to accept; 0 for all that the interpreter knows. */
typedef struct ptx_limits {
  unsigned version; /* newest .version, 10 * major + minor, e.g. 84 */
  unsigned target;  /* newest .target, e.g. 90 for sm_90; sm_90a is accepted only if this is 90 */
} ptx_limits;

/* A parsed text. */
typedef struct ptx_module ptx_module;

/*
 * Parses text up to size bytes or its first zero byte. *ret receives the module, which does not
 * need the text any more. limits may be NULL.
 *
 * May fail with PTX_INVALID_PTX, PTX_UNSUPPORTED_VERSION, PTX_UNSUPPORTED_TARGET or
 * PTX_OUT_OF_MEMORY, without changing *ret.
 */
ptx_status ptx_parse(const char *text, size_t size, const ptx_limits *limits, ptx_module **ret,
                     ptx_log *log);

/* Frees a module that no program owns. It may be NULL. */
void ptx_module_free(ptx_module *module);

typedef struct ptx_parameter {
  const char *name;
  uint32_t offset, size, align; /* in bytes; offset in the parameter block */
} ptx_parameter;

/* A kernel. Limits that the text does not specify are 0. */
typedef struct ptx_entry {
  const char *name;
  uint32_t parameter_count, parameter_bytes;
  const ptx_parameter *parameters;
  uint32_t reqntid[3], maxntid[3]; /* omitted dimensions of a directive are 1 */
  uint32_t minnctapersm, maxnreg;
  uint32_t shared_bytes;    /* static shared memory of the entry and the functions it may call */
  uint32_t local_bytes;     /* .local variables of the entry itself, per thread */
  uint32_t constant_bytes;  /* all .const variables of its module */
  uint32_t register_count;  /* 32-bit registers named in the text, at most 255 */
  uint32_t cluster[3];      /* .reqnctapercluster, or 0 0 0; only 1 1 1 can be launched */
  unsigned version, target; /* of its module: 10 * .version, number of .target */
  const struct ptx_function *function; /* for the interpreter */
} ptx_entry;

typedef enum ptx_variable_kind {
  PTX_VARIABLE_GLOBAL,
  PTX_VARIABLE_CONSTANT,
  PTX_VARIABLE_TEXTURE, /* .texref; its address is a texture's handle */
  PTX_VARIABLE_SAMPLER,
  PTX_VARIABLE_SURFACE,
} ptx_variable_kind;

/* A module's variable, for which the driver allocates memory. */
typedef struct ptx_variable {
  const char *name;
  ptx_variable_kind kind;
  bool local;     /* neither .visible nor .weak, so cuModuleGetGlobal does not find it */
  bool managed;   /* .attribute(.managed) */
  uint64_t size;  /* in bytes; 0 for textures, samplers, surfaces and empty arrays */
  uint32_t align; /* bytes, a power of two */
} ptx_variable;

/* Linked modules. */
typedef struct ptx_program ptx_program;

/*
 * Links count modules. On success the program owns them, on failure the caller. .extern symbols
 * resolve to .visible and .weak ones of other modules. The interpreter defines vprintf and
 * __assertfail.
 *
 * Fails without changing *ret, with PTX_UNRESOLVED (the message has the symbol's name),
 * PTX_OUT_OF_MEMORY, or PTX_INVALID_PTX: an entry's static shared memory exceeds
 * PTX_SHARED_STATIC_LIMIT, or a symbol's declaration and definition differ.
 */
ptx_status ptx_link(ptx_module *const *modules, size_t count, ptx_program **ret, ptx_log *log);

/* Frees a program, which may be NULL, and its modules. The driver frees its variables' memory. */
void ptx_program_free(ptx_program *program);

/* Return all entries or variables in the text's order. They live as long as the program. */
const ptx_entry *ptx_entries(const ptx_program *program, size_t *count);
const ptx_variable *ptx_variables(const ptx_program *program, size_t *count);

/* Find an entry or a variable by name; NULL if there is none. Local variables are not found. */
const ptx_entry *ptx_find_entry(const ptx_program *program, const char *name);
const ptx_variable *ptx_find_variable(const ptx_program *program, const char *name);

/* The place of a variable: the address for kernels, and its memory on the host. */
typedef struct ptx_place {
  uint64_t address; /* aligned and below PTX_WINDOWS; or a texture's, sampler's, surface's handle */
  void *host;       /* size bytes; unused for textures, samplers and surfaces */
} ptx_place;

/*
 * Places the variables, ptx_variables()[i] at places[i], and writes their initial bytes. Call it
 * once before the first launch, also for a program without variables. It cannot fail.
 */
void ptx_initialise(ptx_program *program, const ptx_place *places);

/* Addresses of global memory are below this; the windows of other state spaces start here. */
#define PTX_WINDOWS UINT64_C(0x8000000000000000)

/* Maps the addresses [begin, end) to the host's memory at host. */
typedef struct ptx_range {
  uint64_t begin, end;
  void *host;
  bool writable;
} ptx_range;

/* X(NAME): queries of a texture or surface (txq, suq). */
#define PTX_QUERIES(X)                                                                             \
  X(WIDTH)                                                                                         \
  X(HEIGHT)                                                                                        \
  X(DEPTH)                                                                                         \
  X(CHANNEL_DATA_TYPE)                                                                             \
  X(CHANNEL_ORDER)                                                                                 \
  X(NORMALIZED_COORDS)                                                                             \
  X(ARRAY_SIZE)                                                                                    \
  X(NUM_MIPMAP_LEVELS)                                                                             \
  X(NUM_SAMPLES)                                                                                   \
  X(FILTER_MODE)                                                                                   \
  X(ADDR_MODE_0)                                                                                   \
  X(ADDR_MODE_1)                                                                                   \
  X(ADDR_MODE_2)                                                                                   \
  X(FORCE_UNNORMALIZED_COORDS)                                                                     \
  X(MEMORY_LAYOUT)

typedef enum ptx_query {
#define PTX_QUERY(NAME) PTX_QUERY_##NAME,
  PTX_QUERIES(PTX_QUERY)
#undef PTX_QUERY
} ptx_query;

typedef enum ptx_sample {
  PTX_SAMPLE_BASE,     /* tex */
  PTX_SAMPLE_LEVEL,    /* tex.level: lod */
  PTX_SAMPLE_GRADIENT, /* tex.grad: gradient_x, gradient_y */
  PTX_SAMPLE_GATHER,   /* tld4: component, of four texels */
} ptx_sample;

/* The type of a texel's components. Halves are in the low 16 bits. */
typedef enum ptx_texel { PTX_TEXEL_U32, PTX_TEXEL_S32, PTX_TEXEL_F32, PTX_TEXEL_F16 } ptx_texel;

/* A texture instruction. */
typedef struct ptx_texture_access {
  uint64_t texture;
  uint64_t sampler; /* for instructions with a separate sampler; else 0 */
  ptx_sample sample;
  unsigned dimensions; /* number of coordinates, 1 to 3; 3 for a cube map */
  bool array, cube;
  bool integer;   /* the coordinates are in i and not in f */
  uint32_t layer; /* for arrays */
  union {
    int32_t i[3];
    float f[3];
  } at;
  float lod;
  float gradient_x[3], gradient_y[3];
  unsigned component; /* for a gather: 0 to 3 for r, g, b, a */
  ptx_texel texel;
} ptx_texture_access;

typedef enum ptx_clamp { PTX_CLAMP_TRAP, PTX_CLAMP_EDGE, PTX_CLAMP_ZERO } ptx_clamp;

/* A surface instruction: suld or sust. */
typedef struct ptx_surface_access {
  uint64_t surface;
  bool write;
  bool formatted;      /* sust.p: components have 32 bits, and x is in elements instead of bytes */
  unsigned dimensions; /* 1, 2, 3 */
  bool array;
  uint32_t layer;
  int32_t at[3];       /* x, y, z */
  ptx_clamp clamp;     /* rule for accesses out of bounds */
  unsigned size;       /* bytes at data, of all components together, 1 to 16 */
  unsigned components; /* 1, 2, 4 */
  void *data;          /* the components to write, or space for the ones read */
} ptx_surface_access;

/*
 * Functions of the driver that kernels need. Each is called on the launching thread with user. A
 * NULL hook refuses. If a hook returns false the launch ends; the hook may first write a string to
 * message, which has message_size bytes.
 */
typedef struct ptx_hooks {
  void *user;
  /*
   * Finds the memory that contains an address. The launch may use it until its end. If it returns
   * false, the launch ends with PTX_LAUNCH_ILLEGAL_ADDRESS.
   */
  bool (*memory)(void *user, uint64_t address, ptx_range *ret);
  /* Reads a texel of four components. */
  bool (*texture)(void *user, const ptx_texture_access *access, uint32_t ret[4], char *message,
                  size_t message_size);
  bool (*surface)(void *user, const ptx_surface_access *access, char *message, size_t message_size);
  bool (*query)(void *user, uint64_t handle, bool surface, ptx_query query, uint32_t *ret,
                char *message, size_t message_size);
  /* Receives the output of vprintf and __assertfail. If NULL, the output goes to stdout. */
  void (*print)(void *user, const char *text, size_t size);
  /* Called about every million steps. If true, the launch ends with PTX_LAUNCH_TIMEOUT. Optional.
   */
  bool (*cancelled)(void *user);
} ptx_hooks;

typedef struct ptx_launch {
  const ptx_entry *entry;
  uint32_t grid[3], block[3]; /* each at least 1 */
  uint32_t dynamic_shared;    /* bytes */
  const void *parameters;     /* entry->parameter_bytes bytes, which are copied */
  bool cooperative;           /* all blocks run at the same time, instead of one after another */
  uint64_t step_limit;        /* maximum of instructions of all threads; 0 for no limit */
  uint32_t multiprocessors;   /* %nsmid; 0 means 1 */
  uint64_t grid_id;           /* %gridid */
  uint64_t workspace;         /* %envreg1 (high) and %envreg2 (low): of cooperative launches, 8
                               * bytes that are 0 before the first one, or 0 */
  uint64_t stack_bytes;       /* per thread, for calls and local variables; 0 means 16 KiB */
} ptx_launch;

/*
 * Runs a launch to its end on the calling thread. After a failure the kernel's writes remain.
 *
 * May fail with PTX_INVALID_LAUNCH (a size is 0, exceeds CUDA's limit, or does not match .reqntid
 * or .maxntid; or parameters is NULL for an entry that has some), PTX_OUT_OF_RESOURCES (more than
 * PTX_BLOCK_LIMIT threads or PTX_SHARED_LIMIT bytes), PTX_OUT_OF_MEMORY, or PTX_LAUNCH_*. For the
 * last, the message names the entry, line, block and thread; for a memory access also the address,
 * size and direction.
 */
ptx_status ptx_run(const ptx_program *program, const ptx_launch *launch, const ptx_hooks *hooks,
                   ptx_log *log);

#endif

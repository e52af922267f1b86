/*
 * Runs PTX on the CPU, for the CUDA driver of the tests: text is parsed into modules, modules are
 * linked into a program, and its entries are launched on the calling thread.
 *
 * What the interpreter does not know is refused by name when the text is parsed, as ptxas does:
 * code that was taken runs. Hostile text costs memory and time proportional to its size and to its
 * variables' sizes (PTX_VARIABLE_LIMIT), and nothing else.
 *
 * Modules and programs belong to one thread at a time while they are made; a program that has been
 * initialised does not change any more, and any number of threads may launch from it.
 */
#ifndef SPECPI_TEST_PTX_H
#define SPECPI_TEST_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * X(NAME, text): how a call ended. Those after LAUNCH are a running kernel's failures, which a CUDA
 * driver keeps in the context.
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

/* The status's text of PTX_STATUSES; a static string. */
const char *ptx_status_text(ptx_status status);

/*
 * One message: what was wrong, with the line of the text where there is one ("line 12: unknown
 * instruction 'foo.u32'"). Empty after a success. Every function that takes one takes NULL, too.
 */
typedef struct ptx_log {
  char text[512];
} ptx_log;

enum {
  PTX_WARP = 32,
  PTX_BLOCK_LIMIT = 1024,             /* threads of a block */
  PTX_SHARED_LIMIT = 227 << 10,       /* bytes of a block, static and dynamic */
  PTX_SHARED_STATIC_LIMIT = 48 << 10, /* bytes of an entry's variables; ptxas refuses more */
  PTX_PARAMETER_LIMIT = 32764,        /* bytes of an entry's parameters */
  PTX_VARIABLE_LIMIT = 1 << 30,       /* bytes of one variable */
};

/* The limits of a text; 0 is any that the interpreter knows. */
typedef struct ptx_limits {
  unsigned version; /* 10 * major + minor, e.g. 84: the newest .version that is taken */
  unsigned target;  /* e.g. 90: .target sm_90 and older ones are taken; sm_90a only by 90 itself */
} ptx_limits;

/* A text that was parsed. */
typedef struct ptx_module ptx_module;

/*
 * Parses text up to size bytes or to its first zero byte; *ret receives the module. The text is not
 * needed any more afterwards. limits may be NULL.
 *
 * PTX_INVALID_PTX, PTX_UNSUPPORTED_VERSION, PTX_UNSUPPORTED_TARGET, PTX_OUT_OF_MEMORY; *ret is
 * untouched then.
 */
ptx_status ptx_parse(const char *text, size_t size, const ptx_limits *limits, ptx_module **ret,
                     ptx_log *log);

/* Frees a module that no program took; NULL is fine. */
void ptx_module_free(ptx_module *module);

typedef struct ptx_parameter {
  const char *name;
  uint32_t offset, size, align; /* bytes in the block of parameters */
} ptx_parameter;

/* A kernel. Limits that the text does not have are 0. */
typedef struct ptx_entry {
  const char *name;
  uint32_t parameter_count, parameter_bytes;
  const ptx_parameter *parameters;
  uint32_t reqntid[3], maxntid[3]; /* dimensions that are left out of a directive are 1 */
  uint32_t minnctapersm, maxnreg;
  uint32_t shared_bytes;    /* static ones, of the entry and the functions that it may call */
  uint32_t local_bytes;     /* of one thread: .local variables of the entry itself */
  uint32_t constant_bytes;  /* all .const variables of its module */
  uint32_t register_count;  /* 32-bit registers, as many as the text names, at most 255 */
  uint32_t cluster[3];      /* .reqnctapercluster, or 0 0 0; only 1 1 1 can be launched */
  unsigned version, target; /* of its module: 10 * .version, number of .target */
  const struct ptx_function *function; /* the interpreter's */
} ptx_entry;

typedef enum ptx_variable_kind {
  PTX_VARIABLE_GLOBAL,
  PTX_VARIABLE_CONSTANT,
  PTX_VARIABLE_TEXTURE, /* .texref: its address is the handle of a texture */
  PTX_VARIABLE_SAMPLER,
  PTX_VARIABLE_SURFACE,
} ptx_variable_kind;

/* A variable of the module, which the driver gives memory. */
typedef struct ptx_variable {
  const char *name;
  ptx_variable_kind kind;
  bool local;     /* neither .visible nor .weak: cuModuleGetGlobal does not find it */
  bool managed;   /* .attribute(.managed) */
  uint64_t size;  /* bytes; 0 for textures, samplers and surfaces, and for an empty array */
  uint32_t align; /* bytes, a power of two */
} ptx_variable;

/* Linked modules. */
typedef struct ptx_program ptx_program;

/*
 * Links count modules, which the program then owns; with a failure they stay the caller's. Symbols
 * that are .extern are found among the others' .visible and .weak ones. The functions vprintf and
 * __assertfail are the interpreter's.
 *
 * PTX_UNRESOLVED: the message has the symbol's name. PTX_INVALID_PTX: an entry's static shared
 * memory is beyond PTX_SHARED_STATIC_LIMIT; a symbol's declaration and definition differ.
 * PTX_OUT_OF_MEMORY. *ret is untouched then.
 */
ptx_status ptx_link(ptx_module *const *modules, size_t count, ptx_program **ret, ptx_log *log);

/* Frees the program and its modules; NULL is fine. Its variables' memory is the driver's. */
void ptx_program_free(ptx_program *program);

/* All entries and variables, in the text's order; what they point to lives as long as the program.
 */
const ptx_entry *ptx_entries(const ptx_program *program, size_t *count);
const ptx_variable *ptx_variables(const ptx_program *program, size_t *count);

/* By name; NULL when there is none. A variable that is local is not found. */
const ptx_entry *ptx_find_entry(const ptx_program *program, const char *name);
const ptx_variable *ptx_find_variable(const ptx_program *program, const char *name);

/* Where a variable is: the address that kernels see, and that memory on the host. */
typedef struct ptx_place {
  uint64_t address; /* a multiple of the variable's align, below PTX_WINDOWS; or the handle */
  void *host;       /* size bytes; not used for textures, samplers and surfaces */
} ptx_place;

/*
 * Places the variables, places[i] being that of ptx_variables()[i], and writes their initial bytes;
 * once, before the first launch, also for a program without variables. Cannot fail.
 */
void ptx_initialise(ptx_program *program, const ptx_place *places);

/* Global memory has addresses below; the windows of the other spaces begin here. */
#define PTX_WINDOWS UINT64_C(0x8000000000000000)

/* Addresses from begin to end (exclusive) are the host's memory from host on. */
typedef struct ptx_range {
  uint64_t begin, end;
  void *host;
  bool writable;
} ptx_range;

/* X(NAME): what an instruction asks of a texture or surface (txq, suq). */
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

/* The type of a texel's components; halves come in the low 16 bits. */
typedef enum ptx_texel { PTX_TEXEL_U32, PTX_TEXEL_S32, PTX_TEXEL_F32, PTX_TEXEL_F16 } ptx_texel;

/* A texture instruction. */
typedef struct ptx_texture_access {
  uint64_t texture;
  uint64_t sampler; /* of the forms with a sampler of its own; else 0 */
  ptx_sample sample;
  unsigned dimensions; /* coordinates: 1, 2, 3; a cube map has 3 */
  bool array, cube;
  bool integer;   /* coordinates are i, not f */
  uint32_t layer; /* of an array */
  union {
    int32_t i[3];
    float f[3];
  } at;
  float lod;
  float gradient_x[3], gradient_y[3];
  unsigned component; /* 0 to 3: r g b a */
  ptx_texel texel;
} ptx_texture_access;

typedef enum ptx_clamp { PTX_CLAMP_TRAP, PTX_CLAMP_EDGE, PTX_CLAMP_ZERO } ptx_clamp;

/* A surface instruction: suld or sust. */
typedef struct ptx_surface_access {
  uint64_t surface;
  bool write;
  bool formatted;      /* sust.p: components of 32 bits; x counts elements, else bytes */
  unsigned dimensions; /* 1, 2, 3 */
  bool array;
  uint32_t layer;
  int32_t at[3];       /* x, y, z */
  ptx_clamp clamp;     /* what an access outside is */
  unsigned size;       /* bytes at data: of all components together, 1 to 16 */
  unsigned components; /* 1, 2, 4 */
  void *data;          /* read, or to be written, with the components one after the other */
} ptx_surface_access;

/*
 * The functions of the driver that a kernel needs. Each is called on the launching thread, with
 * user; those that are NULL refuse. A hook that gives false ends the launch; it may write a message
 * to message (size bytes of message_size), which is empty otherwise.
 */
typedef struct ptx_hooks {
  void *user;
  /*
   * The memory that the address belongs to. The launch keeps what it was given until it ends.
   * False: PTX_LAUNCH_ILLEGAL_ADDRESS.
   */
  bool (*memory)(void *user, uint64_t address, ptx_range *ret);
  /* Four components. */
  bool (*texture)(void *user, const ptx_texture_access *access, uint32_t ret[4], char *message,
                  size_t message_size);
  bool (*surface)(void *user, const ptx_surface_access *access, char *message, size_t message_size);
  bool (*query)(void *user, uint64_t handle, bool surface, ptx_query query, uint32_t *ret,
                char *message, size_t message_size);
  /* Takes the output of vprintf and __assertfail; NULL is stdout. */
  void (*print)(void *user, const char *text, size_t size);
  /* Asked every million of steps or so; true ends the launch with PTX_LAUNCH_TIMEOUT. May be NULL.
   */
  bool (*cancelled)(void *user);
} ptx_hooks;

typedef struct ptx_launch {
  const ptx_entry *entry;
  uint32_t grid[3], block[3]; /* each at least 1 */
  uint32_t dynamic_shared;    /* bytes */
  const void *parameters;     /* entry->parameter_bytes bytes; copied */
  bool cooperative;           /* all blocks run side by side; otherwise one after the other */
  uint64_t step_limit;        /* instructions of all threads; 0 is no limit */
  uint32_t multiprocessors;   /* %nsmid; 0 is 1 */
  uint64_t grid_id;           /* %gridid */
  uint64_t workspace;         /* %envreg1 (high) and %envreg2 (low): of cooperative launches, 8
                               * bytes that are 0 before the first one, or 0 */
  uint64_t stack_bytes;       /* of a thread, for calls and local variables; 0 is 16 KiB */
} ptx_launch;

/*
 * Runs the launch to its end on the calling thread. What the kernel wrote before a failure stays.
 *
 * PTX_INVALID_LAUNCH: an extent is 0, beyond CUDA's, or does not fit .reqntid or .maxntid, or
 * parameters is NULL where there are some. PTX_OUT_OF_RESOURCES: more than PTX_BLOCK_LIMIT threads
 * or PTX_SHARED_LIMIT bytes. PTX_OUT_OF_MEMORY. The PTX_LAUNCH_ ones: the message says in which
 * entry, line, block and thread, and of an access its address, size and direction.
 */
ptx_status ptx_run(const ptx_program *program, const ptx_launch *launch, const ptx_hooks *hooks,
                   ptx_log *log);

#endif

/*
 * Decoded code, which the parser makes from text, the linker completes and ptx_exec runs.
 *
 * A thread's values are in slots of 64 bits. Narrower values are always zero-extended from their
 * register's width, so that unsigned operations need no masks.
 */
#ifndef SPECPI_TEST_PTX_CODE_H
#define SPECPI_TEST_PTX_CODE_H

#include "ptx.h"
#include "ptx_types.h"

/* X(FAMILY): families of instructions. ptx_exec_FAMILY in ptx_exec_family.c executes them. */
#define PTX_FAMILIES(X)                                                                            \
  X(MOVE)                                                                                          \
  X(INT)                                                                                           \
  X(FLOAT)                                                                                         \
  X(HALF) X(CONVERT) X(COMPARE) X(MEMORY) X(ATOMIC) X(CONTROL) X(WARP) X(BARRIER) X(TEXTURE)

typedef enum ptx_family {
#define PTX_FAMILY(NAME) PTX_FAMILY_##NAME,
  PTX_FAMILIES(PTX_FAMILY)
#undef PTX_FAMILY
} ptx_family;

/* The instructions of PTX, and then instructions that only the parser generates. */
typedef enum ptx_op {
#define PTX_OP(NAME, mnemonic, FAMILY, types, count, classes, required, operands) PTX_OP_##NAME,
#include "ptx_opcodes.def"
#undef PTX_OP
  PTX_OP_COUNT,
  PTX_OP_PACK = PTX_OP_COUNT, /* mov d, {a, b} */
  PTX_OP_UNPACK,              /* mov {a, b}, d */
  PTX_OP_SPECIAL              /* mov d, %special; target has the ptx_special */
} ptx_op;

/* Bits of an instruction's flags. */
enum {
  PTX_FLAG_FTZ = 1 << 0,
  PTX_FLAG_SAT = 1 << 1,
  PTX_FLAG_SATFINITE = 1 << 2,
  PTX_FLAG_RELU = 1 << 3,
  PTX_FLAG_APPROX = 1 << 4,
  PTX_FLAG_NAN = 1 << 5,
  PTX_FLAG_XORSIGN = 1 << 6,
  PTX_FLAG_CC = 1 << 7,
  PTX_FLAG_SHIFTAMT = 1 << 8,
  PTX_FLAG_SIGNED = 1 << 9,   /* the first type is signed */
  PTX_FLAG_SIGNED2 = 1 << 10, /* the second type is signed */
  PTX_FLAG_TO = 1 << 11,
  PTX_FLAG_SAMPLER = 1 << 12,  /* a texture instruction has a separate sampler */
  PTX_FLAG_FUNCTION = 1 << 13, /* a call's callee is known */
  PTX_FLAG_COUNT = 1 << 14,    /* a barrier names its number of threads */
  PTX_FLAG_PARITY = 1 << 15,
  PTX_FLAG_NOCOMPLETE = 1 << 16,
  PTX_FLAG_FORMATTED = 1 << 17,
  PTX_FLAG_ALIGNED = 1 << 18, /* all lanes of a warp must execute the same barrier instruction */
};

/*
 * An operand is a word: a slot of the frame, or, with PTX_CONSTANT, an index into the module's
 * constants. With PTX_NEGATED it is a negated predicate.
 */
#define PTX_CONSTANT UINT32_C(0x80000000)
#define PTX_NEGATED UINT32_C(0x40000000)
#define PTX_SLOT_MASK UINT32_C(0x3fffffff)

enum {
  PTX_SLOT_FRAME, /* the frame's address in the thread's local memory */
  PTX_SLOT_SINK,  /* for results that are not used */
  PTX_SLOT_FIRST  /* the first register's slot */
};

#define PTX_NO_GUARD UINT32_MAX

typedef struct ptx_insn {
  uint16_t op;     /* ptx_op */
  uint8_t family;  /* ptx_family */
  uint8_t type;    /* the first ptx_type */
  uint8_t type2;   /* the second ptx_type; if there is none, the first */
  uint8_t shift;   /* 64 - bits of type */
  uint8_t dshift;  /* 64 - bits of the destination register */
  uint8_t count;   /* number of a vector's elements, or of variable operands */
  uint8_t space;   /* ptx_space */
  uint8_t round;   /* PTX_M_ROUND_, or 0 */
  uint8_t whole;   /* PTX_M_WHOLE_, or 0 */
  uint8_t part;    /* PTX_M_PART_ */
  uint8_t compare; /* PTX_M_COMPARE_ */
  uint8_t combine; /* PTX_M_COMBINE_, or 0 */
  uint8_t mode;    /* the instruction's main modifier, of a class in ptx_emit.c's modes */
  uint8_t detail;  /* a second such modifier, of a class in details */
  uint32_t flags;
  uint32_t guard;    /* a predicate operand, or PTX_NO_GUARD */
  uint32_t operands; /* index of the first operand in the module's operands */
  uint32_t target;   /* a branch's instruction, a call's index, or PTX_OP_SPECIAL's ptx_special */
  uint32_t line;
} ptx_insn;

struct ptx_module;
struct ptx_function;

typedef enum ptx_linkage {
  PTX_LINKAGE_LOCAL,
  PTX_LINKAGE_VISIBLE,
  PTX_LINKAGE_WEAK,
  PTX_LINKAGE_COMMON,
  PTX_LINKAGE_EXTERN
} ptx_linkage;

/* Bytes of a variable's initial value that receive a symbol's address, or a part of it. */
typedef struct ptx_fixup {
  uint64_t offset;
  struct ptx_global *symbol;
  int64_t addend;
  uint8_t size;  /* in bytes */
  uint8_t shift; /* the address is shifted right by this, and then cut to size bytes */
} ptx_fixup;

/* A module's symbol: a variable of any state space, or a function. */
typedef struct ptx_global {
  const char *name;
  struct ptx_module *module;
  struct ptx_global *definition; /* after linking: itself, or another module's symbol */
  struct ptx_function *function; /* NULL for a variable */
  ptx_linkage linkage;
  ptx_space space;
  bool dynamic; /* .extern .shared: the launch's dynamic shared memory */
  bool managed;
  bool unsized;       /* an .extern array without a size */
  bool address_taken; /* for functions */
  int8_t handle;      /* ptx_variable_kind of a texture, sampler or surface; -1 for memory */
  uint32_t line;
  uint32_t align;
  uint64_t size;
  unsigned char *bytes; /* initial value; NULL for zeros */
  uint64_t byte_count;  /* number of bytes, at most size; the rest is 0 */
  ptx_fixup *fixups;
  size_t fixup_count, fixup_room;
  uint64_t address; /* from ptx_initialise; for shared variables, the offset in shared memory */
  void *host;
  uint32_t index; /* in the program's variables or functions */
} ptx_global;

/* A constant that is a symbol's address plus addend, known only after the symbol is placed. */
typedef struct ptx_reloc {
  uint32_t constant;
  struct ptx_global *symbol;
  int64_t addend;
} ptx_reloc;

/* A formal parameter or result of a function. */
typedef struct ptx_formal {
  const char *name;
  uint32_t offset; /* in the frame's local memory; for an entry, in the parameter block */
  uint32_t size, align;
  uint32_t slot; /* of a .reg parameter; 0 for one in memory */
} ptx_formal;

typedef struct ptx_formals {
  ptx_formal *items;
  size_t count, room;
} ptx_formals;

/* An actual parameter or result: the frame's memory at an offset, or an operand. */
typedef struct ptx_actual {
  bool memory;
  uint32_t operand; /* the operand, or the offset if it is in memory */
  uint32_t size;
} ptx_actual;

typedef struct ptx_call {
  ptx_global *callee; /* NULL for an indirect call; then operand has the address */
  uint32_t operand;
  uint32_t result_count, argument_count;
  ptx_actual *results, *arguments;
} ptx_call;

/* The branch targets of brx.idx. */
typedef struct ptx_table {
  uint32_t *targets;
  size_t count, room;
} ptx_table;

/* The functions that the interpreter defines if the text only declares them. */
typedef enum ptx_builtin { PTX_BUILTIN_NONE, PTX_BUILTIN_VPRINTF, PTX_BUILTIN_ASSERT } ptx_builtin;

typedef struct ptx_function {
  ptx_entry entry; /* its name; for entries all members */
  struct ptx_module *module;
  ptx_global *global;
  bool is_entry, defined;
  ptx_builtin builtin;
  uint32_t line;
  uint32_t begin, end;  /* its instructions are [begin, end) */
  uint32_t slots;       /* number of slots of a frame */
  uint32_t frame_bytes; /* local memory of a frame, for variables and parameters */
  uint32_t frame_align;
  ptx_formals parameters, results;
  ptx_global **references; /* functions and shared variables that the code uses */
  size_t reference_count, reference_room;
  bool calls_indirectly;
  uint32_t mark; /* used by the linker */
} ptx_function;

typedef struct ptx_module {
  struct ptx_arena *arena;
  unsigned version, target;
  bool texmode_independent;
  ptx_insn *code;
  size_t code_count, code_room;
  uint32_t *operands;
  size_t operand_count, operand_room;
  uint64_t *constants;
  size_t constant_count, constant_room;
  ptx_reloc *relocs;
  size_t reloc_count, reloc_room;
  ptx_global **globals; /* in the text's order */
  size_t global_count, global_room;
  ptx_function **functions;
  size_t function_count, function_room;
  ptx_call *calls;
  size_t call_count, call_room;
  ptx_table *tables;
  size_t table_count, table_room;
} ptx_module;

struct ptx_program {
  ptx_module **modules;
  size_t module_count;
  ptx_function **functions; /* by index, which is in a function's address */
  size_t function_count;
  ptx_entry *entries;
  size_t entry_count;
  ptx_variable *variables;
  ptx_global **variable_globals;
  size_t variable_count;
  uint32_t dynamic_offset; /* offset of dynamic shared memory */
};

/* Writes a message to a log, which may be NULL. */
__attribute__((format(printf, 2, 3))) void ptx_say(ptx_log *log, const char *format, ...);

/*
 * Makes space for one more element of size bytes in an array with count elements. items and the
 * last argument are the addresses of the array's pointer and capacity. Returns false without a
 * change if memory is exhausted.
 */
bool ptx_grow(void *items, size_t count, size_t *room, size_t size);

#define PTX_GROW(items, count, room)                                                               \
  ((count) < (room) || ptx_grow(&(items), (count), &(room), sizeof(*(items))))

#endif

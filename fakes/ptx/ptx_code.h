/*
 * Decoded code: what the parser makes of text, the linker completes, and ptx_exec runs.
 *
 * A thread's values are slots of 64 bits. A value of fewer bits is zero-extended from its
 * register's width, and that invariant is what makes unsigned operations need no masks.
 */
#ifndef SPECPI_TEST_PTX_CODE_H
#define SPECPI_TEST_PTX_CODE_H

#include "ptx.h"
#include "ptx_types.h"

/* X(FAMILY): the function ptx_exec_FAMILY in the file ptx_exec_family.c executes it. */
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

/* Instructions of text, then those that only the parser makes. */
typedef enum ptx_op {
#define PTX_OP(NAME, mnemonic, FAMILY, types, count, classes, required, operands) PTX_OP_##NAME,
#include "ptx_opcodes.def"
#undef PTX_OP
  PTX_OP_COUNT,
  PTX_OP_PACK = PTX_OP_COUNT, /* mov d, {a, b} */
  PTX_OP_UNPACK,              /* mov {a, b}, d */
  PTX_OP_SPECIAL              /* mov d, %special: the number is in target */
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
  PTX_FLAG_SIGNED2 = 1 << 10, /* the second is */
  PTX_FLAG_TO = 1 << 11,
  PTX_FLAG_SAMPLER = 1 << 12,  /* a texture instruction has a sampler of its own */
  PTX_FLAG_FUNCTION = 1 << 13, /* a call's callee is known */
  PTX_FLAG_COUNT = 1 << 14,    /* a barrier has a number of threads */
  PTX_FLAG_PARITY = 1 << 15,
  PTX_FLAG_NOCOMPLETE = 1 << 16,
  PTX_FLAG_FORMATTED = 1 << 17,
  PTX_FLAG_ALIGNED = 1 << 18, /* all lanes of a warp come to a barrier in one way */
};

/*
 * An operand is a word: a slot of the frame, or with PTX_CONSTANT an index into the module's
 * constants; with PTX_NEGATED a predicate is negated.
 */
#define PTX_CONSTANT UINT32_C(0x80000000)
#define PTX_NEGATED UINT32_C(0x40000000)
#define PTX_SLOT_MASK UINT32_C(0x3fffffff)

enum {
  PTX_SLOT_FRAME, /* the frame's place in the thread's local memory */
  PTX_SLOT_SINK,  /* what nobody reads */
  PTX_SLOT_FIRST  /* of the registers */
};

#define PTX_NO_GUARD UINT32_MAX

typedef struct ptx_insn {
  uint16_t op;     /* ptx_op */
  uint8_t family;  /* ptx_family */
  uint8_t type;    /* ptx_type, the first */
  uint8_t type2;   /* the second, or the first again */
  uint8_t shift;   /* 64 - bits of type */
  uint8_t dshift;  /* 64 - bits of the destination's register */
  uint8_t count;   /* elements of a vector, operands of variable number */
  uint8_t space;   /* ptx_space */
  uint8_t round;   /* PTX_M_ROUND_, or 0 */
  uint8_t whole;   /* PTX_M_WHOLE_, or 0 */
  uint8_t part;    /* PTX_M_PART_ */
  uint8_t compare; /* PTX_M_COMPARE_ */
  uint8_t combine; /* PTX_M_COMBINE_, or 0 */
  uint8_t mode;    /* the one modifier of the other classes that the instruction is about */
  uint8_t detail;  /* a second one of these */
  uint32_t flags;
  uint32_t guard;    /* operand, or PTX_NO_GUARD */
  uint32_t operands; /* of the first one in the module's */
  uint32_t target;   /* of a branch: instruction; of a call: index; PTX_OP_SPECIAL: ptx_special */
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

/* Bytes of a variable that hold a symbol's address, or some of its bits. */
typedef struct ptx_fixup {
  uint64_t offset;
  struct ptx_global *symbol;
  int64_t addend;
  uint8_t size;  /* bytes */
  uint8_t shift; /* of the address, to the right, before it is cut to size bytes */
} ptx_fixup;

/* A symbol of a module: a variable of any state space, or a function. */
typedef struct ptx_global {
  const char *name;
  struct ptx_module *module;
  struct ptx_global *definition; /* after linking: itself, or another module's */
  struct ptx_function *function; /* NULL: a variable */
  ptx_linkage linkage;
  ptx_space space;
  bool dynamic; /* .extern .shared: the launch's dynamic shared memory */
  bool managed;
  bool unsized;       /* an .extern array without a size */
  bool address_taken; /* of a function */
  int8_t handle;      /* ptx_variable_kind of textures and so on; -1: memory */
  uint32_t line;
  uint32_t align;
  uint64_t size;
  unsigned char *bytes; /* initial ones; NULL: zeroes */
  uint64_t byte_count;  /* of bytes, at most size */
  ptx_fixup *fixups;
  size_t fixup_count, fixup_room;
  uint64_t address; /* placed, or the offset in shared memory */
  void *host;
  uint32_t index; /* of a variable of the program, or of a function */
} ptx_global;

/* A constant that is not known before a symbol has its place: its address, and addend. */
typedef struct ptx_reloc {
  uint32_t constant;
  struct ptx_global *symbol;
  int64_t addend;
} ptx_reloc;

/* A formal parameter or result of a function. */
typedef struct ptx_formal {
  const char *name;
  uint32_t offset; /* in the frame's local memory; of an entry: in the block of parameters */
  uint32_t size, align;
  uint32_t slot; /* of a .reg parameter; 0: it is memory */
} ptx_formal;

typedef struct ptx_formals {
  ptx_formal *items;
  size_t count, room;
} ptx_formals;

/* An actual parameter or result: of the frame's memory at offset, or an operand. */
typedef struct ptx_actual {
  bool memory;
  uint32_t operand; /* or offset */
  uint32_t size;
} ptx_actual;

typedef struct ptx_call {
  ptx_global *callee; /* NULL: indirect, operand has the address */
  uint32_t operand;
  uint32_t result_count, argument_count;
  ptx_actual *results, *arguments;
} ptx_call;

/* Where indices of brx.idx lead. */
typedef struct ptx_table {
  uint32_t *targets;
  size_t count, room;
} ptx_table;

/* The functions that the interpreter itself has where the text only declares them. */
typedef enum ptx_builtin { PTX_BUILTIN_NONE, PTX_BUILTIN_VPRINTF, PTX_BUILTIN_ASSERT } ptx_builtin;

typedef struct ptx_function {
  ptx_entry entry; /* the name, and what is only known of an entry */
  struct ptx_module *module;
  ptx_global *global;
  bool is_entry, defined;
  ptx_builtin builtin;
  uint32_t line;
  uint32_t begin, end;  /* instructions */
  uint32_t slots;       /* of a frame */
  uint32_t frame_bytes; /* of local memory: variables, parameters */
  uint32_t frame_align;
  ptx_formals parameters, results;
  ptx_global **references; /* functions and shared variables of the code */
  size_t reference_count, reference_room;
  bool calls_indirectly;
  uint32_t mark; /* the linker's */
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
  ptx_function **functions; /* by index, for addresses of functions */
  size_t function_count;
  ptx_entry *entries;
  size_t entry_count;
  ptx_variable *variables;
  ptx_global **variable_globals;
  size_t variable_count;
  uint32_t dynamic_offset; /* where dynamic shared memory begins */
};

/* Writes a message to the log; NULL is fine. */
__attribute__((format(printf, 2, 3))) void ptx_say(ptx_log *log, const char *format, ...);

/*
 * Makes space for one more element of size bytes after count ones. items is the address of the
 * pointer to the array, space that of the number there is space for. False: no memory, nothing
 * changed.
 */
bool ptx_grow(void *items, size_t count, size_t *room, size_t size);

#define PTX_GROW(items, count, room)                                                               \
  ((count) < (room) || ptx_grow(&(items), (count), &(room), sizeof(*(items))))

#endif

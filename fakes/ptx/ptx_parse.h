/*
 * Declarations that the parser's files share. Functions write a message to the log before they
 * return false.
 */
#ifndef SPECPI_TEST_PTX_PARSE_H
#define SPECPI_TEST_PTX_PARSE_H

#include "ptx_lex.h"
#include "ptx_symbols.h"

/* A branch, or an element of a table, whose label is not known yet. */
typedef struct ptx_pending {
  const char *name;
  size_t length;
  uint32_t line;
  uint32_t insn; /* the branch, unless in_table */
  uint32_t table, element;
  bool in_table;
} ptx_pending;

/* The slot of a register of a range, allocated when the text first names the register. */
typedef struct ptx_ranged {
  struct ptx_ranged *next;
  const ptx_symbol *range;
  uint64_t index;
  uint32_t slot;
} ptx_ranged;

typedef enum ptx_operand_kind {
  PTX_OPERAND_SLOT,   /* a register: slot, type, negated */
  PTX_OPERAND_NUMBER, /* an integer in number */
  PTX_OPERAND_F32,    /* a literal's bits in number */
  PTX_OPERAND_F64,
  PTX_OPERAND_SYMBOL,  /* symbol + addend */
  PTX_OPERAND_SPECIAL, /* a special register, its number in number */
  PTX_OPERAND_SINK,    /* _ */
  PTX_OPERAND_VECTOR,  /* { children } */
  PTX_OPERAND_LIST,    /* ( children ) */
  PTX_OPERAND_ADDRESS, /* [ children ], each with its addend */
  PTX_OPERAND_UNKNOWN  /* an unknown name, possibly a label */
} ptx_operand_kind;

enum { PTX_OPERAND_LIMIT = 512, PTX_NO_OPERAND = -1 };

typedef struct ptx_operand {
  ptx_operand_kind kind;
  bool negated;
  ptx_type type;
  uint32_t slot, vector;
  uint64_t number;
  int64_t addend;
  ptx_symbol *symbol;
  const char *name; /* for PTX_OPERAND_UNKNOWN */
  size_t length;
  int first, last; /* children, linked by next */
  int next;        /* PTX_NO_OPERAND at the end */
  int second;      /* the operand after |, or PTX_NO_OPERAND */
  uint32_t count;  /* number of children */
} ptx_operand;

typedef struct ptx_op_info {
  const char *mnemonic;
  uint32_t types;
  int8_t count;
  uint8_t family;
  uint64_t classes, required;
  const char *operands;
} ptx_op_info;

extern const ptx_op_info ptx_op_infos[PTX_OP_COUNT];

/* An instruction's operation, modifiers and types, without its operands. */
typedef struct ptx_words {
  ptx_op op;
  uint8_t fields[PTX_CLASS_COUNT]; /* by class: PTX_M_*, or 0 */
  ptx_type types[4];
  uint32_t type_count;
} ptx_words;

typedef struct ptx_parser {
  ptx_lexer lexer;
  ptx_token token; /* the next token */
  ptx_log *log;
  ptx_status status;
  ptx_limits limits;
  ptx_module *module;
  ptx_symbols symbols;
  /* For the function that is being parsed. */
  ptx_function *function;
  ptx_ranged *ranged[PTX_BUCKETS];
  ptx_pending *pending;
  size_t pending_count, pending_room;
  size_t pending_begins[PTX_SCOPE_LIMIT];
  /* For the instruction that is being parsed. */
  ptx_operand operands[PTX_OPERAND_LIMIT];
  int operand_count;
  uint32_t line;
  uint32_t recent[256]; /* constants by hash, to share equal ones; 0 for none */
} ptx_parser;

/* Fails with PTX_INVALID_PTX and the message after "line N: ", for the next token's line. */
__attribute__((format(printf, 2, 3))) bool ptx_fail(ptx_parser *parser, const char *format, ...);
bool ptx_fail_memory(ptx_parser *parser);

/* Arguments of "%.*s" for a token's text in a message. */
#define PTX_SHOWN(token) ((token).length < 60 ? (int)(token).length : 60), (token).text

/* The same for an operand's name. */
#define PTX_UNKNOWN_NAME(operand)                                                                  \
  ((operand)->length < 60 ? (int)(operand)->length : 60), (operand)->name

void ptx_next(ptx_parser *parser);
bool ptx_is_mark(const ptx_parser *parser, char mark);
bool ptx_is_dot(const ptx_parser *parser, const char *word);
/* Skip a mark or .word if it is next. Return whether it was. */
bool ptx_take_mark(ptx_parser *parser, char mark);
bool ptx_take_dot(ptx_parser *parser, const char *word);
/* The same, but fail if it is not next. */
bool ptx_need_mark(ptx_parser *parser, char mark);
bool ptx_need_number(ptx_parser *parser, uint64_t max, uint64_t *ret);

/* Skips a type if it is next. Returns whether it was. */
bool ptx_take_type(ptx_parser *parser, ptx_type *ret);
bool ptx_find_type(const ptx_token *token, ptx_type *ret);

/* Copies a name into the module. Returns NULL on failure. */
char *ptx_name(ptx_parser *parser, const char *text, size_t length);

/* ptx_parse_variable.c */

/* The words between a state space and a variable's name. */
typedef struct ptx_declared {
  ptx_type type;
  uint32_t align, vector;
  int handle; /* ptx_variable_kind, or -1 */
  bool managed;
} ptx_declared;

bool ptx_parse_declared(ptx_parser *parser, ptx_declared *ret);
/* Parses [N][M] and computes the number of elements. *unsized: the first [] is empty. */
bool ptx_parse_extents(ptx_parser *parser, uint64_t *count, bool *unsized);
/* Parses a variable from after its linkage and state space up to the semicolon. */
bool ptx_parse_variable(ptx_parser *parser, ptx_linkage linkage, ptx_space space);
bool ptx_parse_registers(ptx_parser *parser);
/* Finds or adds a module's symbol. *existing: it was found. Returns NULL on failure. */
ptx_global *ptx_declare_global(ptx_parser *parser, const ptx_token *name, bool *existing);

/* ptx_parse_function.c */

bool ptx_parse_function(ptx_parser *parser, ptx_linkage linkage, bool entry);

/* ptx_parse_operand.c */

/* Parses operands up to but not including the semicolon. They are linked from *first by next. */
bool ptx_parse_operands(ptx_parser *parser, int *first, uint32_t *count);
/* Finds a register, which may be in a range. ret->symbol is NULL if there is none. */
bool ptx_find_register(ptx_parser *parser, const ptx_token *token, ptx_operand *ret);
/* Convert an operand to a word that is read (source) or written (target) as type. */
bool ptx_source(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word);
bool ptx_target(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word);
/* The same for registers that may be wider than the type. *bits receives the register's width. */
bool ptx_source_wide(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word);
bool ptx_target_wide(ptx_parser *parser, const ptx_operand *operand, ptx_type type, uint32_t *word,
                     unsigned *bits);
/*
 * Converts the first child of [ ] to base and offset. Frame variables have the base PTX_SLOT_FRAME.
 * *space is the instruction's state space, and becomes the symbol's.
 */
bool ptx_address(ptx_parser *parser, const ptx_operand *operand, ptx_space *space, uint32_t *base,
                 int64_t *offset);
/* Make words of constants: a value, or an address that is known only after linking. */
bool ptx_constant(ptx_parser *parser, uint64_t value, uint32_t *word);
bool ptx_symbol_constant(ptx_parser *parser, ptx_global *global, int64_t addend, uint32_t *word);
/* Records that the function's code uses a function or shared variable. */
bool ptx_refer(ptx_parser *parser, ptx_global *global);
uint32_t ptx_new_slots(ptx_parser *parser, uint32_t count);

/* ptx_parse_instruction.c */

/* Parses an instruction from after its mnemonic up to the semicolon. */
bool ptx_parse_instruction(ptx_parser *parser, const ptx_token *mnemonic, uint32_t guard);

/* ptx_emit.c */

/* A list of parsed operands, which are taken one after another. */
typedef struct ptx_chain {
  const ptx_operand *next; /* NULL at the end */
} ptx_chain;

/* Parses the operands, and appends the instruction. */
bool ptx_emit(ptx_parser *parser, const ptx_words *words, uint32_t guard);
/* Appends an instruction, to which operands can then be appended. Returns NULL on failure. */
ptx_insn *ptx_emit_insn(ptx_parser *parser, const ptx_words *words, uint32_t guard);
bool ptx_emit_word(ptx_parser *parser, uint32_t word);
/* Appends an exit or ret, for the end of a body. */
bool ptx_emit_exit(ptx_parser *parser, ptx_op op);

/* Takes the next operand of the chain. Fails at the end. */
const ptx_operand *ptx_take(ptx_parser *parser, ptx_chain *chain);
const ptx_operand *ptx_child(const ptx_parser *parser, const ptx_operand *operand, uint32_t index);
/* Take an operand, and emit its word. */
bool ptx_emit_source(ptx_parser *parser, ptx_chain *chain, ptx_type type);
bool ptx_emit_target(ptx_parser *parser, ptx_chain *chain, ptx_type type);
bool ptx_emit_number(ptx_parser *parser, uint64_t value);
/* Takes [ ], and emits base and offset. */
bool ptx_emit_address(ptx_parser *parser, ptx_chain *chain, ptx_space *space);
/* Returns the type of the same kind with twice the bits. */
ptx_type ptx_twice(ptx_type type);
/* Returns the type that fits any register of this width: 8, 16, 32 or 64 bits. */
ptx_type ptx_bits_type(unsigned bits);

/* ptx_emit_memory.c, ptx_emit_control.c and ptx_emit_texture.c: rows with "*letter" operands */

bool ptx_emit_memory(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                     ptx_chain *chain);
bool ptx_emit_control(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                      ptx_chain *chain);
bool ptx_emit_texture(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                      ptx_chain *chain);

#endif

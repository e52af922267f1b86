/*
 * The specialization constants of a program and their values, for all forms of code. All plugins
 * share the checks, which are done before any driver is called.
 */
#ifndef CODE_CONSTANTS_H
#define CODE_CONSTANTS_H

#include <pi/pi.h>

/* Kinds of constants: each has its own rule for setting values. */
typedef enum code_constant_kind {
  CODE_CONSTANT_NUMBER,  /* 1, 2, 4 or 8 bytes, stored unchanged */
  CODE_CONSTANT_BOOLEAN, /* 1 byte: 0 is false, all else is true */
  CODE_CONSTANT_MIXED,   /* cannot be set: constants of different sizes share the id */
  CODE_CONSTANT_OTHER,   /* cannot be set: neither a boolean nor a number of 1, 2, 4 or 8 bytes */
} code_constant_kind;

/*
 * A specialization constant and its value. Several constants of a module may share an id. If all
 * have the same size, they are set together, and default_value is the first one's.
 */
typedef struct code_constant {
  pi_uint32 id;
  pi_uint32 size; /* bytes of a value; 0 when it cannot be set */
  code_constant_kind kind;
  bool is_set;
  size_t at;                      /* offset of its value in the store's values */
  unsigned char default_value[8]; /* from the SPIR-V module, little endian; else 0 */
  unsigned char value[8];         /* only in snapshots: the value if is_set, little endian */
} code_constant;

/*
 * A store of constants. Its functions are thread safe, except code_constants_free and those that
 * say so.
 */
typedef struct code_constants code_constants;

/* Makes an empty store. Free it with code_constants_free. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_create(code_constants **ret);

/*
 * Adds count constants to an empty store. The array is in ascending order of ids, comes from
 * malloc, and then belongs to the store. The values are added later. Only before the store is
 * shared.
 */
void constants_declare(code_constants *constants, code_constant *declared, size_t count);

/*
 * Appends a copy of size bytes of values, or zeros if values is NULL, at offset `at`, which is not
 * before the end of the present values. A gap is filled with zeros. Only before the store is
 * shared. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result constants_extend(code_constants *constants, size_t at, size_t size,
                           const unsigned char *values);

/* Returns the number of constants, which never changes once a program has the store. */
size_t constants_count(const code_constants *constants);

/* Returns the size of all values, which no longer changes once a program has the store. */
size_t constants_values_size(const code_constants *constants);

/*
 * Reads the constants that a SPIR-V module declares into a new store. Free it with
 * code_constants_free. The module is not kept. For any n bytes the memory is O(n) and the time is
 * O(n log n).
 *
 * A declared constant is an OpSpecConstantTrue, OpSpecConstantFalse or OpSpecConstant with the
 * decoration SpecId, its own or a decoration group's. SpecId on other instructions is ignored. If
 * a constant has several ids, the first one counts.
 *
 * PI_ERROR_INVALID_VALUE: the module is NULL or too short, its length is not a multiple of 4, it
 * has a wrong magic number or the other byte order, an instruction has no words or runs past the
 * end, or a type, decoration or constant lacks operands. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_constants_read(const void *il, size_t length, code_constants **ret);

/* Reads the constants like code_constants_read, but into an existing empty store. */
pi_result spirv_declare_constants(const void *il, size_t length, code_constants *store);

/* Frees a store; NULL is fine. */
void code_constants_free(code_constants *constants);

/*
 * Implements piextProgramSetSpecializationConstant for every plugin. Checks the arguments and
 * copies size bytes from value, which need not be aligned. A boolean becomes 0 or 1. Earlier
 * snapshots keep the old value. An error changes nothing.
 *
 * PI_SUCCESS without effect: the id is PI_SPEC_ID_ITT and the module does not declare it.
 * PI_ERROR_INVALID_SPEC_ID (-71): the module declares no constant with this id.
 * PI_ERROR_INVALID_VALUE: value is NULL, size is not the constant's, or the constant's kind cannot
 * be set.
 */
pi_result code_constants_set(code_constants *constants, pi_uint32 id, size_t size,
                             const void *value);

/* Returns the size of the value for an id; 0 if the id is unknown or cannot be set. */
pi_uint32 constants_size_of(code_constants *constants, pi_uint32 id);

/* A value for the constants with an id. */
typedef struct constant_setting {
  pi_uint32 id;
  size_t size;
  const void *value;
} constant_setting;

/*
 * Sets several values atomically: a snapshot has all of them or none. An error sets none. If an id
 * occurs twice, the later value counts.
 */
pi_result code_constants_set_all(code_constants *constants, const constant_setting *settings,
                                 size_t count);

/*
 * Refuses to set a constant, for programs whose constants cannot be set: fails with code and a
 * message that ends with why. PI_SPEC_ID_ITT succeeds without effect, because runtimes set it
 * unasked and would abandon the program after an error. PI_ERROR_INVALID_VALUE: the id is
 * PI_SPEC_ID_ITT and value is NULL.
 */
pi_result constants_refuse(pi_uint32 id, const void *value, pi_result code, const char *why);

/*
 * Copies all constants with their present values into an array in ascending order of ids. The
 * caller calls free on it. *ret is NULL if there are no constants. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_constants_snapshot(code_constants *constants, code_constant **ret, size_t *count);

/*
 * Copies all present values. After them follows one byte for each constant, in ascending order of
 * ids: 1 if the constant is set. The copy has constants_copy_size bytes; the caller frees it.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
size_t constants_copy_size(const code_constants *constants);
pi_result constants_copy_values(code_constants *constants, unsigned char **ret);

/*
 * Finds the next constant that is set in a result of constants_copy_values. *next is the place
 * where to go on, 0 at first. Returns false after the last one. Takes no lock: only values ever
 * change.
 */
bool constants_next_set(const code_constants *constants, const unsigned char *values, size_t *next,
                        constant_setting *ret);

/* Copies a result of constants_copy_values. The caller frees *ret. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_copy_again(const code_constants *constants, const unsigned char *values,
                               unsigned char **ret);

/* A constant that a module declares. */
typedef struct code_constant_place {
  size_t position; /* index of the first word of its instruction */
  pi_uint32 id;
} code_constant_place;

/*
 * Finds the declared constants of a module. *ret receives an array in ascending order of ids and
 * then of positions; the caller calls free on it. Constants that share an id are listed separately,
 * unlike in code_constants_read. Errors as code_constants_read.
 */
pi_result code_constants_find(const void *il, size_t length, code_constant_place **ret,
                              size_t *count);

#endif

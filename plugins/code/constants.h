/*
 * The specialization constants of a program and the values set for them, whatever form its code
 * has: the checks that all plugins share, done before any driver is called.
 */
#ifndef CODE_CONSTANTS_H
#define CODE_CONSTANTS_H

#include <pi/pi.h>

/* Kinds of constants, as far as setting them is concerned. */
typedef enum code_constant_kind {
  CODE_CONSTANT_NUMBER,  /* of 1, 2, 4 or 8 bytes: all bits count */
  CODE_CONSTANT_BOOLEAN, /* 1 byte: 0 is false, all else is true */
  CODE_CONSTANT_MIXED,   /* constants of different sizes share the id: cannot be set */
  CODE_CONSTANT_OTHER,   /* neither boolean nor a number of such a size: cannot be set */
} code_constant_kind;

/*
 * A specialization constant as its module declares it, and as it is set. Several constants of a
 * module may share an id. If they have one size they are set together, and default_value is that of
 * the first one in the module.
 */
typedef struct code_constant {
  pi_uint32 id;
  pi_uint32 size; /* bytes of a value; 0 when it cannot be set */
  code_constant_kind kind;
  bool is_set;
  size_t at;                      /* place of its value among all values */
  unsigned char default_value[8]; /* of SPIR-V: the module's, little endian */
  unsigned char value[8];         /* little endian, for sizes up to 8; valid when is_set */
} code_constant;

/*
 * The store. It has a lock of its own, so any thread may call its functions; only the free needs to
 * be alone.
 */
typedef struct code_constants code_constants;

/* An empty store, which the caller frees with code_constants_free. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_create(code_constants **ret);

/*
 * Gives an empty store count constants, in memory of malloc's and in ascending order of their ids;
 * their values are added later. Only before the store is shared.
 */
void constants_declare(code_constants *constants, code_constant *declared, size_t count);

/*
 * Adds a copy of size bytes of values, or zeros if it is NULL, at a place after all others, with
 * zeros between. Only before the store is shared. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result constants_extend(code_constants *constants, size_t at, size_t size,
                           const unsigned char *values);

/* The size of all values, which does not change any more once a program has the store. */
size_t constants_values_size(const code_constants *constants);

/*
 * Reads the declared constants out of a SPIR-V module; *ret receives a store that the
 * caller frees with code_constants_free. The module is not kept. Memory is proportional to
 * its size and time to its size times the logarithm of that, whatever its bytes are.
 *
 * Declared is what carries the decoration SpecId (by itself or through a decoration group)
 * and is an OpSpecConstantTrue, OpSpecConstantFalse or OpSpecConstant; on all else the
 * decoration means nothing. Where a constant has several ids the first one counts.
 *
 * PI_ERROR_INVALID_VALUE: not a well-formed SPIR-V module: NULL, too short, length not a
 * multiple of 4, wrong magic number, other byte order, an instruction of no words or one
 * that runs past the end, a type, decoration or constant that lacks operands.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_constants_read(const void *il, size_t length, code_constants **ret);

/* Reads them into an empty store, which stays the caller's also after a failure. */
pi_result spirv_declare_constants(const void *il, size_t length, code_constants *store);

/* Frees a store; NULL is fine. */
void code_constants_free(code_constants *constants);

/*
 * piextProgramSetSpecializationConstant of every plugin: checks, then copies size bytes from value,
 * which need not be aligned. A boolean becomes 0 or 1. The value counts from the next snapshot on.
 * After an error all values are as before.
 *
 * PI_SUCCESS without effect for PI_SPEC_ID_ITT when the module does not declare it.
 * PI_ERROR_INVALID_SPEC_ID (-71): the module declares no constant with this id.
 * PI_ERROR_INVALID_VALUE: value is NULL, size is not the constant's, or the constant is
 * of a kind that cannot be set.
 */
pi_result code_constants_set(code_constants *constants, pi_uint32 id, size_t size,
                             const void *value);

/* The size of a value for an id's constants, which does not change; 0 for an unknown id. */
pi_uint32 constants_size_of(code_constants *constants, pi_uint32 id);

/* A value for the constants of an id. */
typedef struct constant_setting {
  pi_uint32 id;
  size_t size;
  const void *value;
} constant_setting;

/*
 * Sets several at once: all of them, or after an error none. The latest value of an id counts. No
 * snapshot has only some of them.
 */
pi_result code_constants_set_all(code_constants *constants, const constant_setting *settings,
                                 size_t count);

/*
 * Refuses a constant of a program that has none to set: fails with code and a message that ends
 * with why. PI_SUCCESS without effect for PI_SPEC_ID_ITT, because runtimes set it unasked and would
 * give the program up; PI_ERROR_INVALID_VALUE if value is NULL then.
 */
pi_result constants_refuse(pi_uint32 id, const void *value, pi_result code, const char *why);

/*
 * Copies all constants as they are now, in ascending order of their ids, into an array
 * that the caller frees with free; *ret is NULL and *count 0 when there are none.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_constants_snapshot(code_constants *constants, code_constant **ret, size_t *count);

/*
 * A copy of all values as they are now, freed by the caller. After them follows a byte for each
 * constant, in the order of ids: whether it is set. constants_copy_size bytes in all.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
size_t constants_copy_size(const code_constants *constants);
pi_result constants_copy_values(code_constants *constants, unsigned char **ret);

/* A copy of such a copy, which the caller frees. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_copy_again(const code_constants *constants, const unsigned char *values,
                               unsigned char **ret);

/* A constant that a module declares: the word where its instruction begins, and its id. */
typedef struct code_constant_place {
  size_t position;
  pi_uint32 id;
} code_constant_place;

/*
 * Finds the declared constants of a module, in ascending order of their ids and then of their
 * places: an array that the caller frees with free. Several may have one id; code_constants_read
 * makes one of them. Errors as code_constants_read.
 */
pi_result code_constants_find(const void *il, size_t length, code_constant_place **ret,
                              size_t *count);

#endif

/*
 * The specialization constants of a program and the values set for them, whatever form its code
 * has: the checks that all plugins share, done before any driver is called.
 */
#ifndef PI_CODE_CONSTANTS_H
#define PI_CODE_CONSTANTS_H

#include <pi/pi.h>

/* What a constant is, as far as setting it is concerned. */
typedef enum pi_constant_kind {
  PI_CONSTANT_NUMBER,  /* of 1, 2, 4 or 8 bytes: all bits count */
  PI_CONSTANT_BOOLEAN, /* 1 byte: 0 is false, all else is true */
  PI_CONSTANT_MIXED,   /* constants of different sizes share the id: cannot be set */
  PI_CONSTANT_OTHER,   /* neither boolean nor a number of such a size: cannot be set */
} pi_constant_kind;

/*
 * One specialization constant as its module declares it, and as it is set. Several
 * constants of a module may share an id; when they have one size they are set together,
 * and default_value is that of the first one in the module.
 */
typedef struct pi_constant {
  pi_uint32 id;
  pi_uint32 size; /* bytes of a value; 0 when it cannot be set */
  pi_constant_kind kind;
  bool is_set;
  size_t at;                      /* of its value among all values */
  unsigned char default_value[8]; /* of SPIR-V: the module's, little endian */
  unsigned char value[8];         /* little endian, if it is no longer; meaningful when is_set */
} pi_constant;

/*
 * The store. It has a lock of its own: any of its functions may be called from any
 * thread, with the exception that nothing may run beside the free.
 */
typedef struct pi_constants pi_constants;

/* An empty store, which the caller frees with pi_constants_free. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_create(pi_constants **ret);

/*
 * Has an empty store take over count constants, which malloc gave, in ascending order of their ids;
 * their values are to be added. Before anybody else knows the store.
 */
void constants_declare(pi_constants *constants, pi_constant *declared, size_t count);

/*
 * Adds a copy of size bytes of values, or zeros if it is NULL, at a place behind all others, with
 * zeros between. Before anybody else knows the store. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result constants_extend(pi_constants *constants, size_t at, size_t size,
                           const unsigned char *values);

/* The size of all values, which does not change any more once a program has the store. */
size_t constants_values_size(const pi_constants *constants);

/*
 * Reads the declared constants out of a SPIR-V module; *ret receives a store that the
 * caller frees with pi_constants_free. The module is not kept. Memory is proportional to
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
pi_result pi_constants_read(const void *il, size_t length, pi_constants **ret);

/* The same into an empty store, which is the caller's also after a failure. */
pi_result spirv_declare_constants(const void *il, size_t length, pi_constants *store);

/* Frees a store; NULL is fine. */
void pi_constants_free(pi_constants *constants);

/*
 * What piextProgramSetSpecializationConstant does in every plugin: checks, then copies
 * size bytes from value, which need not be aligned. A boolean becomes 0 or 1. The value
 * counts from the next snapshot on. After an error all values are as before.
 *
 * PI_SUCCESS without effect for PI_SPEC_ID_ITT when the module does not declare it.
 * PI_ERROR_INVALID_SPEC_ID (-71): the module declares no constant with this id.
 * PI_ERROR_INVALID_VALUE: value is NULL, size is not the constant's, or the constant is
 * of a kind that cannot be set.
 */
pi_result pi_constants_set(pi_constants *constants, pi_uint32 id, size_t size, const void *value);

/*
 * What setting a constant of a program does that has none which could be set: fails with code, and
 * why is the end of its sentence. PI_SUCCESS without effect for PI_SPEC_ID_ITT, which runtimes set
 * unasked, and would give the program up; PI_ERROR_INVALID_VALUE if value is NULL then.
 */
pi_result constants_refuse(pi_uint32 id, const void *value, pi_result code, const char *why);

/*
 * Copies all constants as they are now, in ascending order of their ids, into an array
 * that the caller frees with free; *ret is NULL and *count 0 when there are none.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result pi_constants_snapshot(pi_constants *constants, pi_constant **ret, size_t *count);

/* A copy of all values as they are now, freed by the caller. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result constants_copy_values(pi_constants *constants, unsigned char **ret);

/* A constant that a module declares: the word where its instruction begins, and its id. */
typedef struct pi_constant_place {
  size_t position;
  pi_uint32 id;
} pi_constant_place;

/*
 * Where the declared constants of a module are, in ascending order of their ids and then of their
 * places: an array that the caller frees with free. Several may have one id, which is what
 * pi_constants_read makes one of. Errors as pi_constants_read.
 */
pi_result pi_constants_find(const void *il, size_t length, pi_constant_place **ret, size_t *count);

#endif

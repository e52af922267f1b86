/* Functions of vectors, computed element by element. */
#ifndef LIBRARY_VECTORS_H
#define LIBRARY_VECTORS_H

#include "device.h"

/* X(n, ...): numbers of elements of vectors. */
#define COUNTS(X, ...)                                                                             \
  X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)
/* Element i of a vector whose elements have the type. */
#define PART(type, vector) (((type *)&(vector))[i])

/* For COUNTS: functions of one vector, of two, of a vector and a vector of ints, of a vector and an
 * int. */
#define OF_ONE(n, name, type)                                                                      \
  type##n API name(type##n x) {                                                                    \
    type##n made;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(type, made) = name(PART(type, x));                                                      \
    return made;                                                                                   \
  }
#define OF_TWO(n, name, type)                                                                      \
  type##n API name(type##n x, type##n y) {                                                         \
    type##n made;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(type, made) = name(PART(type, x), PART(type, y));                                       \
    return made;                                                                                   \
  }
#define OF_INTS(n, name, type)                                                                     \
  type##n API name(type##n x, int##n y) {                                                          \
    type##n made;                                                                                  \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(type, made) = name(PART(type, x), PART(int, y));                                        \
    return made;                                                                                   \
  }
#define OF_AN_INT(n, name, type)                                                                   \
  type##n API name(type##n x, int y) { return name(x, (int##n)y); }

/*
 * For IN_SPACES: a function of one or two arguments that stores a second result in an address
 * space, for vectors and for scalars (n is empty). It calls the function for scalars and generic
 * memory, which has to exist.
 */
#define STORES(n, name, type, stored, space, parameters, ...)                                      \
  type##n API name(parameters space stored##n *to) {                                               \
    type##n made;                                                                                  \
    stored##n all;                                                                                 \
    for (uint i = 0; i < ELEMENTS(n); i++) {                                                       \
      stored one;                                                                                  \
      PART(type, made) = name(__VA_ARGS__, &one);                                                  \
      PART(stored, all) = one;                                                                     \
    }                                                                                              \
    *to = all;                                                                                     \
    return made;                                                                                   \
  }
#define STORING(n, name, type, stored, space)                                                      \
  STORES(n, name, type, stored, space, type##n x ONE_MORE, PART(type, x))
#define STORING_OF_TWO(n, name, type, stored, space)                                               \
  STORES(n, name, type, stored, space, type##n x ONE_MORE type##n y ONE_MORE, PART(type, x),       \
         PART(type, y))
#define ONE_MORE ,
#define IN_SPACES(FORM, name, type, stored)                                                        \
  COUNTS(FORM, name, type, stored, )                                                               \
  FORM(, name, type, stored, global)                                                               \
  COUNTS(FORM, name, type, stored, global)                                                         \
  FORM(, name, type, stored, local) COUNTS(FORM, name, type, stored, local)

#endif

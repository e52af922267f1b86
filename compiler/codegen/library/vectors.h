/* Functions of vectors by their elements. */
#ifndef LIBRARY_VECTORS_H
#define LIBRARY_VECTORS_H

#include "device.h"

/* X(n, ...): how many elements a vector has. */
#define COUNTS(X, ...)                                                                             \
  X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)
/* Element i of a vector, whose type is a type of elements with a number. */
#define PART(type, vector) (((type *)&(vector))[i])

/* For COUNTS: name of a vector, of two, of one and one of ints, of one and an int. */
#define OF_ONE(n, name, type)                                                                      \
  type##n API name(type##n x) {                                                                    \
    type##n made;                                                                                  \
    for (uint i = 0; i < sizeof made / sizeof(type); i++)                                          \
      PART(type, made) = name(PART(type, x));                                                      \
    return made;                                                                                   \
  }
#define OF_TWO(n, name, type)                                                                      \
  type##n API name(type##n x, type##n y) {                                                         \
    type##n made;                                                                                  \
    for (uint i = 0; i < sizeof made / sizeof(type); i++)                                          \
      PART(type, made) = name(PART(type, x), PART(type, y));                                       \
    return made;                                                                                   \
  }
#define OF_INTS(n, name, type)                                                                     \
  type##n API name(type##n x, int##n y) {                                                          \
    type##n made;                                                                                  \
    for (uint i = 0; i < sizeof made / sizeof(type); i++)                                          \
      PART(type, made) = name(PART(type, x), PART(int, y));                                        \
    return made;                                                                                   \
  }
#define OF_AN_INT(n, name, type)                                                                   \
  type##n API name(type##n x, int y) { return name(x, (int##n)y); }

#endif

/*
 * The value of a specialization constant, with its type. Part of specpi.h, which includes this
 * file.
 *
 *   int radius = 3;
 *   float weights[3] = {1, 2, 1};
 *   const specpi_value values[] = {
 *       SPECPI_VALUE("radius", radius),
 *       SPECPI_VALUE("weights", weights),
 *   };
 *   specpiBundleGetKernel(bundle, "blur", NULL, 2, values, &kernel);
 */
#ifndef SPECPI_VALUE_H
#define SPECPI_VALUE_H

#include <stddef.h>

/*
 * X(NAME, name): the types of scalars that a constant may consist of, with the names of
 * specpiImageGetLeafTypes. Integers have no sign.
 */
#define SPECPI_TYPES(X)                                                                            \
  X(BOOL, bool)                                                                                    \
  X(I8, i8)                                                                                        \
  X(I16, i16)                                                                                      \
  X(I32, i32)                                                                                      \
  X(I64, i64)                                                                                      \
  X(F16, f16)                                                                                      \
  X(F32, f32)                                                                                      \
  X(F64, f64)

typedef enum specpi_type {
  SPECPI_TYPE_NONE, /* unknown: a structure, or bytes */
#define SPECPI_TYPE(NAME, name) SPECPI_TYPE_##NAME,
  SPECPI_TYPES(SPECPI_TYPE)
#undef SPECPI_TYPE
      SPECPI_TYPE_COUNT
} specpi_type;

/*
 * A constant's value, for specpiBundleSetMany and specpiBundleGetKernel. SPECPI_VALUE makes one
 * with the type and size of a variable, which must be the constant's. For a plain {name, size,
 * value} only the size is checked.
 */
typedef struct specpi_value {
  const char *name;  /* the constant's symbolic id */
  size_t size;       /* bytes at value, as specpiBundleSet; or SPECPI_TYPED_SIZE */
  const void *value; /* at any alignment */
} specpi_value;

/*
 * The value of a variable, as an initializer. variable is an lvalue, and must be valid as long as
 * the specpi_value. The type is checked for scalars and arrays of scalars, and only the size for
 * structures and all else. C has no name for half, so pass a structure. Needs C11 or C++11.
 */
#define SPECPI_VALUE(name, variable)                                                               \
  { (name), SPECPI_TYPED_SIZE(SPECPI_TYPE_OF(variable), sizeof(variable)), &(variable) }

/* A size whose upper eight bits are a specpi_type: of the scalar, or of each scalar of an array. */
#define SPECPI_TYPED_SIZE(type, size) ((size_t)(type) << SPECPI_TYPE_SHIFT | (size_t)(size))
#define SPECPI_TYPE_SHIFT (sizeof(size_t) * 8 - 8)

/* X(NAME, type): the scalar type of each C type. */
#define SPECPI_C_TYPES(X)                                                                          \
  X(I8, char)                                                                                      \
  X(I8, signed char)                                                                               \
  X(I8, unsigned char)                                                                             \
  X(I16, short)                                                                                    \
  X(I16, unsigned short)                                                                           \
  X(I32, int)                                                                                      \
  X(I32, unsigned)                                                                                 \
  X(LONG, long)                                                                                    \
  X(LONG, unsigned long)                                                                           \
  X(I64, long long)                                                                                \
  X(I64, unsigned long long)                                                                       \
  X(F32, float)                                                                                    \
  X(F64, double)
#define SPECPI_TYPE_LONG (sizeof(long) == 8 ? SPECPI_TYPE_I64 : SPECPI_TYPE_I32)

/* SPECPI_TYPE_OF(variable): the variable's specpi_type. */
#ifdef __cplusplus
extern "C++" {
template <class T> struct specpi_type_of {
  static constexpr specpi_type type() {
    return SPECPI_TYPE_NONE;
  }
};
#define SPECPI_C_TYPE(NAME, c_type)                                                                \
  template <> struct specpi_type_of<c_type> {                                                      \
    static constexpr specpi_type type() { return SPECPI_TYPE_##NAME; }                             \
  };
SPECPI_C_TYPES(SPECPI_C_TYPE)
SPECPI_C_TYPE(BOOL, bool)
#undef SPECPI_C_TYPE
template <class T, size_t N> struct specpi_type_of<T[N]> : specpi_type_of<T> {};
template <class T> constexpr specpi_type specpi_find_type(const T &) {
  return specpi_type_of<T>::type();
}
}
#define SPECPI_TYPE_OF(variable) specpi_find_type(variable)
#else
/* _Generic takes an array as a pointer to its first element. */
#define SPECPI_C_TYPE(NAME, type)                                                                  \
  type:                                                                                            \
  SPECPI_TYPE_##NAME, type * : SPECPI_TYPE_##NAME, const type * : SPECPI_TYPE_##NAME,
#define SPECPI_TYPE_OF(variable)                                                                   \
  _Generic((variable), SPECPI_C_TYPES(SPECPI_C_TYPE) SPECPI_C_TYPE(BOOL, _Bool) default            \
           : SPECPI_TYPE_NONE)
#endif

#endif

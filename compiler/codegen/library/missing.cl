/*
 * Functions of SPIR-V's set OpenCL.std that libclc lacks: some of scalars, and most of vectors of
 * half. Conversions are in conversions.cl. test/codegen/functions.py calls all functions.
 */
#include "vectors.h"

/* ---- Integers ---- */

#define CTZ_OF(n, type)                                                                            \
  type##n API ctz(type##n x) {                                                                     \
    return (type##n)(8 * sizeof(type)) - clz((type##n)(~x & (x - (type)1)));                       \
  }
#define INTEGER(type)                                                                              \
  CTZ_OF(, type)                                                                                   \
  COUNTS(CTZ_OF, type)                                                                             \
  MAD_HI(, type) COUNTS(MAD_HI, type)
#define MAD_HI(n, type)                                                                            \
  type##n API mad_hi(type##n a, type##n b, type##n c) { return mul_hi(a, b) + c; }
INTEGERS(INTEGER)

/* ---- Functions that assume finite numbers ---- */

#define COMMON(n, type)                                                                            \
  type##n API fmax_common(type##n x, type##n y) { return fmax(x, y); }                             \
  type##n API fmin_common(type##n x, type##n y) { return fmin(x, y); }
#define COMMONS(type) COMMON(, type) COUNTS(COMMON, type)
FLOATS(COMMONS)

/* ---- The GPU's fast approximations: libclc calls intrinsics that NVPTX cannot select ---- */

float approximate_cos(float) __asm("llvm.nvvm.cos.approx.f");
float approximate_sin(float) __asm("llvm.nvvm.sin.approx.f");
float approximate_ex2(float) __asm("llvm.nvvm.ex2.approx.f");
float approximate_lg2(float) __asm("llvm.nvvm.lg2.approx.f");

/* X(name, expression of x). */
#define NATIVES(X)                                                                                 \
  X(native_cos, approximate_cos(x))                                                                \
  X(native_sin, approximate_sin(x))                                                                \
  X(native_tan, approximate_sin(x) / approximate_cos(x))                                           \
  X(native_exp, approximate_ex2(x *M_LOG2E_F))                                                     \
  X(native_exp2, approximate_ex2(x))                                                               \
  X(native_exp10, approximate_ex2(x *M_LOG2_10_F))                                                 \
  X(native_log, approximate_lg2(x) * M_LN2_F)                                                      \
  X(native_log2, approximate_lg2(x))                                                               \
  X(native_log10, approximate_lg2(x) * M_LOG10_2_F)
#define M_LOG2_10_F 3.321928094887362f
#define M_LOG10_2_F 0.301029995663981f
#define NATIVE_VECTOR(n, name)                                                                     \
  float##n API name(float##n x) {                                                                  \
    float##n made;                                                                                 \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(float, made) = name(PART(float, x));                                                    \
    return made;                                                                                   \
  }
#define NATIVE(name, value)                                                                        \
  float API name(float x) { return value; }                                                        \
  COUNTS(NATIVE_VECTOR, name)
NATIVES(NATIVE)
#define NATIVE_POWR(n, unused)                                                                     \
  float##n API native_powr(float##n x, float##n y) { return native_exp2(y * native_log2(x)); }
NATIVE_POWR(, )
COUNTS(NATIVE_POWR, )

/* ---- Vectors of half, by their elements ---- */

COUNTS(OF_INTS, ldexp, half)
COUNTS(OF_AN_INT, ldexp, half)
COUNTS(OF_INTS, pown, half)
COUNTS(OF_INTS, rootn, half)
#define HALF_REST(n, unused)                                                                       \
  int##n API ilogb(half##n x) {                                                                    \
    int##n made;                                                                                   \
    for (uint i = 0; i < ELEMENTS(n); i++)                                                         \
      PART(int, made) = ilogb(PART(half, x));                                                      \
    return made;                                                                                   \
  }                                                                                                \
  short##n API isnormal(half##n x) {                                                               \
    const ushort##n exponent = as_ushort##n(x) & (ushort)0x7c00;                                   \
    return exponent != (ushort)0 && exponent != (ushort)0x7c00;                                    \
  }
COUNTS(HALF_REST, )

#define HALF_BITS(n, unused)                                                                       \
  half##n API nan(ushort##n code) {                                                                \
    code |= (ushort)0x7e00;                                                                        \
    return as_half##n(code);                                                                       \
  }                                                                                                \
  half##n API bitselect(half##n a, half##n b, half##n c) {                                         \
    return as_half##n(bitselect(as_ushort##n(a), as_ushort##n(b), as_ushort##n(c)));               \
  }                                                                                                \
  half##n API select(half##n a, half##n b, short##n c) {                                           \
    return as_half##n(select(as_short##n(a), as_short##n(b), c));                                  \
  }                                                                                                \
  half##n API select(half##n a, half##n b, ushort##n c) {                                          \
    return as_half##n(select(as_ushort##n(a), as_ushort##n(b), c));                                \
  }
HALF_BITS(, )
COUNTS(HALF_BITS, )

#define HALF_SHUFFLE(n, m)                                                                         \
  half##n API shuffle(half##m x, ushort##n mask) {                                                 \
    return as_half##n(shuffle(as_ushort##m(x), mask));                                             \
  }                                                                                                \
  half##n API shuffle2(half##m x, half##m y, ushort##n mask) {                                     \
    return as_half##n(shuffle2(as_ushort##m(x), as_ushort##m(y), mask));                           \
  }
#define HALF_SHUFFLES(m)                                                                           \
  HALF_SHUFFLE(2, m) HALF_SHUFFLE(4, m) HALF_SHUFFLE(8, m) HALF_SHUFFLE(16, m)
HALF_SHUFFLES(2)
HALF_SHUFFLES(4) HALF_SHUFFLES(8) HALF_SHUFFLES(16)

/* ---- Geometry of half, computed in float, where squares do not overflow ---- */

#define HALF_GEOMETRY(n)                                                                           \
  half API length(half##n x) { return (half)length(convert_float##n(x)); }                         \
  half API distance(half##n x, half##n y) {                                                        \
    return (half)distance(convert_float##n(x), convert_float##n(y));                               \
  }                                                                                                \
  half##n API normalize(half##n x) { return convert_half##n(normalize(convert_float##n(x))); }     \
  half API dot(half##n x, half##n y) { return (half)dot(convert_float##n(x), convert_float##n(y)); }
    HALF_GEOMETRY() HALF_GEOMETRY(2) HALF_GEOMETRY(3) HALF_GEOMETRY(4) half3 API
    cross(half3 x, half3 y) {
  return convert_half3(cross(convert_float3(x), convert_float3(y)));
}
half4 API cross(half4 x, half4 y) {
  return convert_half4(cross(convert_float4(x), convert_float4(y)));
}

#define HALF_MOVE(n, space)                                                                        \
  half##n API vload##n(size_t at, const space half *from) {                                        \
    return as_half##n(vload##n(at, (const space ushort *)from));                                   \
  }
#define HALF_STORE(n, space)                                                                       \
  void API vstore##n(half##n x, size_t at, space half *to) {                                       \
    vstore##n(as_ushort##n(x), at, (space ushort *)to);                                            \
  }
/* On NVPTX, constant memory is global memory, so it needs no functions of its own. */
COUNTS(HALF_MOVE, global)
COUNTS(HALF_MOVE, local)
COUNTS(HALF_MOVE, private)
COUNTS(HALF_STORE, global)
COUNTS(HALF_STORE, local)
COUNTS(HALF_STORE, private)

/* ---- Work-group copies of vectors of three and of half, which are done when they return ---- */

#define STRIDED(type)                                                                              \
  event_t API async_work_group_strided_copy(local type *to, const global type *from, size_t count, \
                                            size_t stride, event_t event) {                        \
    for (size_t i = linear_id(); i < count; i += linear_size())                                    \
      to[i] = from[i * stride];                                                                    \
    return event;                                                                                  \
  }                                                                                                \
  event_t API async_work_group_strided_copy(global type *to, const local type *from, size_t count, \
                                            size_t stride, event_t event) {                        \
    for (size_t i = linear_id(); i < count; i += linear_size())                                    \
      to[i * stride] = from[i];                                                                    \
    return event;                                                                                  \
  }                                                                                                \
  void API prefetch(const global type *at, size_t count) {}
#define STRIDED_OF_THREE(type) STRIDED(type##3)
NUMBERS(STRIDED_OF_THREE)
STRIDED(half) STRIDED(half2) STRIDED(half4) STRIDED(half8) STRIDED(half16)

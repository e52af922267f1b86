/*
 * Atomic operations on generic pointers, with OpenCL C 2.0's names. Operations of the scope "all
 * devices" are PTX's .sys. All others are .gpu, which LLVM writes; it costs no more than the
 * work-group's scope.
 */
#include "device.h"

#define IS_SYSTEM(scope) ((scope) == memory_scope_all_svm_devices)

/* ---- Operations of LLVM, and of PTX for .sys ---- */

int __specpi_min(volatile int *at, int value);
uint __specpi_umin(volatile uint *at, uint value);
long __specpi_min64(volatile long *at, long value);
ulong __specpi_umin64(volatile ulong *at, ulong value);
int __specpi_max(volatile int *at, int value);
uint __specpi_umax(volatile uint *at, uint value);
long __specpi_max64(volatile long *at, long value);
ulong __specpi_umax64(volatile ulong *at, ulong value);
float __specpi_fadd(volatile float *at, float value);
double __specpi_fadd64(volatile double *at, double value);
float __specpi_system_fadd(volatile float *at, float value);
double __specpi_system_fadd64(volatile double *at, double value);

/* Operations return the old value. They are LLVM's, or PTX's for .sys (system.ll). */
#define OPERATION(name, type, plain, system)                                                       \
  type system(volatile type *at, type value);                                                      \
  static inline type API name##_at(volatile type *at, type value, memory_scope scope) {            \
    return IS_SYSTEM(scope) ? system(at, value) : plain(at, value);                                \
  }
#define OPERATIONS(type, bits, least, most)                                                        \
  OPERATION(add, type, __sync_fetch_and_add, __specpi_system_add##bits)                            \
  OPERATION(and, type, __sync_fetch_and_and, __specpi_system_and##bits)                            \
  OPERATION(or, type, __sync_fetch_and_or, __specpi_system_or##bits)                               \
  OPERATION(xor, type, __sync_fetch_and_xor, __specpi_system_xor##bits)                            \
  OPERATION(min, type, least, __specpi_system_min##bits)                                           \
  OPERATION(max, type, most, __specpi_system_max##bits)                                            \
  OPERATION(exchange, type, __sync_lock_test_and_set, __specpi_system_exchange##bits)              \
  static inline type API sub_at(volatile type *at, type value, memory_scope scope) {               \
    return IS_SYSTEM(scope) ? add_at(at, -value, scope) : __sync_fetch_and_sub(at, value);         \
  }                                                                                                \
  type __specpi_system_swap##bits(volatile type *at, type wanted, type value);                     \
  /* Compares and swaps. Returns the old value; it equals wanted if value was stored. */           \
  static inline type API swap_at(volatile type *at, type wanted, type value, memory_scope scope) { \
    return IS_SYSTEM(scope) ? __specpi_system_swap##bits(at, wanted, value)                        \
                            : __sync_val_compare_and_swap(at, wanted, value);                      \
  }
OPERATIONS(int, 32, __specpi_min, __specpi_max)
OPERATIONS(long, 64, __specpi_min64, __specpi_max64)

/* Unsigned operations by signed ones; only minima and maxima depend on the sign. */
#define BY_SIGNED(name, type, whole)                                                               \
  static inline type API name##_at(volatile type *at, type value, memory_scope scope) {            \
    return (type)name##_at((volatile whole *)at, (whole)value, scope);                             \
  }
#define UNSIGNED(type, whole, bits, least, most)                                                   \
  BY_SIGNED(add, type, whole)                                                                      \
  BY_SIGNED(sub, type, whole)                                                                      \
  BY_SIGNED(and, type, whole)                                                                      \
  BY_SIGNED(or, type, whole)                                                                       \
  BY_SIGNED(xor, type, whole)                                                                      \
  BY_SIGNED(exchange, type, whole)                                                                 \
  OPERATION(min, type, least, __specpi_system_umin##bits)                                          \
  OPERATION(max, type, most, __specpi_system_umax##bits)                                           \
  static inline type API swap_at(volatile type *at, type wanted, type value, memory_scope scope) { \
    return (type)swap_at((volatile whole *)at, (whole)wanted, (whole)value, scope);                \
  }
UNSIGNED(uint, int, 32, __specpi_umin, __specpi_umax)
UNSIGNED(ulong, long, 64, __specpi_umin64, __specpi_umax64)

/* ---- Parts of a word: 8 and 16 bits ---- */

static uint swap_part(volatile void *at, uint bits, uint wanted, uint value, memory_scope scope) {
  const ulong place = (ulong)at;
  volatile uint *word = (volatile uint *)(place & ~3ul);
  const uint shift = (uint)(place & 3) * 8;
  const uint mask = ((1u << bits) - 1) << shift;
  for (uint old = *word;;) {
    if ((old & mask) >> shift != wanted)
      return (old & mask) >> shift;
    const uint seen = swap_at(word, old, (old & ~mask) | value << shift, scope);
    if (seen == old)
      return wanted;
    old = seen;
  }
}

/* Repeats a compare-and-swap until no other work-item interfered. changed is an expression of old
 * and value. */
#define TRY_CHANGE(name, type, as, changed)                                                        \
  static inline type API name##_at(volatile type *at, type value, memory_scope scope) {            \
    for (type old = *at;;) {                                                                       \
      const type seen = swap_at(at, old, (type)(changed), scope);                                  \
      if (as(seen) == as(old))                                                                     \
        return old;                                                                                \
      old = seen;                                                                                  \
    }                                                                                              \
  }
#define SWAP_PART(type, whole, bits)                                                               \
  static inline type API swap_at(volatile type *at, type wanted, type value, memory_scope scope) { \
    return as_##type((whole)swap_part(at, bits, as_##whole(wanted), as_##whole(value), scope));    \
  }                                                                                                \
  TRY_CHANGE(exchange, type, as_##whole, value)
#define PART_OPERATIONS(type, whole, bits)                                                         \
  SWAP_PART(type, whole, bits)                                                                     \
  TRY_CHANGE(add, type, , old + value)                                                             \
  TRY_CHANGE(sub, type, , old - value)                                                             \
  TRY_CHANGE(and, type, , old &value)                                                              \
  TRY_CHANGE(or, type, , old | value)                                                              \
  TRY_CHANGE(xor, type, , old ^ value)                                                             \
  TRY_CHANGE(min, type, , old < value ? old : value)                                               \
  TRY_CHANGE(max, type, , old > value ? old : value)
PART_OPERATIONS(char, uchar, 8)
PART_OPERATIONS(uchar, uchar, 8)
PART_OPERATIONS(short, ushort, 16)
PART_OPERATIONS(ushort, ushort, 16)

/* ---- Floats, by their bits ---- */

#define SWAP_BITS(type, whole)                                                                     \
  static inline type API swap_at(volatile type *at, type wanted, type value, memory_scope scope) { \
    return as_##type(swap_at((volatile whole *)at, as_##whole(wanted), as_##whole(value), scope)); \
  }                                                                                                \
  static inline type API exchange_at(volatile type *at, type value, memory_scope scope) {          \
    return as_##type(exchange_at((volatile whole *)at, as_##whole(value), scope));                 \
  }
SWAP_BITS(float, uint)
SWAP_BITS(double, ulong)
SWAP_PART(half, ushort, 16)
/* A NaN in memory is replaced, because comparisons with it are false. */
#define LIMITS(type, whole)                                                                        \
  TRY_CHANGE(min, type, as_##whole, old <= value ? old : value)                                    \
  TRY_CHANGE(max, type, as_##whole, old >= value ? old : value)
LIMITS(float, uint)
LIMITS(double, ulong)
LIMITS(half, ushort)
TRY_CHANGE(add, half, as_ushort, old + value)
static inline float API add_at(volatile float *at, float value, memory_scope scope) {
  return IS_SYSTEM(scope) ? __specpi_system_fadd(at, value) : __specpi_fadd(at, value);
}
static inline double API add_at(volatile double *at, double value, memory_scope scope) {
  return IS_SYSTEM(scope) ? __specpi_system_fadd64(at, value) : __specpi_fadd64(at, value);
}
#define SUBTRACT(type)                                                                             \
  static inline type API sub_at(volatile type *at, type value, memory_scope scope) {               \
    return add_at(at, -value, scope);                                                              \
  }
FLOATS(SUBTRACT)

/* ---- Functions that modules call ---- */

/* X(type, letter): types with atomic operations, and their letters in mangled names. */
#define ATOMIC_INTEGERS(X)                                                                         \
  X(char, "c")                                                                                     \
  X(uchar, "h")                                                                                    \
  X(short, "s") X(ushort, "t") X(int, "i") X(uint, "j") X(long, "l") X(ulong, "m")
#define ATOMIC_FLOATS(X) X(half, "Dh") X(float, "f") X(double, "d")

/* OpenCL C lacks most of these atomic types, so their mangled names on NVPTX are written out. */
#define OBJECT(letter) "PVU7_Atomic" letter
#define ORDERED "12memory_order12memory_scope"

/* An operation between two fences; returns the old value. */
#define FENCED(type, order, scope, operation)                                                      \
  fence(order == memory_order_acquire ? memory_order_relaxed : order, scope);                      \
  type old = operation;                                                                            \
  fence(order == memory_order_release ? memory_order_relaxed : order, scope);                      \
  return old

#define FETCH(name, length, type, letter)                                                          \
  type API fetch_##name(volatile type *at, type value, memory_order order,                         \
                        memory_scope scope) __asm("_Z" length "atomic_fetch_" #name                \
                                                  "_explicit" OBJECT(letter) letter ORDERED);      \
  type API fetch_##name(volatile type *at, type value, memory_order order, memory_scope scope) {   \
    FENCED(type, order, scope, name##_at(at, value, scope));                                       \
  }
#define FETCH_NUMBERS(type, letter)                                                                \
  FETCH(add, "25", type, letter)                                                                   \
  FETCH(sub, "25", type, letter)                                                                   \
  FETCH(min, "25", type, letter)                                                                   \
  FETCH(max, "25", type, letter)
#define FETCH_BITS(type, letter)                                                                   \
  FETCH(and, "25", type, letter)                                                                   \
  FETCH(or, "24", type, letter)                                                                    \
  FETCH(xor, "25", type, letter)
ATOMIC_INTEGERS(FETCH_NUMBERS)
ATOMIC_INTEGERS(FETCH_BITS)
ATOMIC_FLOATS(FETCH_NUMBERS)

#define EXCHANGE(kind, length, type, letter)                                                       \
  bool API compare_exchange_##kind(                                                                \
      volatile type *at, type *expected, type desired, memory_order success, memory_order failure, \
      memory_scope scope) __asm("_Z" length "atomic_compare_exchange_" #kind                       \
                                "_explicit" OBJECT(letter) "P" letter letter                       \
                                                           "12memory_orderS4_12memory_scope");     \
  bool API compare_exchange_##kind(volatile type *at, type *expected, type desired,                \
                                   memory_order success, memory_order failure,                     \
                                   memory_scope scope) {                                           \
    const memory_order order = success == memory_order_relaxed ? failure : success;                \
    const type wanted = *expected;                                                                 \
    fence(order, scope);                                                                           \
    const type old = swap_at(at, wanted, desired, scope);                                          \
    fence(order, scope);                                                                           \
    *expected = old;                                                                               \
    return is_same(old, wanted);                                                                   \
  }
/* Compares bits, as a compare-and-swap does. */
#define SAME(type, whole)                                                                          \
  static inline bool API is_same(type a, type b) { return as_##whole(a) == as_##whole(b); }
SAME(char, char)
SAME(uchar, uchar)
SAME(short, short)
SAME(ushort, ushort)
SAME(int, int)
SAME(uint, uint)
SAME(long, long)
SAME(ulong, ulong)
SAME(half, short)
SAME(float, int)
SAME(double, long)

#define ACCESS(type, letter)                                                                       \
  type API load(volatile type *at, memory_order order,                                             \
                memory_scope scope) __asm("_Z20atomic_load_explicit" OBJECT(letter) ORDERED);      \
  type API load(volatile type *at, memory_order order, memory_scope scope) {                       \
    FENCED(type, order, scope, *at);                                                               \
  }                                                                                                \
  void API store(volatile type *at, type value, memory_order order, memory_scope scope) __asm(     \
      "_Z21atomic_store_explicit" OBJECT(letter) letter ORDERED);                                  \
  void API store(volatile type *at, type value, memory_order order, memory_scope scope) {          \
    fence(order, scope);                                                                           \
    *at = value;                                                                                   \
    fence(order == memory_order_seq_cst ? order : memory_order_relaxed, scope);                    \
  }                                                                                                \
  type API exchange(volatile type *at, type value, memory_order order, memory_scope scope) __asm(  \
      "_Z24atomic_exchange_explicit" OBJECT(letter) letter ORDERED);                               \
  type API exchange(volatile type *at, type value, memory_order order, memory_scope scope) {       \
    FENCED(type, order, scope, exchange_at(at, value, scope));                                     \
  }                                                                                                \
  EXCHANGE(strong, "39", type, letter)                                                             \
  EXCHANGE(weak, "37", type, letter)
ATOMIC_INTEGERS(ACCESS)
ATOMIC_FLOATS(ACCESS)

bool API atomic_flag_test_and_set_explicit(volatile atomic_flag *object, memory_order order,
                                           memory_scope scope) {
  volatile int *at = (volatile int *)object;
  FENCED(int, order, scope, exchange_at(at, 1, scope)) != 0;
}

void API atomic_flag_clear_explicit(volatile atomic_flag *object, memory_order order,
                                    memory_scope scope) {
  fence(order, scope);
  *(volatile int *)object = 0;
}

/* ---- Fences and barriers ---- */

void API atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  fence(order, scope);
}

CONVERGENT void API work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope == memory_scope_all_svm_devices)
    fence_system();
  else if (scope == memory_scope_device)
    fence_device();
  wait_for_group();
}

CONVERGENT void API work_group_barrier(cl_mem_fence_flags flags) {
  wait_for_group();
}

static inline uint sub_group_lanes(void) {
  const uint size = __specpi_sub_group_size();
  return size == 32 ? 0xffffffff : ((1u << size) - 1) << (linear_id() & 31 & ~(size - 1));
}

CONVERGENT void API sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  fence(memory_order_acq_rel, scope == memory_scope_sub_group ? memory_scope_work_group : scope);
  wait_for_warp(sub_group_lanes());
}

CONVERGENT void API sub_group_barrier(cl_mem_fence_flags flags) {
  fence_group();
  wait_for_warp(sub_group_lanes());
}

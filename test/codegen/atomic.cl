/*
 * Atomic operations of every type, order and scope. OpenCL C has no atomic types for most of these,
 * so the functions have mangled names here. All work-items operate on the same COUNT objects.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define COUNT 16

#define ORDERED "12memory_order12memory_scope"
#define FETCH(name, length, type, letter)                                                          \
  type __attribute__((overloadable))                                                               \
  fetch_##name(volatile type *at, type value, memory_order order, memory_scope scope) __asm(       \
      "_Z" length "atomic_" #name "_explicitPU3AS4VU7_Atomic" letter letter ORDERED);
#define NUMBERS(type, letter)                                                                      \
  FETCH(fetch_add, "25", type, letter)                                                             \
  FETCH(fetch_min, "25", type, letter)                                                             \
  FETCH(fetch_max, "25", type, letter)                                                             \
  FETCH(exchange, "24", type, letter)                                                              \
  type __attribute__((overloadable))                                                               \
  load(volatile type *at, memory_order order,                                                      \
       memory_scope scope) __asm("_Z20atomic_load_explicitPU3AS4VU7_Atomic" letter ORDERED);       \
  void __attribute__((overloadable))                                                               \
  store(volatile type *at, type value, memory_order order, memory_scope scope) __asm(              \
      "_Z21atomic_store_explicitPU3AS4VU7_Atomic" letter letter ORDERED);
#define BITS(type, letter)                                                                         \
  FETCH(fetch_sub, "25", type, letter)                                                             \
  FETCH(fetch_and, "25", type, letter)                                                             \
  FETCH(fetch_or, "24", type, letter)                                                              \
  FETCH(fetch_xor, "25", type, letter)                                                             \
  bool __attribute__((overloadable))                                                               \
  swap(volatile type *at, type *expected, type value, memory_order success, memory_order failure,  \
       memory_scope                                                                                \
           scope) __asm("_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_Atomic" letter       \
                        "PU3AS4" letter letter "12memory_orderS4_12memory_scope");

/* Operations that all types have. out receives the value that fetch_exchange returned. */
#define OPERATE(type, order, scope)                                                                \
  fetch_fetch_add(&objects[0], (type)(id & 3), order, scope);                                      \
  fetch_fetch_min(&objects[1], (type)(id * 37 % 101), order, scope);                               \
  fetch_fetch_max(&objects[2], (type)(id * 37 % 101), order, scope);                               \
  out[id] = fetch_exchange(&objects[3], (type)(id + 1), order, scope);                             \
  if (id == 0)                                                                                     \
    store(&objects[4], load(&objects[5], memory_order_relaxed, scope), memory_order_relaxed, scope);
#define OPERATE_BITS(type, order, scope)                                                           \
  fetch_fetch_sub(&objects[6], (type)1, order, scope);                                             \
  fetch_fetch_and(&objects[7], (type) ~(1 << id % 3), order, scope);                               \
  fetch_fetch_or(&objects[8], (type)(1 << id % 3), order, scope);                                  \
  fetch_fetch_xor(&objects[9], (type)id, order, scope);                                            \
  type expected = load(&objects[10], memory_order_relaxed, scope);                                 \
  while (!swap(&objects[10], &expected, (type)(expected + 1), order, memory_order_relaxed, scope)) \
    ;

#define KERNEL(type, name, order, scope, more)                                                     \
  kernel void name##_##type(global type *objects, global type *out) {                              \
    const uint id = (uint)get_global_id(0);                                                        \
    OPERATE(type, order, scope)                                                                    \
    more(type, order, scope)                                                                       \
  }
#define NO_MORE(type, order, scope)
#define KERNELS(type, more)                                                                        \
  KERNEL(type, relaxed, memory_order_relaxed, memory_scope_device, more)                           \
  KERNEL(type, acq_rel, memory_order_acq_rel, memory_scope_all_svm_devices, more)                  \
  KERNEL(type, seq_cst, memory_order_seq_cst, memory_scope_work_group, more)

#define INTEGER(type, letter)                                                                      \
  NUMBERS(type, letter)                                                                            \
  BITS(type, letter)                                                                               \
  KERNELS(type, OPERATE_BITS)
#define FLOATING(type, letter)                                                                     \
  NUMBERS(type, letter)                                                                            \
  KERNELS(type, NO_MORE)
#ifdef HALF /* built as LLVM bitcode, because llvm-spirv 15 cannot translate it */
FLOATING(half, "Dh")
#else
INTEGER(char, "c")
INTEGER(uchar, "h")
INTEGER(short, "s")
INTEGER(ushort, "t")
INTEGER(int, "i")
INTEGER(uint, "j")
INTEGER(long, "l")
INTEGER(ulong, "m")
FLOATING(float, "f")
FLOATING(double, "d")
#endif

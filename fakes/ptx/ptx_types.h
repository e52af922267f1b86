/* Lists of PTX's keywords: types, state spaces, special registers, modifiers. */
#ifndef SPECPI_TEST_PTX_TYPES_H
#define SPECPI_TEST_PTX_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* X(NAME, word, bits, kind) */
#define PTX_TYPES(X)                                                                               \
  X(PRED, "pred", 1, PRED)                                                                         \
  X(B8, "b8", 8, BIT)                                                                              \
  X(B16, "b16", 16, BIT)                                                                           \
  X(B32, "b32", 32, BIT)                                                                           \
  X(B64, "b64", 64, BIT)                                                                           \
  X(U8, "u8", 8, UNSIGNED)                                                                         \
  X(U16, "u16", 16, UNSIGNED)                                                                      \
  X(U32, "u32", 32, UNSIGNED)                                                                      \
  X(U64, "u64", 64, UNSIGNED)                                                                      \
  X(S8, "s8", 8, SIGNED)                                                                           \
  X(S16, "s16", 16, SIGNED)                                                                        \
  X(S32, "s32", 32, SIGNED)                                                                        \
  X(S64, "s64", 64, SIGNED)                                                                        \
  X(F16, "f16", 16, FLOAT)                                                                         \
  X(F32, "f32", 32, FLOAT)                                                                         \
  X(F64, "f64", 64, FLOAT)                                                                         \
  X(BF16, "bf16", 16, FLOAT)                                                                       \
  X(F16X2, "f16x2", 32, FLOAT)                                                                     \
  X(BF16X2, "bf16x2", 32, FLOAT)                                                                   \
  X(TF32, "tf32", 32, FLOAT)                                                                       \
  X(E4M3X2, "e4m3x2", 16, FLOAT)                                                                   \
  X(E5M2X2, "e5m2x2", 16, FLOAT)                                                                   \
  X(U16X2, "u16x2", 32, UNSIGNED)                                                                  \
  X(S16X2, "s16x2", 32, SIGNED)

typedef enum ptx_type {
#define PTX_TYPE(NAME, word, bits, kind) PTX_##NAME,
  PTX_TYPES(PTX_TYPE)
#undef PTX_TYPE
      PTX_TYPE_COUNT
} ptx_type;

typedef enum ptx_kind {
  PTX_KIND_PRED,
  PTX_KIND_BIT,
  PTX_KIND_UNSIGNED,
  PTX_KIND_SIGNED,
  PTX_KIND_FLOAT
} ptx_kind;

typedef struct ptx_type_info {
  const char *word;
  uint8_t bits;
  uint8_t kind; /* ptx_kind */
} ptx_type_info;

extern const ptx_type_info ptx_type_infos[PTX_TYPE_COUNT];

/* Sets of types. */
#define PTX_T(NAME) (1u << PTX_##NAME)
#define PTX_T_INT16_64 (PTX_T(U16) | PTX_T(U32) | PTX_T(U64) | PTX_T(S16) | PTX_T(S32) | PTX_T(S64))
#define PTX_T_INT32_64 (PTX_T(U32) | PTX_T(U64) | PTX_T(S32) | PTX_T(S64))
#define PTX_T_INT32 (PTX_T(U32) | PTX_T(S32))
#define PTX_T_SIGNED (PTX_T(S16) | PTX_T(S32) | PTX_T(S64))
#define PTX_T_BITS16_64 (PTX_T(B16) | PTX_T(B32) | PTX_T(B64))
#define PTX_T_BITS32_64 (PTX_T(B32) | PTX_T(B64))
#define PTX_T_PAIR (PTX_T(U16X2) | PTX_T(S16X2))
#define PTX_T_LOGIC (PTX_T_BITS16_64 | PTX_T(PRED))
#define PTX_T_FLOAT (PTX_T(F32) | PTX_T(F64))
#define PTX_T_HALF (PTX_T(F16) | PTX_T(F16X2) | PTX_T(BF16) | PTX_T(BF16X2))
#define PTX_T_MEMORY                                                                               \
  (PTX_T(B8) | PTX_T_BITS16_64 | PTX_T(U8) | PTX_T(S8) | PTX_T_INT16_64 | PTX_T_FLOAT)
#define PTX_T_ANY (~0u)

/* The state space of an address. ptx_exec.h has the windows of generic addresses. */
typedef enum ptx_space {
  PTX_SPACE_GENERIC,
  PTX_SPACE_GLOBAL,
  PTX_SPACE_CONST,
  PTX_SPACE_SHARED,
  PTX_SPACE_LOCAL,
  PTX_SPACE_PARAM /* addresses are generic ones */
} ptx_space;

/* X(NAME, word): special registers. Registers with components include .x, .y and .z in the word. */
#define PTX_SPECIALS(X)                                                                            \
  X(TID_X, "%tid.x")                                                                               \
  X(TID_Y, "%tid.y")                                                                               \
  X(TID_Z, "%tid.z")                                                                               \
  X(NTID_X, "%ntid.x")                                                                             \
  X(NTID_Y, "%ntid.y")                                                                             \
  X(NTID_Z, "%ntid.z")                                                                             \
  X(CTAID_X, "%ctaid.x")                                                                           \
  X(CTAID_Y, "%ctaid.y")                                                                           \
  X(CTAID_Z, "%ctaid.z")                                                                           \
  X(NCTAID_X, "%nctaid.x")                                                                         \
  X(NCTAID_Y, "%nctaid.y")                                                                         \
  X(NCTAID_Z, "%nctaid.z")                                                                         \
  X(CLUSTERID_X, "%clusterid.x")                                                                   \
  X(CLUSTERID_Y, "%clusterid.y")                                                                   \
  X(CLUSTERID_Z, "%clusterid.z")                                                                   \
  X(NCLUSTERID_X, "%nclusterid.x")                                                                 \
  X(NCLUSTERID_Y, "%nclusterid.y")                                                                 \
  X(NCLUSTERID_Z, "%nclusterid.z")                                                                 \
  X(CLUSTER_CTAID_X, "%cluster_ctaid.x")                                                           \
  X(CLUSTER_CTAID_Y, "%cluster_ctaid.y")                                                           \
  X(CLUSTER_CTAID_Z, "%cluster_ctaid.z")                                                           \
  X(CLUSTER_NCTAID_X, "%cluster_nctaid.x")                                                         \
  X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y")                                                         \
  X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z")                                                         \
  X(CLUSTER_CTARANK, "%cluster_ctarank")                                                           \
  X(CLUSTER_NCTARANK, "%cluster_nctarank")                                                         \
  X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster")                                                   \
  X(LANEID, "%laneid")                                                                             \
  X(WARPID, "%warpid")                                                                             \
  X(NWARPID, "%nwarpid")                                                                           \
  X(SMID, "%smid")                                                                                 \
  X(NSMID, "%nsmid")                                                                               \
  X(GRIDID, "%gridid")                                                                             \
  X(LANEMASK_EQ, "%lanemask_eq")                                                                   \
  X(LANEMASK_LE, "%lanemask_le")                                                                   \
  X(LANEMASK_LT, "%lanemask_lt")                                                                   \
  X(LANEMASK_GE, "%lanemask_ge")                                                                   \
  X(LANEMASK_GT, "%lanemask_gt")                                                                   \
  X(CLOCK, "%clock")                                                                               \
  X(CLOCK_HI, "%clock_hi")                                                                         \
  X(CLOCK64, "%clock64")                                                                           \
  X(GLOBALTIMER, "%globaltimer")                                                                   \
  X(GLOBALTIMER_LO, "%globaltimer_lo")                                                             \
  X(GLOBALTIMER_HI, "%globaltimer_hi")                                                             \
  X(TOTAL_SMEM_SIZE, "%total_smem_size")                                                           \
  X(AGGR_SMEM_SIZE, "%aggr_smem_size")                                                             \
  X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size")                                                       \
  X(CURRENT_GRAPH_EXEC, "%current_graph_exec")                                                     \
  X(RESERVED_OFFSET_0, "%reserved_smem_offset_0")                                                  \
  X(RESERVED_OFFSET_1, "%reserved_smem_offset_1")                                                  \
  X(RESERVED_OFFSET_BEGIN, "%reserved_smem_offset_begin")                                          \
  X(RESERVED_OFFSET_END, "%reserved_smem_offset_end")                                              \
  X(RESERVED_OFFSET_CAP, "%reserved_smem_offset_cap")

/* %envreg0 to %envreg31 follow. */
typedef enum ptx_special {
#define PTX_SPECIAL(NAME, word) PTX_SPECIAL_##NAME,
  PTX_SPECIALS(PTX_SPECIAL)
#undef PTX_SPECIAL
      PTX_SPECIAL_ENVREG,
  PTX_SPECIAL_COUNT = PTX_SPECIAL_ENVREG + 32
} ptx_special;

/*
 * X(CLASS, VALUE, word): modifiers of instructions. An instruction has at most one of each class. A
 * word may be in several classes, of which no instruction accepts more than one.
 */
#define PTX_MODIFIERS(X)                                                                           \
  X(ROUND, RN, "rn")                                                                               \
  X(ROUND, RZ, "rz")                                                                               \
  X(ROUND, RM, "rm")                                                                               \
  X(ROUND, RP, "rp")                                                                               \
  X(ROUND, RNA, "rna")                                                                             \
  X(WHOLE, RNI, "rni")                                                                             \
  X(WHOLE, RZI, "rzi")                                                                             \
  X(WHOLE, RMI, "rmi")                                                                             \
  X(WHOLE, RPI, "rpi")                                                                             \
  X(FTZ, FTZ, "ftz")                                                                               \
  X(FTZ, NOFTZ, "noftz")                                                                           \
  X(SAT, SAT, "sat")                                                                               \
  X(SATFINITE, SATFINITE, "satfinite")                                                             \
  X(RELU, RELU, "relu")                                                                            \
  X(APPROX, APPROX, "approx")                                                                      \
  X(APPROX, FULL, "full")                                                                          \
  X(PART, LO, "lo")                                                                                \
  X(PART, HI, "hi")                                                                                \
  X(PART, WIDE, "wide")                                                                            \
  X(CC, CC, "cc")                                                                                  \
  X(COMPARE, EQ, "eq")                                                                             \
  X(COMPARE, NE, "ne")                                                                             \
  X(COMPARE, LT, "lt")                                                                             \
  X(COMPARE, LE, "le")                                                                             \
  X(COMPARE, GT, "gt")                                                                             \
  X(COMPARE, GE, "ge")                                                                             \
  X(COMPARE, LO, "lo")                                                                             \
  X(COMPARE, LS, "ls")                                                                             \
  X(COMPARE, HI, "hi")                                                                             \
  X(COMPARE, HS, "hs")                                                                             \
  X(COMPARE, EQU, "equ")                                                                           \
  X(COMPARE, NEU, "neu")                                                                           \
  X(COMPARE, LTU, "ltu")                                                                           \
  X(COMPARE, LEU, "leu")                                                                           \
  X(COMPARE, GTU, "gtu")                                                                           \
  X(COMPARE, GEU, "geu")                                                                           \
  X(COMPARE, NUM, "num")                                                                           \
  X(COMPARE, NAN, "nan")                                                                           \
  X(COMBINE, AND, "and")                                                                           \
  X(COMBINE, OR, "or")                                                                             \
  X(COMBINE, XOR, "xor")                                                                           \
  X(COMBINE, POPC, "popc")                                                                         \
  X(TEST, FINITE, "finite")                                                                        \
  X(TEST, INFINITE, "infinite")                                                                    \
  X(TEST, NUMBER, "number")                                                                        \
  X(TEST, NOTANUMBER, "notanumber")                                                                \
  X(TEST, NORMAL, "normal")                                                                        \
  X(TEST, SUBNORMAL, "subnormal")                                                                  \
  X(NANS, NAN, "NaN")                                                                              \
  X(XORSIGN, XORSIGN, "xorsign")                                                                   \
  X(ABS, ABS, "abs")                                                                               \
  X(SPACE, GLOBAL, "global")                                                                       \
  X(SPACE, CONST, "const")                                                                         \
  X(SPACE, SHARED, "shared")                                                                       \
  X(SPACE, SHARED_CTA, "shared::cta")                                                              \
  X(SPACE, SHARED_CLUSTER, "shared::cluster")                                                      \
  X(SPACE, LOCAL, "local")                                                                         \
  X(SPACE, PARAM, "param")                                                                         \
  X(SPACE, PARAM_ENTRY, "param::entry")                                                            \
  X(SPACE, PARAM_FUNC, "param::func")                                                              \
  X(ORDER, WEAK, "weak")                                                                           \
  X(ORDER, VOLATILE, "volatile")                                                                   \
  X(ORDER, RELAXED, "relaxed")                                                                     \
  X(ORDER, ACQUIRE, "acquire")                                                                     \
  X(ORDER, RELEASE, "release")                                                                     \
  X(ORDER, ACQ_REL, "acq_rel")                                                                     \
  X(ORDER, SC, "sc")                                                                               \
  X(ORDER, MMIO, "mmio")                                                                           \
  X(SCOPE, CTA, "cta")                                                                             \
  X(SCOPE, CLUSTER, "cluster")                                                                     \
  X(SCOPE, GPU, "gpu")                                                                             \
  X(SCOPE, GL, "gl")                                                                               \
  X(SCOPE, SYS, "sys")                                                                             \
  X(NC, NC, "nc")                                                                                  \
  X(CACHE, CA, "ca")                                                                               \
  X(CACHE, CG, "cg")                                                                               \
  X(CACHE, CS, "cs")                                                                               \
  X(CACHE, LU, "lu")                                                                               \
  X(CACHE, CV, "cv")                                                                               \
  X(CACHE, WB, "wb")                                                                               \
  X(CACHE, WT, "wt")                                                                               \
  X(EVICT, L1_NORMAL, "L1::evict_normal")                                                          \
  X(EVICT, L1_UNCHANGED, "L1::evict_unchanged")                                                    \
  X(EVICT, L1_FIRST, "L1::evict_first")                                                            \
  X(EVICT, L1_LAST, "L1::evict_last")                                                              \
  X(EVICT, L1_NONE, "L1::no_allocate")                                                             \
  X(EVICT2, L2_NORMAL, "L2::evict_normal")                                                         \
  X(EVICT2, L2_FIRST, "L2::evict_first")                                                           \
  X(EVICT2, L2_LAST, "L2::evict_last")                                                             \
  X(HINT, HINT, "L2::cache_hint")                                                                  \
  X(AHEAD, L2_64, "L2::64B")                                                                       \
  X(AHEAD, L2_128, "L2::128B")                                                                     \
  X(AHEAD, L2_256, "L2::256B")                                                                     \
  X(LEVEL, L1, "L1")                                                                               \
  X(LEVEL, L2, "L2")                                                                               \
  X(VECTOR, V2, "v2")                                                                              \
  X(VECTOR, V4, "v4")                                                                              \
  X(VECTOR, V8, "v8")                                                                              \
  X(UNI, UNI, "uni")                                                                               \
  X(ACTION, SYNC, "sync")                                                                          \
  X(ACTION, ARRIVE, "arrive")                                                                      \
  X(ACTION, RED, "red")                                                                            \
  X(ACTION, WAIT, "wait")                                                                          \
  X(UNIT, CTA, "cta")                                                                              \
  X(UNIT, CLUSTER, "cluster")                                                                      \
  X(UNIT, WARP, "warp")                                                                            \
  X(ALIGNED, ALIGNED, "aligned")                                                                   \
  X(SHUFFLE, UP, "up")                                                                             \
  X(SHUFFLE, DOWN, "down")                                                                         \
  X(SHUFFLE, BFLY, "bfly")                                                                         \
  X(SHUFFLE, IDX, "idx")                                                                           \
  X(PERMUTE, F4E, "f4e")                                                                           \
  X(PERMUTE, B4E, "b4e")                                                                           \
  X(PERMUTE, RC8, "rc8")                                                                           \
  X(PERMUTE, ECL, "ecl")                                                                           \
  X(PERMUTE, ECR, "ecr")                                                                           \
  X(PERMUTE, RC16, "rc16")                                                                         \
  X(VOTE, ALL, "all")                                                                              \
  X(VOTE, ANY, "any")                                                                              \
  X(VOTE, UNI, "uni")                                                                              \
  X(VOTE, BALLOT, "ballot")                                                                        \
  X(SIDE, L, "l")                                                                                  \
  X(SIDE, R, "r")                                                                                  \
  X(EXCESS, CLAMP, "clamp")                                                                        \
  X(EXCESS, WRAP, "wrap")                                                                          \
  X(SHIFTAMT, SHIFTAMT, "shiftamt")                                                                \
  X(ATOMIC, AND, "and")                                                                            \
  X(ATOMIC, OR, "or")                                                                              \
  X(ATOMIC, XOR, "xor")                                                                            \
  X(ATOMIC, CAS, "cas")                                                                            \
  X(ATOMIC, EXCH, "exch")                                                                          \
  X(ATOMIC, ADD, "add")                                                                            \
  X(ATOMIC, INC, "inc")                                                                            \
  X(ATOMIC, DEC, "dec")                                                                            \
  X(ATOMIC, MIN, "min")                                                                            \
  X(ATOMIC, MAX, "max")                                                                            \
  X(GEOMETRY, 1D, "1d")                                                                            \
  X(GEOMETRY, 2D, "2d")                                                                            \
  X(GEOMETRY, 3D, "3d")                                                                            \
  X(GEOMETRY, A1D, "a1d")                                                                          \
  X(GEOMETRY, A2D, "a2d")                                                                          \
  X(GEOMETRY, CUBE, "cube")                                                                        \
  X(GEOMETRY, ACUBE, "acube")                                                                      \
  X(DETAIL, BASE, "base")                                                                          \
  X(DETAIL, LEVEL, "level")                                                                        \
  X(DETAIL, GRAD, "grad")                                                                          \
  X(COMPONENT, R, "r")                                                                             \
  X(COMPONENT, G, "g")                                                                             \
  X(COMPONENT, B, "b")                                                                             \
  X(COMPONENT, A, "a")                                                                             \
  X(FORMAT, B, "b")                                                                                \
  X(FORMAT, P, "p")                                                                                \
  X(OUTSIDE, TRAP, "trap")                                                                         \
  X(OUTSIDE, CLAMP, "clamp")                                                                       \
  X(OUTSIDE, ZERO, "zero")                                                                         \
  X(QUERY, WIDTH, "width")                                                                         \
  X(QUERY, HEIGHT, "height")                                                                       \
  X(QUERY, DEPTH, "depth")                                                                         \
  X(QUERY, CHANNEL_DATA_TYPE, "channel_data_type")                                                 \
  X(QUERY, CHANNEL_ORDER, "channel_order")                                                         \
  X(QUERY, NORMALIZED_COORDS, "normalized_coords")                                                 \
  X(QUERY, ARRAY_SIZE, "array_size")                                                               \
  X(QUERY, NUM_MIPMAP_LEVELS, "num_mipmap_levels")                                                 \
  X(QUERY, NUM_SAMPLES, "num_samples")                                                             \
  X(QUERY, FILTER_MODE, "filter_mode")                                                             \
  X(QUERY, ADDR_MODE_0, "addr_mode_0")                                                             \
  X(QUERY, ADDR_MODE_1, "addr_mode_1")                                                             \
  X(QUERY, ADDR_MODE_2, "addr_mode_2")                                                             \
  X(QUERY, FORCE_UNNORMALIZED_COORDS, "force_unnormalized_coords")                                 \
  X(QUERY, MEMORY_LAYOUT, "memory_layout")                                                         \
  X(TO, TO, "to")                                                                                  \
  X(ASYNC, ASYNC, "async")                                                                         \
  X(GROUP, COMMIT_GROUP, "commit_group")                                                           \
  X(GROUP, WAIT_GROUP, "wait_group")                                                               \
  X(GROUP, WAIT_ALL, "wait_all")                                                                   \
  X(MBARRIER, INIT, "init")                                                                        \
  X(MBARRIER, INVAL, "inval")                                                                      \
  X(MBARRIER, ARRIVE, "arrive")                                                                    \
  X(MBARRIER, ARRIVE_DROP, "arrive_drop")                                                          \
  X(MBARRIER, TEST_WAIT, "test_wait")                                                              \
  X(MBARRIER, TRY_WAIT, "try_wait")                                                                \
  X(MBARRIER, PENDING_COUNT, "pending_count")                                                      \
  X(NOCOMPLETE, NOCOMPLETE, "noComplete")                                                          \
  X(PARITY, PARITY, "parity")                                                                      \
  X(GRIDS, LAUNCH, "launch_dependents")                                                            \
  X(GRIDS, WAIT, "wait")

/* X(CLASS): classes of modifiers. Each is a field of an instruction while it is parsed. */
#define PTX_CLASSES(X)                                                                             \
  X(ROUND)                                                                                         \
  X(WHOLE)                                                                                         \
  X(FTZ)                                                                                           \
  X(SAT)                                                                                           \
  X(SATFINITE)                                                                                     \
  X(RELU)                                                                                          \
  X(APPROX)                                                                                        \
  X(PART)                                                                                          \
  X(CC)                                                                                            \
  X(COMPARE)                                                                                       \
  X(COMBINE)                                                                                       \
  X(TEST)                                                                                          \
  X(NANS)                                                                                          \
  X(XORSIGN)                                                                                       \
  X(ABS)                                                                                           \
  X(SPACE)                                                                                         \
  X(ORDER)                                                                                         \
  X(SCOPE)                                                                                         \
  X(NC)                                                                                            \
  X(CACHE)                                                                                         \
  X(EVICT)                                                                                         \
  X(EVICT2)                                                                                        \
  X(HINT)                                                                                          \
  X(AHEAD)                                                                                         \
  X(LEVEL)                                                                                         \
  X(VECTOR)                                                                                        \
  X(UNI)                                                                                           \
  X(ACTION)                                                                                        \
  X(UNIT)                                                                                          \
  X(ALIGNED)                                                                                       \
  X(SHUFFLE)                                                                                       \
  X(PERMUTE)                                                                                       \
  X(VOTE)                                                                                          \
  X(SIDE)                                                                                          \
  X(EXCESS)                                                                                        \
  X(SHIFTAMT)                                                                                      \
  X(ATOMIC)                                                                                        \
  X(GEOMETRY)                                                                                      \
  X(DETAIL)                                                                                        \
  X(COMPONENT)                                                                                     \
  X(FORMAT)                                                                                        \
  X(OUTSIDE)                                                                                       \
  X(QUERY)                                                                                         \
  X(TO)                                                                                            \
  X(ASYNC)                                                                                         \
  X(MBARRIER)                                                                                      \
  X(NOCOMPLETE)                                                                                    \
  X(PARITY)                                                                                        \
  X(GRIDS)                                                                                         \
  X(GROUP)

typedef enum ptx_class {
#define PTX_CLASS(NAME) PTX_CLASS_##NAME,
  PTX_CLASSES(PTX_CLASS)
#undef PTX_CLASS
      PTX_CLASS_COUNT
} ptx_class;

/* A set of classes. */
#define PTX_C(NAME) (UINT64_C(1) << PTX_CLASS_##NAME)

/* PTX_M_<CLASS>_<VALUE> are the fields' values, unique among all classes; 0 means no modifier. */
enum {
  PTX_MODIFIER_NONE,
#define PTX_MODIFIER(CLASS, VALUE, word) PTX_M_##CLASS##_##VALUE,
  PTX_MODIFIERS(PTX_MODIFIER)
#undef PTX_MODIFIER
      PTX_MODIFIER_COUNT
};

/*
 * Returns the number of coordinates of a geometry, PTX_M_GEOMETRY_*, without the layer of an array.
 */
static inline uint32_t ptx_dimensions_of(uint8_t geometry) {
  switch (geometry) {
  case PTX_M_GEOMETRY_1D:
  case PTX_M_GEOMETRY_A1D:
    return 1;
  case PTX_M_GEOMETRY_2D:
  case PTX_M_GEOMETRY_A2D:
    return 2;
  default:
    return 3;
  }
}

/* Returns whether a geometry has a layer. */
static inline bool ptx_is_array(uint8_t geometry) {
  return geometry == PTX_M_GEOMETRY_A1D || geometry == PTX_M_GEOMETRY_A2D ||
         geometry == PTX_M_GEOMETRY_ACUBE;
}

#endif

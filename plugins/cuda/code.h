/*
 * What the bytes of a device image are, as their beginning says, and whether a device can run them.
 * No driver is asked: the bytes may be anything.
 */
#ifndef PI_CUDA_CODE_H
#define PI_CUDA_CODE_H

#include <pi/pi.h>

/* X(NAME, text): a kind of bytes; text is what a sentence calls it. */
#define CUDA_CODE_KINDS(X)                                                                         \
  X(NOTHING, "empty")                                                                              \
  X(UNKNOWN, "neither PTX nor a cubin")                                                            \
  X(SPIRV, "SPIR-V")                                                                               \
  X(BITCODE, "LLVM bitcode")                                                                       \
  X(ELF, "an ELF file for another machine")                                                        \
  X(DAMAGED, "damaged")                                                                            \
  X(PTX, "PTX")                                                                                    \
  X(CUBIN, "a cubin")                                                                              \
  X(FATBIN, "a fat binary")

typedef enum cuda_code_kind {
#define CUDA_CODE_KIND(name, text) CUDA_CODE_##name,
  CUDA_CODE_KINDS(CUDA_CODE_KIND)
#undef CUDA_CODE_KIND
} cuda_code_kind;

typedef struct cuda_code {
  cuda_code_kind kind;
  int capability; /* PTX and cubin: that of .target or the ELF flags, 90 for sm_90 */
  char suffix;    /* 'a': that capability only; 'f': later ones of its major number; else 0 */
  int version;    /* PTX: of .version, 84 for 8.4 */
} cuda_code;

/* The device and driver that code is to run on. */
typedef struct cuda_target {
  int capability;  /* 90 for 9.0 */
  int ptx_version; /* the newest that the driver's compiler takes, 84 for 8.4 */
} cuda_target;

/*
 * Looks at the beginning of size bytes, which need not end in 0; bytes may be NULL. PTX is what
 * has .version and then .target as its first directives; a cubin is a 64-bit ELF file of NVIDIA's
 * machine. DAMAGED: it begins like one of them, and the rest of the header is wrong or missing.
 */
cuda_code cuda_code_read(const void *bytes, size_t size);

/*
 * How well code suits a target: the larger, the better, and 0 when it cannot run there. A cubin of
 * the same capability is best, then one that is older and of the same major number, then PTX for
 * the newest capability that the device has, then a fat binary, whose content the driver judges.
 */
int cuda_code_rank(const cuda_code *code, const cuda_target *target);

/* What the code is, for a sentence: "PTX 8.4 for sm_90a", "SPIR-V". */
void cuda_code_describe(const cuda_code *code, char *text, size_t size);

/*
 * The newest version of PTX that a driver of CUDA version (12040 for 12.4) takes, 84 for 8.4. Of
 * drivers newer than this plugin it is a guess.
 */
int cuda_ptx_version_of(int version);

#endif

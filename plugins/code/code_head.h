/*
 * Finds the kind and target of a device image from its first bytes, and whether a device can run
 * it. Calls no driver. The bytes may be anything.
 */
#ifndef CODE_CODE_HEAD_H
#define CODE_CODE_HEAD_H

#include <pi/pi.h>

/* X(NAME, text): a kind of bytes; text is its name in messages. */
#define CODE_KINDS(X)                                                                              \
  X(NOTHING, "empty")                                                                              \
  X(UNKNOWN, "neither PTX nor a cubin")                                                            \
  X(SPIRV, "SPIR-V")                                                                               \
  X(BITCODE, "LLVM bitcode")                                                                       \
  X(ELF, "an ELF file for another machine")                                                        \
  X(DAMAGED, "damaged")                                                                            \
  X(PTX, "PTX")                                                                                    \
  X(CUBIN, "a cubin")                                                                              \
  X(FATBIN, "a fat binary")

typedef enum code_kind {
#define CODE_KIND(name, text) CODE_IS_##name,
  CODE_KINDS(CODE_KIND)
#undef CODE_KIND
} code_kind;

typedef struct code_head {
  code_kind kind;
  int capability; /* of PTX (.target) and cubins (ELF flags): 90 for sm_90 */
  char suffix;    /* 'a': runs on this capability only; 'f': also on later minor ones; else 0 */
  int version;    /* of PTX (.version): 84 for 8.4 */
} code_head;

/* A device and its driver, on which code shall run. */
typedef struct ptx_target {
  int capability;       /* 90 for 9.0 */
  int ptx_version;      /* the newest that the driver's compiler takes, 84 for 8.4 */
  const char *no_spirv; /* why SPIR-V cannot run, to follow "SPIR-V " in a message; NULL: it can */
  /* The runtime sets specialization constants only on images with the target spir64. */
  bool sets_spir64_only;
} ptx_target;

/*
 * Recognises code by the start of its size bytes, which need no final 0; bytes may be NULL. PTX
 * begins with the directives .version and .target. A cubin is a 64-bit ELF file for EM_CUDA.
 * DAMAGED means PTX, a cubin or a fat binary whose header is wrong or incomplete.
 */
code_head code_head_read(const void *bytes, size_t size);

/*
 * Rates how well code suits a target. A higher number is better; 0 means that the code cannot run
 * there. The order, best first:
 * - a cubin for the same capability,
 * - a cubin for an older capability of the same major number,
 * - SPIR-V, because the optimiser sees the values of its constants,
 * - PTX; a newer capability is better,
 * - a fat binary, because only the driver knows what is in it.
 */
int code_head_rank(const code_head *code, const ptx_target *target);

/* Names the code for a message: "PTX 8.4 for sm_90a", "SPIR-V". */
void code_head_describe(const code_head *code, char *text, size_t size);

/*
 * Returns the newest PTX version (84 for 8.4) that a driver for this CUDA version (12040 for 12.4)
 * takes. For drivers newer than this plugin the result is a guess.
 */
int ptx_version_of_cuda(int version);

#endif

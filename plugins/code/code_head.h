/*
 * The kind and target of a device image's bytes, by their start, and whether a device can run them.
 * No driver is asked, and the bytes may be anything.
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
  int capability; /* PTX and cubin: that of .target or the ELF flags, 90 for sm_90 */
  char suffix;    /* 'a': that capability only; 'f': later ones of its major number; else 0 */
  int version;    /* PTX: of .version, 84 for 8.4 */
} code_head;

/* The device and driver that code is to run on. */
typedef struct ptx_target {
  int capability;       /* 90 for 9.0 */
  int ptx_version;      /* the newest that the driver's compiler takes, 84 for 8.4 */
  const char *no_spirv; /* why it takes none, to follow "SPIR-V " in a message; NULL: it does */
  /* The runtime sets constants on images of the target spir64 alone. */
  bool sets_spir64_only;
} ptx_target;

/*
 * Looks at the start of size bytes, which need not end in 0; bytes may be NULL. PTX has .version
 * and then .target as its first directives; a cubin is a 64-bit ELF file of NVIDIA's machine.
 * DAMAGED: it starts like one of them, and the rest of the header is wrong or missing.
 */
code_head code_head_read(const void *bytes, size_t size);

/*
 * Rates how well code suits a target: more is better, and 0 means that it cannot run there. A cubin
 * of the same capability is best, then an older one of the same major number, then SPIR-V, whose
 * constants the optimiser sees, then PTX for the newest capability that the device has, then a fat
 * binary, whose content the driver judges.
 */
int code_head_rank(const code_head *code, const ptx_target *target);

/* Names the code for a message: "PTX 8.4 for sm_90a", "SPIR-V". */
void code_head_describe(const code_head *code, char *text, size_t size);

/*
 * The newest version of PTX that a driver of CUDA version (12040 for 12.4) takes, 84 for 8.4. A
 * guess for drivers newer than this plugin.
 */
int ptx_version_of_cuda(int version);

#endif

/* The command line of specpi-cc. */
#ifndef SPECPI_CC_OPTIONS_H
#define SPECPI_CC_OPTIONS_H

#include "words.h"

#include <specpi/compiler.h>

/*
 * X(NAME, name, suffix, MAKES, text): what can be made; of ONE image, of several IMAGES, of the
 * host's and the devices' side of a UNIT, or of several such FILES.
 */
#define CC_EMITS(X)                                                                                \
  X(OBJ, obj, ".o", IMAGES, "an object file which registers the images when the program starts")   \
  X(SO, so, ".so", IMAGES, "a shared library of that object")                                      \
  X(IMAGE, image, ".o", IMAGES, "an object file with the images as a symbol, see --symbol")        \
  X(SPIRV, spirv, ".spv", ONE, "the SPIR-V module")                                                \
  X(PTX, ptx, ".ptx", ONE, "the PTX text")                                                         \
  X(BC, bc, ".bc", ONE, "the LLVM bitcode after the pass")                                         \
  X(PROPS, props, ".prop", ONE, "the property sets of the image, as a .prop file")                 \
  X(JSON, json, ".json", ONE, "the constants as JSON; to standard output without -o")              \
  X(PREPROCESSED, preprocessed, ".i", ONE, "the source as devices have it, without directives")    \
  X(UNIT, unit, ".o", UNIT, "an object file of a C++ unit: its host code and its images")          \
  X(PROGRAM, program, "", FILES, "a program of C++ units and objects, with libspecpi")

typedef enum cc_emit {
#define CC_EMIT(NAME, name, suffix, MAKES, text) CC_EMIT_##NAME,
  CC_EMITS(CC_EMIT)
#undef CC_EMIT
      CC_EMIT_COUNT
} cc_emit;

/* X(NAME, name, mode): the targets, each with the mode that is used unless another one is given. */
#define CC_TARGETS(X)                                                                              \
  X(SPIR64, spir64, SPECPI_COMPILER_MODE_NATIVE)                                                   \
  X(NVPTX64, nvptx64, SPECPI_COMPILER_MODE_PATCH)

typedef enum cc_target {
#define CC_TARGET(NAME, name, mode) CC_TARGET_##NAME,
  CC_TARGETS(CC_TARGET)
#undef CC_TARGET
      CC_TARGET_COUNT
} cc_target;

/* X(NAME, name, text): the texts for the host side of a C++ file, docs/internals/host.md. */
#define CC_HOSTS(X)                                                                                \
  X(HEADER, header, "the integration header")                                                      \
  X(FOOTER, footer, "the integration footer")                                                      \
  X(FILE, file, "the file with both")

typedef enum cc_host {
  CC_HOST_NONE,
#define CC_HOST(NAME, name, text) CC_HOST_##NAME,
  CC_HOSTS(CC_HOST)
#undef CC_HOST
      CC_HOST_PARTS, /* header and footer, out and an ending each */
  CC_HOST_PASS,      /* no text: the host's module with its variables registered */
} cc_host;

/* X(NAME, name): the ways in which the variables of a unit's host side get their ids. */
#define CC_HOST_SIDES(X)                                                                           \
  X(HEADER, header)                                                                                \
  X(PASS, pass)

typedef enum cc_host_side {
#define CC_HOST_SIDE(NAME, name) CC_HOST_SIDE_##NAME,
  CC_HOST_SIDES(CC_HOST_SIDE)
#undef CC_HOST_SIDE
      CC_HOST_SIDE_COUNT
} cc_host_side;

typedef struct cc_options {
  cc_host host;                       /* if not NONE, this is all that is made, and files are */
  const char *host_file;              /* options for the compiler of this file */
  const char *unit_id;                /* NULL: one that follows from the file */
  const char *out;                    /* NULL: the first FILE's name with another ending */
  char *made_out;                     /* after out when it is not the user's; to be freed */
  cc_target targets[CC_TARGET_COUNT]; /* in the order of their images */
  size_t target_count;
  specpi_compiler_mode mode;
  cc_emit emit;
  const char *gpu;         /* NULL: the library's choice */
  cc_texts clang_options;  /* -D, -U, -I and --clang-option */
  cc_texts macros;         /* of these, -D, -U and -I */
  cc_texts device_options; /* and --clang-option */
  cc_texts host_options;   /* --host-option */
  cc_words host_words;     /* the same: nothing of it is for devices */
  cc_texts front;          /* what is for compilers, of what stands before -- */
  cc_words words;          /* the same in its order, and what follows -- for the host's compiler */
  const char *depend_out;  /* NULL: no file of dependences */
  char *made_depend_out;   /* after it when it is not the user's; to be freed */
  cc_texts translator_options;
  const char *standard; /* --cl-std, or NULL */
  const char *spirv_version;
  const char *symbol; /* NULL: none */
  /* Programs and files; each is never NULL. */
  const char *clang;
  const char *translator;
  const char *linker;
  const char *libclc;    /* "" for none */
  const char *libdevice; /* the same */
  const char *host_compiler;
  cc_host_side host_side;
  const char *sycl_rt; /* NULL: none is named */
  cc_texts files;
  char level[2];          /* the digit of -O */
  const char *host_level; /* another -O, which only a host's compiler knows; NULL: none */
  size_t jobs;            /* at most so many steps at a time; 0: what the machine can do */
  bool emit_given;
  bool cxx; /* -x c++ precedes */
  bool compiles;
  bool preprocesses;
  bool shared;
  bool shows; /* and writes nothing */
  bool mode_given;
  bool host_compiler_given;
  bool host_side_given;
  bool no_offset;
  bool sycl_native;
  bool sycl_own;
  bool verbose;
} cc_options;

const char *cc_emit_name(cc_emit emit);

/* Returns whether it is made with the host's compiler: a unit, or a program. */
bool cc_emit_has_host(cc_emit emit);

const char *cc_host_side_name(cc_host_side side);

const char *cc_target_name(cc_target target);

/* Returns how the constants of a target are lowered. */
specpi_compiler_mode cc_options_mode(const cc_options *options, cc_target target);

/*
 * Reads the command line and, for programs, the environment. -1 when there is work to do, or
 * the exit status: after --help or --version, or after an error that says what is wrong.
 */
int cc_options_parse(int argc, char **argv, cc_options *ret);
void cc_options_free(cc_options *options);

#endif

/* The host's C++ compiler: what it compiles, merges and links for --emit=unit and program. */
#ifndef SPECPI_CC_HOST_COMPILER_H
#define SPECPI_CC_HOST_COMPILER_H

#include "../../plugins/base/digest.h"
#include "sycl_rt.h"

typedef struct cc_host_compiler {
  cc_texts command; /* the program, and options that belong to it, in words */
  char *words;
  int clang;       /* the version of clang; 0: it is another compiler */
  digest macros;   /* that it defines: of another version they are others */
  cc_sycl_rt sycl; /* whose headers and library it is given */
  char *openmp;    /* with -fopenmp, for such a library's compiler: the directory with omp.h */
} cc_host_compiler;

/* The inputs of a unit's host side. */
typedef struct cc_host_unit {
  const char *file;        /* the source */
  const char *made;        /* what is compiled: its text with the footer, or the source itself */
  const char *header;      /* the integration header */
  const char *captures;    /* of lambdas, for a SYCL runtime's headers */
  const char *precompiled; /* a header that the source begins with; NULL: none */
  const char *directory;   /* where these are */
  const char *bitcode;     /* compiled for the pass; NULL without --host-side=pass */
  const char *object;      /* what is made */
  const char *depend;      /* and a file of dependences; NULL: none */
} cc_host_unit;

/*
 * Asks a compiler for the major version of clang that it is; 0: it is another one; and for a digest
 * of the macros that it defines, unless ret_macros is NULL. option names another compiler, for an
 * error, which begins with file. Without option there is no error. Returns whether the compiler
 * answered.
 */
bool cc_clang_version(cc_work *work, const cc_texts *compiler, const char *option, const char *file,
                      int *ret, digest *ret_macros);

/*
 * Finds out which compiler it is that the options name; file is what errors begin with. false after
 * an error, and cc_host_compiler_free is needed in any case.
 */
bool cc_host_compiler_open(cc_work *work, const char *file, cc_host_compiler *ret);
void cc_host_compiler_free(cc_host_compiler *compiler);

/* The level of optimization of the host's side, which the caller frees. */
char *cc_host_compiler_level(const cc_options *options);

/* Adds what each compilation of a source begins with: the program, that level, users' options. */
void cc_host_compiler_add_words(const cc_work *work, const cc_host_compiler *compiler,
                                const char *level, cc_texts *command);

/* Adds where a SYCL runtime's headers are, and what they need. */
void cc_host_compiler_add_runtime(const cc_host_compiler *compiler, cc_texts *command);

/* Compiles a unit to its object or its bitcode. false after an error. */
bool cc_host_compiler_compile(cc_work *work, const cc_host_compiler *compiler,
                              const cc_host_unit *unit);

/* Makes a unit's object from its bitcode, after the pass. false after an error. */
bool cc_host_compiler_generate(cc_work *work, const cc_host_compiler *compiler,
                               const cc_host_unit *unit);

/*
 * Returns whether it takes a source as it stands; if not, it has said why, and there is an error.
 */
bool cc_host_compiler_takes(cc_work *work, const cc_host_compiler *compiler, const char *file);

/* Makes one object of several. false after an error. */
bool cc_host_compiler_merge(cc_work *work, const cc_host_compiler *compiler, const char *file,
                            const cc_texts *objects, const char *object);

/* Links a program, with libspecpi or the SYCL runtime. false after an error. */
bool cc_host_compiler_link(cc_work *work, const cc_host_compiler *compiler, const cc_texts *objects,
                           const char *program);

#endif

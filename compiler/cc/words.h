/* The words of compilers, before -- or after it, and who gets which. */
#ifndef SPECPI_CC_WORDS_H
#define SPECPI_CC_WORDS_H

#include "../host/host.h"
#include "cc.h"

/*
 * X(text, FORM, GROUP): the options that not everybody gets; the first that fits counts. What is
 * not here goes to all: the host's compiler, libclang, which reads the host's side, and clang for
 * devices.
 *
 * Forms. ALONE: the word is the text. START: it begins with it. VALUE: a value follows, in the same
 * word or the next one. NEXT: a value follows in the next one. BOTH: it begins with the text, and a
 * value follows in the next one.
 *
 * Groups. ALL: as above; here to say that a value follows. READ: the host's compiler and libclang.
 * HOST: the host's compiler. LINK: its linker. LEVEL, DEPEND: specpi-cc looks at it. STEP, BESIDE:
 * refused, because it is about another step, or makes a second file beside the output. TEXTS: a
 * warning of libclang's step, which makes the header and the footer. SYCL: options of DPC++'s
 * driver; only the host's compiler and libraries count here. CLANG: any clang. DEVICE: the compiler
 * of a SYCL runtime. ONLY_DEVICE, ONLY_HOST: the value alone goes to the device's or the host's.
 */
#define CC_WORDS(X)                                                                                \
  X("-c", ALONE, STEP)                                                                             \
  X("-S", ALONE, STEP)                                                                             \
  X("-E", ALONE, STEP)                                                                             \
  X("-r", ALONE, STEP)                                                                             \
  X("-o", VALUE, STEP)                                                                             \
  X("-x", VALUE, STEP)                                                                             \
  X("-fsyntax-only", ALONE, STEP)                                                                  \
  X("-M", ALONE, STEP)                                                                             \
  X("-MM", ALONE, STEP)                                                                            \
  X("-MG", ALONE, STEP)                                                                            \
  X("-MJ", VALUE, STEP)                                                                            \
  X("-Wp,-M", START, STEP)                                                                         \
  X("-MD", ALONE, DEPEND)                                                                          \
  X("-MMD", ALONE, DEPEND)                                                                         \
  X("-MP", ALONE, DEPEND)                                                                          \
  X("-MF", VALUE, DEPEND)                                                                          \
  X("-MT", VALUE, DEPEND)                                                                          \
  X("-MQ", VALUE, DEPEND)                                                                          \
  X("-gsplit-dwarf", START, BESIDE)                                                                \
  X("--coverage", ALONE, BESIDE)                                                                   \
  X("-coverage", ALONE, BESIDE)                                                                    \
  X("-ftest-coverage", ALONE, BESIDE)                                                              \
  X("-fprofile-arcs", ALONE, BESIDE)                                                               \
  X("-save-temps", START, BESIDE)                                                                  \
  X("--save-temps", START, BESIDE)                                                                 \
  X("-O", START, LEVEL)                                                                            \
  X("-Wl,", START, LINK)                                                                           \
  X("-Xlinker", NEXT, LINK)                                                                        \
  X("-l", VALUE, LINK)                                                                             \
  X("-L", VALUE, LINK)                                                                             \
  X("-u", NEXT, LINK)                                                                              \
  X("-z", NEXT, LINK)                                                                              \
  X("-T", NEXT, LINK)                                                                              \
  X("-e", NEXT, LINK)                                                                              \
  X("-s", ALONE, LINK)                                                                             \
  X("-pie", ALONE, LINK)                                                                           \
  X("-no-pie", ALONE, LINK)                                                                        \
  X("-rdynamic", ALONE, LINK)                                                                      \
  X("-shared", START, LINK)                                                                        \
  X("-static", START, LINK)                                                                        \
  X("--static", ALONE, LINK)                                                                       \
  X("-nostdlib", START, LINK)                                                                      \
  X("-nodefaultlibs", ALONE, LINK)                                                                 \
  X("-nostartfiles", ALONE, LINK)                                                                  \
  X("-fuse-ld=", START, LINK)                                                                      \
  X("-D", VALUE, ALL)                                                                              \
  X("-U", VALUE, ALL)                                                                              \
  X("-I", VALUE, ALL)                                                                              \
  X("-include", VALUE, ALL)                                                                        \
  X("-imacros", VALUE, ALL)                                                                        \
  X("-isystem", VALUE, ALL)                                                                        \
  X("-iquote", VALUE, ALL)                                                                         \
  X("-idirafter", VALUE, ALL)                                                                      \
  X("-isysroot", VALUE, ALL)                                                                       \
  X("--sysroot", NEXT, ALL)                                                                        \
  X("--sysroot=", START, ALL)                                                                      \
  X("--std=", START, ALL)                                                                          \
  X("-mllvm", NEXT, HOST)                                                                          \
  X("-m", START, READ)                                                                             \
  X("--gcc-toolchain=", START, CLANG)                                                              \
  X("-fsycl", ALONE, SYCL)                                                                         \
  X("-fsycl-targets=", START, SYCL)                                                                \
  X("-fsycl-host-compiler=", START, SYCL)                                                          \
  X("-fsycl-host-compiler-options=", START, SYCL)                                                  \
  X("-fsycl-int-", START, SYCL)                                                                    \
  X("-foffload-static-lib=", START, SYCL)                                                          \
  X("-foffload-whole-static-lib=", START, SYCL)                                                    \
  X("-fsycl-unnamed-lambda", ALONE, SYCL)                                                          \
  X("-Xsycl-target-backend", BOTH, SYCL)                                                           \
  X("-Xsycl-target-linker", BOTH, SYCL)                                                            \
  X("-Xs", VALUE, SYCL)                                                                            \
  X("-Xarch_device", NEXT, ONLY_DEVICE)                                                            \
  X("-Xarch_host", NEXT, ONLY_HOST)                                                                \
  X("-fsycl", START, DEVICE)                                                                       \
  X("-fno-sycl", START, DEVICE)                                                                    \
  X("-fopenmp", START, READ)                                                                       \
  X("-g", START, HOST)                                                                             \
  X("-Wno-" HOST_UNUSED_WARNING, ALONE, TEXTS)                                                     \
  X("-W" HOST_UNUSED_WARNING, ALONE, TEXTS)                                                        \
  X("-W", START, HOST)                                                                             \
  X("-w", ALONE, READ)                                                                             \
  X("-pedantic", START, HOST)                                                                      \
  X("-v", ALONE, HOST)                                                                             \
  X("-p", ALONE, HOST)                                                                             \
  X("-pg", ALONE, HOST)                                                                            \
  X("-pipe", ALONE, HOST)                                                                          \
  X("-B", VALUE, HOST)                                                                             \
  X("-specs=", START, HOST)                                                                        \
  X("-target", NEXT, HOST)                                                                         \
  X("--target=", START, HOST)                                                                      \
  X("--param", VALUE, HOST)                                                                        \
  X("-Xclang", NEXT, HOST)                                                                         \
  X("-Xassembler", NEXT, HOST)                                                                     \
  X("-Xpreprocessor", NEXT, HOST)                                                                  \
  X("-fpic", ALONE, HOST)                                                                          \
  X("-fPIC", ALONE, HOST)                                                                          \
  X("-fpie", ALONE, HOST)                                                                          \
  X("-fPIE", ALONE, HOST)                                                                          \
  X("-fno-pi", START, HOST)                                                                        \
  X("-fno-PI", START, HOST)                                                                        \
  X("-fsanitize", START, HOST)                                                                     \
  X("-fno-sanitize", START, HOST)                                                                  \
  X("-flto", START, HOST)                                                                          \
  X("-fno-lto", ALONE, HOST)                                                                       \
  X("-ffat-lto-objects", ALONE, HOST)                                                              \
  X("-fcf-protection", START, HOST)                                                                \
  X("-fstack-", START, HOST)                                                                       \
  X("-fno-stack-", START, HOST)                                                                    \
  X("-fprofile", START, HOST)                                                                      \
  X("-fdebug", START, HOST)                                                                        \
  X("-ffile-prefix-map", START, HOST)                                                              \
  X("-fmacro-prefix-map", START, HOST)                                                             \
  X("-fdiagnostics", START, HOST)                                                                  \
  X("-fmax-errors", START, HOST)                                                                   \
  X("-fplugin", START, HOST)                                                                       \
  X("-fomit-frame-pointer", ALONE, HOST)                                                           \
  X("-fno-omit-frame-pointer", ALONE, HOST)                                                        \
  X("-fasynchronous-unwind-tables", ALONE, HOST)                                                   \
  X("-fno-gnu-unique", ALONE, HOST)

/* The texts are the command line's, but for depend_targets. */
typedef struct cc_words {
  cc_texts host;                     /* of the host's compiler, which has them when it links, too */
  cc_texts read;                     /* of libclang */
  cc_texts device;                   /* of clang */
  cc_texts clang;                    /* of the host's compiler, if it is clang */
  cc_texts sycl;                     /* of a SYCL runtime's compiler, for devices */
  const char *host_compiler;         /* -fsycl-host-compiler; NULL: none given */
  const char *host_compiler_options; /* the same with -options, in one text */
  cc_texts link;            /* libraries, their directories, files, and what else is the linker's */
  const char *level;        /* the last -O; NULL: none */
  const char *standard;     /* what the last -std= says; NULL: none */
  const char *depend;       /* -MD or -MMD; NULL: no file of dependences */
  const char *depend_file;  /* NULL: none given */
  cc_texts depend_targets;  /* as Make reads them; they are this list's */
  const char *depend_other; /* one of the options that need -MD; NULL: none */
  bool depend_phony;        /* -MP */
} cc_words;

/* Returns whether a word is in the list above. */
bool cc_words_have(const char *word);

/* The value of an option in its word; "": the value is the next word; NULL: it has none. */
const char *cc_words_value(const char *word);

/* 2 if the value of an option is the next word, else 1. */
int cc_words_size(const char *word);

/* Sorts count words; false after an error, and cc_words_free is then needed too. */
bool cc_words_take(cc_words *cc_words, const char *const *words, size_t count);
void cc_words_free(cc_words *words);

/* Returns whether a file is for the linker, as the ending of its name says. */
bool cc_words_is_object(const char *file);

/*
 * Returns whether compilers take the value of an option for one, or an object's name: what begins
 * with '@' is a file of options to each program that they start. An error if not; option is "" for
 * an object.
 */
bool cc_words_may_pass(const char *option, const char *value);

/* A path as Make reads it in a rule; the caller frees it. */
char *cc_words_quote(const char *path);

/* The path that such a word is; the caller frees it. */
char *cc_words_unquote(const char *word);

#endif

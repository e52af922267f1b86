/* The kinds of input, and how sources become LLVM bitcode. */
#ifndef SPECPI_CC_INPUT_H
#define SPECPI_CC_INPUT_H

#include "image.h"

/* X(suffix, KIND, language, standard): the inputs by the ending of their names. */
#define CC_INPUTS(X)                                                                               \
  X(".cl", SOURCE, "cl", "CL2.0")                                                                  \
  X(".clcpp", SOURCE, "clcpp", "clc++2021")                                                        \
  X(".cpp", CPP, "c++", "c++17")                                                                   \
  X(".cc", CPP, "c++", "c++17")                                                                    \
  X(".cxx", CPP, "c++", "c++17")                                                                   \
  X(".c", CPP, "c", "c++17")                                                                       \
  X(".ll", ASSEMBLY, NULL, NULL)                                                                   \
  X(".bc", BITCODE, NULL, NULL)                                                                    \
  X(".spv", SPIRV, NULL, NULL)

typedef enum cc_input {
  CC_INPUT_SOURCE,
  CC_INPUT_CPP,
  CC_INPUT_ASSEMBLY,
  CC_INPUT_BITCODE,
  CC_INPUT_SPIRV
} cc_input;

/* The kind of a file; an error when its ending is not known. */
bool cc_input_kind(const char *file, cc_input *ret);

/* Returns whether a file is a C++ unit, as the ending of its name says; a file of C is one. */
bool cc_input_is_unit(const char *file);

/* Returns whether it is one whose name is one of C, and that -x does not name C++. */
bool cc_input_is_c(const char *file);

/* Makes a file a C++ unit, whatever its name ends with; the text is the command line's. */
void cc_input_name_cxx(const char *file);

/* Returns whether a source is there, and compilers take its name for one; an error if not. */
bool cc_input_may_compile(const char *file);

/* The same, and whether clang is one whose code our LLVM reads; what follows needs it. */
bool cc_input_prepare(cc_work *work, const char *file);

/* Returns whether a file begins as bitcode does; an error if not. */
bool cc_input_is_bitcode(const char *file);

/*
 * Compiles a source with clang to bitcode of LLVM's SPIR, from which code for each target is
 * made; it sees SPECPI_TARGET_SPIR64 or SPECPI_TARGET_NVPTX64 as a macro. false after an error.
 */
bool cc_input_compile(cc_work *work, const char *file, cc_target target, const char *bitcode);

/*
 * The same for the kernels of a C++ unit, whose id is unit_id: their bitcode is the file
 * work->compiled.kernels.
 */
bool cc_input_compile_cpp(cc_work *work, const char *file, cc_target target, const char *unit_id);

/* Writes what the preprocessor makes of a source for a target. false after an error. */
bool cc_input_preprocess(cc_work *work, const char *file, cc_target target, const char *out);

/* ---- Parts of the three ---- */

/* cc_input_preprocess of a C++ unit. */
bool cc_input_preprocess_cpp(cc_work *work, const char *file, cc_target target, const char *out);

/* Adds the options for each run of clang, whatever its input is. */
void cc_input_add_common(const cc_work *work, cc_texts *command);

/* The macro that says which target it is, as an option. */
const char *cc_input_macro(cc_target target);

#endif

/* One input for one target, as far as it is needed. */
#ifndef SPECPI_CC_IMAGE_H
#define SPECPI_CC_IMAGE_H

#include "file.h"
#include "options.h"
#include "spirv.h"

#include <specpi/compiler.h>

/* A C++ unit that was compiled, for the next target, in files of the scratch directory. */
typedef struct cc_compiled {
  const char *file;
  char *text;    /* what the preprocessor made of it */
  char *kernels; /* bitcode, not optimised */
} cc_compiled;

/* Where things are made. */
typedef struct cc_work {
  const cc_options *options;
  const char *scratch;       /* a private directory */
  unsigned file_number;      /* counts the files there */
  cc_texts host_directories; /* of headers for C++, once they are known; in host_words */
  file_bytes host_words;
  cc_compiled compiled;
  const char *depend;           /* names cc_work_dependences' files; NULL: they are not wanted */
  int clang;                    /* the major version of clang, as far as it was asked; else 0 */
  struct cc_progress *progress; /* NULL: nothing is shown */
} cc_work;

/* The path of a new file in the scratch directory; the caller frees it. */
char *cc_work_file(cc_work *work, const char *suffix);

/*
 * The file to which clang writes what it reads to compile a source for a target; NULL where that is
 * not wanted. The caller frees it.
 */
char *cc_work_dependences(const cc_work *work, cc_target target);

/* Frees what the steps have left in it. */
void cc_work_free(cc_work *work);

/*
 * An image, or what it would be made from. LLVM's input has compiler to output; SPIR-V that
 * came as it is has spirv.
 */
typedef struct cc_image {
  const char *file; /* the input */
  cc_target target;
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output;
  bool as_it_is;
  spirv_module spirv;
  file_bytes bytes; /* SPIR-V */
  const void *code; /* what a device gets: in bytes, or in the output; NULL until generated */
  size_t code_size;
} cc_image;

/*
 * Reads an input and lowers its constants for a target. Warnings of the pass are printed. false
 * after an error, and cc_image_free is then needed too.
 */
bool cc_image_lower(cc_work *work, const char *file, cc_target target, cc_image *ret);

/* Makes the code: valid SPIR-V, or PTX. false after an error. */
bool cc_image_generate(cc_work *work, cc_image *image);

/*
 * Returns whether it is a C++ unit without kernels and functions for other images, of which there
 * is nothing to be made.
 */
bool cc_image_is_empty(const cc_image *image);

/* The name of a kernel; NULL when the index is out of range. */
const char *cc_image_kernel(const cc_image *image, size_t index);

/* The property sets, which specpiCompilerPropertiesRelease releases; false after an error. */
bool cc_image_properties(const cc_image *image, specpi_compiler_properties *ret);

void cc_image_free(cc_image *image);

#endif

#include "translate.h"

#include "child.h"

#include <stdlib.h>

/* SPIR-V has one type for void * and uchar *: words in the module tell them apart. */
#define KEEP_TYPE_NAMES "--preserve-ocl-kernel-arg-type-metadata-through-string"

/* Runs llvm-spirv with its first options, the second of which may be NULL, from a file to another.
 */
static bool run_translator(const cc_work *work, const char *file, const char *option,
                           const char *second, const char *from, const char *to) {
  const cc_options *options = work->options;
  cc_texts command = {0};
  cc_texts_add(&command, options->translator);
  cc_texts_add(&command, option);
  if (second)
    cc_texts_add(&command, second);
  cc_texts_add_all(&command, &options->translator_options);
  cc_texts_add(&command, from);
  cc_texts_add(&command, "-o");
  cc_texts_add(&command, to);
  const bool done = child_run(&command, "--llvm-spirv", file, to, options->verbose);
  cc_texts_free(&command);
  return done;
}

bool translate_to_spirv(cc_work *work, const char *file, const void *bitcode, size_t size,
                        file_bytes *ret) {
  char *from = cc_work_file(work, ".lowered.bc");
  char *to = cc_work_file(work, ".spv");
  char *option = cc_format("--spirv-max-version=%s", work->options->spirv_version);
  const bool done = file_write(from, from, bitcode, size, false) &&
                    run_translator(work, file, KEEP_TYPE_NAMES, option, from, to) &&
                    file_read(to, ret);
  free(option);
  free(to);
  free(from);
  return done;
}

bool translate_from_spirv(cc_work *work, const char *file, const char *bitcode) {
  char *from = cc_path_word(file);
  const bool done = run_translator(work, file, "-r", NULL, from, bitcode);
  free(from);
  return done;
}

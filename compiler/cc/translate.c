#include "translate.h"

#include "child.h"

#include <stdlib.h>

/* SPIR-V has one type for void * and uchar *: words in the module tell them apart. */
#define KEEP_TYPE_NAMES "--preserve-ocl-kernel-arg-type-metadata-through-string"

/* Without it llvm-spirv forgets which additions cannot overflow, and with that the generators of
 * code compute each address of an array anew. DPC++ uses it, too. */
#define KEEP_NO_OVERFLOW "--spirv-ext=+SPV_KHR_no_integer_wrap_decoration"

/* Runs llvm-spirv with options, which end with NULL, from a file to another. */
static bool run_translator(const cc_work *work, const char *file, const char *const *first,
                           const char *from, const char *to) {
  const cc_options *options = work->options;
  cc_texts command = {0};
  cc_texts_add(&command, options->translator);
  for (; *first; first++)
    cc_texts_add(&command, *first);
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
  const char *const first[] = {KEEP_TYPE_NAMES, KEEP_NO_OVERFLOW, option, NULL};
  const bool done = file_write(from, from, bitcode, size, false) &&
                    run_translator(work, file, first, from, to) && file_read(to, ret);
  free(option);
  free(to);
  free(from);
  return done;
}

bool translate_from_spirv(cc_work *work, const char *file, const char *bitcode) {
  const char *const first[] = {"-r", NULL};
  char *from = cc_path_word(file);
  const bool done = run_translator(work, file, first, from, bitcode);
  free(from);
  return done;
}
